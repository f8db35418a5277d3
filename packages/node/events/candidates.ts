import type { LedgerReader, PlacedTransaction } from "@moneta/ledger";
import type { Address } from "@moneta/protocol";
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

/**
 * Some of those from one running number to before another that may match; an open reader is asked for them one by one. Of addresses the histories tell, however long ago it
 * was; for everything else all transactions are looked at.
 */
export function candidates(
  reader: LedgerReader,
  { addresses, wantsBlocks }: RecordMatcher,
  { from, to }: { readonly from: number; readonly to: number },
): Candidates {
  if (addresses === undefined || wantsBlocks) {
    const end = Math.min(to, from + TRANSACTIONS_TOGETHER);
    return { transactions: reader.transactionsFrom(from, end), end };
  }
  const { transactions, end } = reader.history.transactionsOf(
    [...addresses].flatMap((address) => reader.state.address(address as Address)?.number ?? []),
    { from, before: to },
    TRANSACTIONS_TOGETHER,
  );
  return { transactions: numbered(reader, transactions), end };
}

function* numbered(reader: LedgerReader, numbers: readonly number[]): Iterable<PlacedTransaction> {
  for (const number of numbers) {
    yield reader.transactionNumbered(number);
  }
}
