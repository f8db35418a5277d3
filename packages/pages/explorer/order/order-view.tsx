import { shortId } from "@moneta/sdk";
import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { moneta } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { Shown } from "../../parts/shown.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { walletLink } from "../../wallet/links.ts";
import { Life } from "../item/life.tsx";
import { isOpenOrder, OrderAbout } from "./order-about.tsx";
import { OrderTradeList } from "./order-trade-list.tsx";
import { pairName } from "./pair-link.tsx";
import "./order.css";

/** Source: explorer §2 */
export function OrderView({ id }: { readonly id: string }): JSX.Element {
  const texts = t().explorer.order;
  const read = useRead(`order ${id}`, (options) => moneta.order({ mrc040id: id }, options), {
    live: true,
  });
  const order = read.value;
  const title =
    order === undefined
      ? texts.title(shortId(id))
      : texts.titleOf(texts.sides[order.side], pairName(order));
  return (
    <View
      title={title}
      heading={<UntrustedText text={title} max={120} />}
      wallet={order !== undefined && walletLink.order(id)}
      act={order !== undefined && isOpenOrder(order) ? "take" : undefined}
    >
      <Shown read={read}>{(order) => <OrderAbout order={order} />}</Shown>
      {read.value !== undefined && (
        <>
          <OrderTradeList of={{ mrc040id: id }} caption={texts.tradesOfOrder} cursorName="trades" />
          <Life id={id} />
        </>
      )}
    </View>
  );
}
