import type { TransactionRecord } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { t } from "../../texts/texts.ts";
import { pathWith } from "../listing/path-with.ts";
import { recordColumns } from "../transaction/record-columns.tsx";

/** Bids, and their refunds when somebody bid more. */
const TYPES = [
  "transfer_mrc401bid",
  "receive_mrc401refund",
  "transfer_mrc402bid",
  "receive_mrc402refund",
  "transfer_mrc010bid",
  "receive_mrc010refund",
].join();

/** The bids of an address, and those that it got back; the newest first, live. */
export function BidList({ address }: { readonly address: string }): JSX.Element {
  const texts = t().explorer.address;
  return (
    <LedgerList<TransactionRecord>
      caption={texts.bids}
      path={pathWith(`/address/${address}/transactions`, { type: TYPES })}
      read={(page, options) =>
        moneta.addressTransactions({ address, type: TYPES, ...page }, options)
      }
      keyOf={({ id, type }) => `${id} ${type}`}
      cursorName="bids"
      live
      empty={texts.noBids}
      columns={recordColumns({
        nameOf: (one) => (one === address ? <b>{texts.thisAddress}</b> : undefined),
      })}
    />
  );
}
