import type { LedgerReader, PlacedTransaction } from "@moneta/ledger";
import type { Address } from "@moneta/protocol";
import type { RecordMatcher } from "./event-filter.ts";

/** Others wait only briefly; characters are of records. */
export const TRANSACTIONS_TOGETHER = 500;
export const CHARACTERS_TOGETHER = 4 << 20;

export interface Candidates {
  /** In ledger order. They end with the one that reaches the maximum of characters. */
  readonly transactions: Iterable<PlacedTransaction>;
  end(): number;
}

/** Filters by address use histories; all others examine every transaction. */
export function candidates(
  reader: LedgerReader,
  { addresses, wantsBlocks }: RecordMatcher,
  { from, to }: { readonly from: number; readonly to: number },
): Candidates {
  if (addresses === undefined || wantsBlocks) {
    const end = Math.min(to, from + TRANSACTIONS_TOGETHER);
    return bounded(reader.transactionsFrom(from, end), end);
  }
  const found = reader.history.transactionsOf(
    [...addresses].flatMap((each) => reader.state.addressNumber(each as Address) ?? []),
    { from, before: to },
    TRANSACTIONS_TOGETHER,
  );
  return bounded(numbered(reader, found.transactions), found.end);
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
