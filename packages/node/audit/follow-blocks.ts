import { InvalidBlock, sha256 } from "@moneta/ledger";
import { type Block, blockId, contentText, isHeader, transactionId } from "@moneta/protocol";
import type { AuditContext } from "./audit-context.ts";
import { Finding, placeOf, shortened } from "./finding.ts";
import { type NodeClient, Unreachable } from "./node-client.ts";
import { RAW_BLOCKS, receivedBlock } from "./received-block.ts";

/** The most that a node gives at once. Source: chain §2. */
const PAGE = 1000;

/** What following needs of an audit. */
export interface FollowContext extends Pick<AuditContext, "client" | "replica" | "progress"> {
  /** Called with the last block of a page before it is stored, which it prevents by throwing. */
  readonly confirm?: (last: Block) => void;
  /** Called when a page has been stored. */
  readonly onPage?: () => void;
}

/**
 * Brings the copy up to a block of the node: fetches, checks and stores page by page. It fetches
 * the next page while it replays one.
 */
export async function followBlocks(context: FollowContext, height: number): Promise<void> {
  const ending = new AbortController();
  try {
    await followPages(context, { height, signal: ending.signal });
  } finally {
    // The page behind a wrong one: its sender could draw it out, with all that it holds.
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
      // Awaited below, unless the page before it is wrong.
      coming.catch(() => undefined);
    }
    try {
      await replica.adopt(page, () => confirm?.(page.at(-1) as Block));
    } catch (thrown) {
      if (!(thrown instanceof InvalidBlock)) {
        throw thrown;
      }
      if (confirm === undefined && thrown.height > first) {
        // Those before it are sound.
        await replica.adopt(page.slice(0, thrown.height - first));
      }
      throw await findingOf(client, page[thrown.height - first], thrown);
    }
    onPage?.();
    show(replica.head.height + 1);
  }
}

/** The blocks from one on, up to another, as many as the node gives at once. */
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
  for await (const line of client.lines(`/blocks/raw?from=${from}&limit=${limit}`, signal)) {
    if (page.length === limit) {
      throw new Finding(`block ${from + limit}: ${RAW_BLOCKS}: more blocks than were asked for`);
    }
    page.push(receivedBlock(line, from + page.length));
  }
  return page;
}

/** Explains an invalid block as exactly as possible, down to the transaction. */
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

/** Transaction ids of a block as the node lists them; empty if it lists none. */
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
