import { OPERATIONS } from "@moneta/protocol";
import {
  type BatchWrite,
  expiresAt,
  type FoundWrite,
  type Moneta,
  type PreparedWrite,
  ProblemError,
  type SentWrite,
} from "@moneta/sdk";
import { type BatchLine, isPrepared } from "../values/batch-lines.ts";

export type LineResult = SentWrite | ProblemError;

/**
 * The result of a line of an earlier run, after it was sent again. If its key is unused and called
 * expired: `expired`, or its expiry, Unix seconds, while valid by this clock. Until then a second
 * signature could pay twice.
 */
export async function earlierResult(
  moneta: Moneta,
  { line, write, result }: Sent,
): Promise<LineResult | "expired" | number> {
  if (isOpen(result, write)) {
    return (await openingOf(moneta, write)) ?? result;
  }
  if (isFinished(result, write)) {
    return (await finishOf(moneta, write)) ?? result;
  }
  if (!isExpired(result) || !isPrepared(write)) {
    return result;
  }
  const validUntil = expiryOf(write);
  const hasExpired = moneta.clock.hasPassed(validUntil); // before the history is read
  const found = await moneta.findSent(write);
  if (found !== undefined) {
    return await foundOf(moneta, line, found);
  }
  return hasExpired ? "expired" : validUntil;
}

interface Sent {
  readonly line: BatchLine;
  readonly write: BatchWrite;
  readonly result: LineResult;
}

async function foundOf(moneta: Moneta, line: BatchLine, found: FoundWrite): Promise<SentWrite> {
  const { transaction_id } = found;
  if (!("lines" in line)) {
    return { ...found };
  }
  const { parameters } = await moneta.transaction({ transaction_id });
  const leftOut = new Map(JSON.parse(parameters[1] ?? "[]") as readonly [number, string][]);
  const results = line.lines.map((_, index) => {
    const code = leftOut.get(index);
    const problem = { type: `urn:moneta:error:${code}`, title: "Left out", status: 400 };
    return code === undefined
      ? { transaction_id }
      : new ProblemError({ ...problem, code, detail: "The ledger has left it out." });
  });
  return { transaction_id, results };
}

async function openingOf(moneta: Moneta, write: BatchWrite): Promise<SentWrite | undefined> {
  const { mrc020key } = write as { readonly mrc020key?: unknown };
  const request = { id: String(mrc020key), type: "MRC020Open", limit: 1 };
  const { items } = await moneta.itemTransactions(request);
  return items.map(({ id }) => ({ transaction_id: id, txid: id }))[0];
}

/** Undefined if the newest auction ended otherwise. */
async function finishOf(moneta: Moneta, write: BatchWrite): Promise<SentWrite | undefined> {
  const {
    operation,
    mrc401id,
    dexid = mrc401id,
    id = dexid,
  } = write as BatchWrite & {
    readonly [name in "mrc401id" | "dexid" | "id"]?: unknown;
  };
  const kind = operation.slice(0, "mrc401".length);
  const typesOf = (...what: readonly string[]): string[] => what.map((each) => `${kind}_${each}`);
  const closed = typesOf("auctionwinning", "auctionfailure");
  const type = [...closed, ...typesOf("auction", "unauction", "auctionbuynow")].join();
  const { items } = await moneta.itemTransactions({ id: String(id), type, limit: 1 });
  return items
    .filter((newest) => closed.includes(newest.type))
    .map((newest) => ({ transaction_id: newest.id, txid: newest.id }))[0];
}

export function isBundle(write: BatchWrite): write is PreparedWrite {
  return write.operation === "bundle";
}

export function isProblem(result: LineResult): result is ProblemError {
  return result instanceof Error;
}

function isExpired(result: LineResult): boolean {
  return isProblem(result) && result.code === "2020";
}

/** Unix seconds. */
function expiryOf(write: PreparedWrite): number {
  const { operation, params } = write;
  const { signers } = OPERATIONS.find(({ name }) => name === operation) ?? { signers: [] };
  return expiresAt(
    isBundle(write)
      ? JSON.parse(params["body"] as string).tkey
      : params[signers[0]?.temporaryKey ?? ""],
  );
}

/**
 * Whether the line's key has opened the text: another key is `3006`. Repeats are not recognized,
 * because the operation is unsigned. Source: protocols §6.
 */
function isOpen(result: LineResult, { operation }: BatchWrite): boolean {
  return operation === "mrc020open" && isProblem(result) && result.code === "7113";
}

function isFinished(result: LineResult, { operation }: BatchWrite): boolean {
  return (
    operation.endsWith("auctionfinish") &&
    isProblem(result) &&
    (result.code === "7102" || result.code === "7106")
  );
}
