import type { LedgerReader, PlacedTransaction } from "@moneta/ledger";
import type { Address } from "@moneta/protocol";
import type { RecordMatcher } from "./event-filter.ts";

/** What is read at a time, so that nobody waits long for others: transactions, and characters of their records. */
export const TRANSACTIONS_TOGETHER = 500;
export const CHARACTERS_TOGETHER = 4 << 20;

/** Transactions that may be for somebody. */
export interface Candidates {
  /** In the order of the ledger; they end behind the one that makes the characters read too many. */
  readonly transactions: Iterable<PlacedTransaction>;
  /** Once all of them have been asked for, where to go on: running number. */
  end(): number;
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
    return bounded(reader.transactionsFrom(from, end), end);
  }
  const { transactions, end } = reader.history.transactionsOf(
    [...addresses].flatMap((address) => reader.state.address(address as Address)?.number ?? []),
    { from, before: to },
    TRANSACTIONS_TOGETHER,
  );
  return bounded(numbered(reader, transactions), end);
}

function bounded(all: Iterable<PlacedTransaction>, endOfAll: number): Candidates {
  let end = endOfAll;
  function* transactions(): Iterable<PlacedTransaction> {
    let characters = 0;
    for (const placed of all) {
      yield placed;
      characters += placed.record.length;
      if (characters >= CHARACTERS_TOGETHER) {
        end = placed.number + 1;
        return;
      }
    }
  }
  return { transactions: transactions(), end: () => end };
}

function* numbered(reader: LedgerReader, numbers: readonly number[]): Iterable<PlacedTransaction> {
  for (const number of numbers) {
    yield reader.transactionNumbered(number);
  }
}
