import { InvalidBlock, sha256 } from "@moneta/ledger";
import {
  type Block,
  blockId,
  canonicalJson,
  contentText,
  type Header,
  isHeader,
  type Json,
  transactionId,
} from "@moneta/protocol";
import { Finding, placeOf, shortened } from "./finding.ts";
import { type NodeClient, parsedJson, Unreachable } from "./node-client.ts";
import type { Replica } from "./replica.ts";
import { unlessLacked } from "./served-block.ts";

const RAW_BLOCKS = "GET /blocks/raw";

/** Source: chain §2. */
const PAGE = 1000;

interface FollowContext {
  readonly client: NodeClient;
  readonly replica: Replica;
  readonly progress: (what: string, total: number) => (done: number) => void;
  /** Before the page is stored; throwing prevents that. */
  readonly confirm?: (last: Block) => void;
  readonly onPage?: () => void;
}

/** Fetches, checks and stores pages; it fetches the next one while it replays one. */
export async function followBlocks(context: FollowContext, height: number): Promise<void> {
  const ending = new AbortController();
  try {
    await followPages(context, { height, signal: ending.signal });
  } finally {
    // The sender of a wrong page could delay the next one, and occupy memory.
    ending.abort();
  }
}

async function followPages(
  { client, replica, progress, confirm, onPage }: FollowContext,
  { height, signal }: { readonly height: number; readonly signal: AbortSignal },
): Promise<void> {
  if (replica.head.height >= height) {
    return;
  }
  const fetchFrom = (from: number): Promise<Block[]> =>
    fetchPage(client, { from, to: height, signal });
  const show = progress("replaying blocks", height + 1);
  let coming = fetchFrom(replica.head.height + 1);
  while (replica.head.height < height) {
    const page = await coming;
    const first = replica.head.height + 1;
    const next = first + page.length;
    if (page.length === 0) {
      throw new Unreachable(
        `${RAW_BLOCKS} has no block ${next}, though there is a block ${height}`,
      );
    }
    if (next <= height) {
      coming = fetchFrom(next);
      // Awaited below, unless the previous page is wrong.
      coming.catch(() => undefined);
    }
    try {
      await replica.adopt(page, () => confirm?.(page.at(-1) as Block));
    } catch (thrown) {
      if (!(thrown instanceof InvalidBlock)) {
        throw thrown;
      }
      if (confirm === undefined && thrown.height > first) {
        // The blocks before it are valid.
        await replica.adopt(page.slice(0, thrown.height - first));
      }
      throw await findingOf(client, page[thrown.height - first], thrown);
    }
    onPage?.();
    show(replica.head.height + 1);
  }
}

async function fetchPage(
  client: NodeClient,
  {
    from,
    to,
    signal,
  }: { readonly from: number; readonly to: number; readonly signal: AbortSignal },
): Promise<Block[]> {
  const limit = Math.min(PAGE, to - from + 1);
  const page: Block[] = [];
  try {
    for await (const line of client.lines(`/blocks/raw?from=${from}&limit=${limit}`, signal)) {
      if (page.length === limit) {
        throw new Finding(`block ${from + limit}: ${RAW_BLOCKS}: more blocks than were requested`);
      }
      page.push(receivedBlock(line, from + page.length));
    }
  } catch (thrown) {
    throw await unlessLacked(client, from, thrown);
  }
  return page;
}

async function findingOf(
  client: NodeClient,
  block: Block | undefined,
  { height, position, reason }: InvalidBlock,
): Promise<Finding> {
  const ids = (block?.operations ?? []).map((text, at) =>
    transactionId({ height, position: at, contentHash: sha256.hex(contentText(text)) }),
  );
  const header = block !== undefined && isHeader(block.header) ? block.header : undefined;
  const hash = header && blockId(header, sha256);
  const forged =
    hash === undefined || hash === block?.id
      ? ""
      : `; the header served hashes to ${hash}, the id served is ${shortened(block?.id)}`;
  if (position !== undefined) {
    const id = ids[position] ?? "";
    return new Finding(`${placeOf({ height, position, id })}: ${RAW_BLOCKS}: ${reason}${forged}`);
  }
  if (forged !== "") {
    return new Finding(`block ${height}: ${RAW_BLOCKS}: ${reason}${forged}`);
  }
  const listed = await listedIds(client, height);
  const changed = ids.findIndex((id, at) => listed[at] !== undefined && listed[at] !== id);
  const which =
    changed === -1
      ? ""
      : `; GET /block/${height} lists transaction ${changed} as ${shortened(listed[changed])}, but the operation served hashes to ${ids[changed]}`;
  return new Finding(`block ${height}: ${RAW_BLOCKS}: ${reason}${which}`);
}

/** Empty if the node lists none. */
async function listedIds(client: NodeClient, height: number): Promise<readonly unknown[]> {
  try {
    const { transaction } = (await client.json(`/block/${height}`)) as {
      transaction: readonly { readonly id: unknown }[];
    };
    return transaction.map(({ id }) => id);
  } catch {
    return [];
  }
}

/** Unverified; `height` is the expected one. Source: chain §2. */
function receivedBlock(line: string, height: number): Block {
  const value = parsedJson(`block ${height}: ${RAW_BLOCKS}`, line);
  const { header, id, operations, ...others } = (value ?? {}) as Record<string, unknown>;
  if (typeof id !== "string" || !Array.isArray(operations) || Object.keys(others).length > 0) {
    throw new Finding(
      `block ${height}: ${RAW_BLOCKS}: not header, id and operations of a block: ${shortened(value)}`,
    );
  }
  return {
    header: header as Header,
    id,
    operations: operations.map((operation, position) => {
      try {
        return canonicalJson(operation as Json);
      } catch {
        // Numbers that are not integers, lone surrogates, or too deep nesting.
        throw new Finding(
          `block ${height}, transaction ${position}: ${RAW_BLOCKS}: what no operation can hold: ${shortened(line.slice(0, 1000))}`,
        );
      }
    }),
  };
}
