import {
  type AnyRead,
  block,
  blockRaw,
  blocksRaw,
  entryBundle,
  type Parameters,
  type Read,
  Refused,
  refuse,
  type TransactionName,
  tile,
  transaction,
  transactionProof,
  type ValuesOf,
} from "@moneta/protocol";
import type {
  ArchivedLeaf,
  ArchivedLines,
  ArchivedRead,
  ArchivedReads,
  ToArchive,
} from "../../archive/archive-read-messages.ts";
import { HASH_BYTES, lengthAndText } from "../../archive/growing-tiles.ts";
import type { Service } from "../../service.ts";
import { transactionText } from "../../transaction-text.ts";
import { jsonText } from "../responses/answer.ts";
import { showArchivedProof } from "./proof-reads.ts";
import type { ReadContext } from "./read-context.ts";
import type { Reply } from "./read-handler.ts";
import { blockAnswer, PAGE_OF_RAW_BLOCKS, RAW_BYTES_MAX, rawLines } from "./reads.ts";

interface Archived extends Pick<ReadContext, "later" | "socket"> {
  readonly service: Service;
  readonly since: number;
  readonly ask: <R extends ArchivedRead>(
    message: ToArchive<R>,
  ) => Promise<{ readonly found: ArchivedReads[R][1] } | Refused>;
}

type Handler = (values: never, archived: Archived) => Promise<Awaited<Reply>>;

/** Each has the same response as before the blocks were removed. */
const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  handled(transaction, async ({ transaction_id: name }, archived) =>
    shownTransaction(name, archived, ({ block: of, record }) =>
      jsonText(transactionText(name.id, of, record)),
    ),
  ),
  handled(transactionProof, async (values, archived) =>
    shownTransaction(values.transaction_id, archived, (found) =>
      showArchivedProof(values, found, archived.service, archived.later),
    ),
  ),
  handled(block, async ({ block: name }, archived) =>
    shown({ read: "block", of: heightOf(name) }, archived, (found) =>
      blockAnswer(found, found.transactions),
    ),
  ),
  handled(blockRaw, async ({ block: name }, archived) => {
    const from = heightOf(name);
    return shown({ read: "lines", of: { from, to: from + 1 } }, archived, ({ lines }) =>
      jsonText(lines.trimEnd()),
    );
  }),
  handled(blocksRaw, async ({ from = 0, limit = PAGE_OF_RAW_BLOCKS }, archived) => {
    const first = Math.max(from, 1);
    const to = Math.min(from + limit, archived.since);
    // The first part decides whether the page is refused.
    return shown({ read: "lines", of: { from: first, to } }, archived, (found) => ({
      contentType: "application/x-ndjson",
      chunks: archivedLines(found, { from, end: from + limit }, archived),
    }));
  }),
  handled(tile, async ({ tile: { index, width } }, archived) =>
    shown({ read: "hashes", of: index }, archived, (hashes) => ({
      contentType: "application/octet-stream",
      body: hashes.subarray(0, width * HASH_BYTES),
    })),
  ),
  handled(entryBundle, async ({ tile: { index, width } }, archived) =>
    shown({ read: "texts", of: index }, archived, (texts) => ({
      contentType: "application/octet-stream",
      body: Buffer.concat(texts.slice(0, width).map(lengthAndText)),
    })),
  ),
]);

/** Undefined if the read needs the stored blocks. Source: proofs §6. */
export function readArchived(
  { name }: AnyRead,
  values: object,
  archived: Archived,
): Reply | undefined {
  return HANDLERS.get(name)?.(values as never, archived);
}

function handled<P extends Parameters>(
  { name }: Read<P>,
  handle: (values: ValuesOf<P>, archived: Archived) => ReturnType<Handler>,
): readonly [name: string, handler: Handler] {
  return [name, handle];
}

async function shown<R extends ArchivedRead>(
  message: ToArchive<R>,
  { ask }: Archived,
  show: (found: ArchivedReads[R][1]) => Reply,
): Promise<Awaited<Reply>> {
  const answer = await ask(message);
  return answer instanceof Refused ? answer : await show(answer.found);
}

async function shownTransaction(
  name: TransactionName,
  archived: Archived,
  show: (found: ArchivedLeaf) => Reply,
): Promise<Awaited<Reply>> {
  return await shown({ read: "transaction", of: name }, archived, (found) =>
    found === undefined ? refuse({ code: "6008", given: name.id }) : show(found),
  );
}

function heightOf(name: ValuesOf<typeof block.parameters>["block"]): number {
  return "height" in name ? name.height : 0;
}

/** It ends early if the archive does not respond any more. */
async function* archivedLines(
  first: ArchivedLines,
  { from, end }: { readonly from: number; readonly end: number },
  { service, since, ask, socket }: Archived,
): AsyncGenerator<string> {
  let bytes = 0;
  if (from === 0) {
    yield* rawLines(0, 1, service);
  }
  for (let part = first; ; ) {
    yield part.lines;
    bytes += Buffer.byteLength(part.lines);
    const to = Math.min(end, since);
    if (part.next === to || bytes > RAW_BYTES_MAX || socket.destroyed) {
      break;
    }
    const answer = await ask({ read: "lines", of: { from: part.next, to } });
    if (answer instanceof Refused) {
      return;
    }
    part = answer.found;
  }
  const last = Math.min(end, service.reading().height + 1);
  if (last > since && bytes <= RAW_BYTES_MAX) {
    yield* rawLines(since, last, service, bytes);
  }
}
