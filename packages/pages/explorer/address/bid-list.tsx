import type { JSX } from "preact";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { listOf } from "../../parts/lists/list-of.ts";
import { t } from "../../texts/texts.ts";
import { recordColumns } from "../transaction/record-columns.tsx";

/** Bids, and their refunds after higher bids. */
const TYPES = [
  "transfer_mrc401bid",
  "receive_mrc401refund",
  "transfer_mrc402bid",
  "receive_mrc402refund",
  "transfer_mrc010bid",
  "receive_mrc010refund",
].join();

export function BidList({ address }: { readonly address: string }): JSX.Element {
  const texts = t().explorer.address;
  return (
    <LedgerList
      caption={texts.bids}
      {...listOf("addressTransactions", { address, type: TYPES })}
      cursorName="bids"
      empty={texts.noBids}
      columns={recordColumns({
        nameOf: (one) => (one === address ? texts.thisAddress : undefined),
      })}
    />
  );
}
