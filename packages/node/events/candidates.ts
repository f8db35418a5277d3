import type { LedgerReader, PlacedTransaction } from "@moneta/ledger";
import type { RecordPart, TransactionRecord } from "@moneta/protocol";
import type { RecordMatcher } from "./event-filter.ts";

/** What is read at a time, so that nobody waits long for others. */
const TRANSACTIONS_TOGETHER = 500;

/** Transactions that may be for somebody. */
export interface Candidates {
  /** In the order of the ledger. */
  readonly transactions: Iterable<PlacedTransaction>;
  /** Where to go on when all of them have been looked at: running number. */
  readonly end: number;
}

/** Some of those from one running number to before another that may match; an open reader is asked for them one by one. */
export function candidates(
  reader: LedgerReader,
  _matcher: RecordMatcher,
  { from, to }: { readonly from: number; readonly to: number },
): Candidates {
  const end = Math.min(to, from + TRANSACTIONS_TOGETHER);
  return { transactions: reader.transactionsFrom(from, end), end };
}

/** A transaction's records, from the stored text. */
export function recordParts(record: string): readonly RecordPart[] {
  const parsed = JSON.parse(record) as TransactionRecord;
  return [parsed, ...parsed.effects];
}
