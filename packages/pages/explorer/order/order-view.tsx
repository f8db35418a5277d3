import { type Order, orderCost, shortId } from "@moneta/sdk";
import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { moneta } from "../../ledger/node.ts";
import { tokenForm } from "../../ledger/tokens.ts";
import { useRead } from "../../ledger/use-read.ts";
import { AmountText } from "../../parts/amount-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { ShareBar } from "../../parts/share-bar.tsx";
import { Shown } from "../../parts/shown.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { t } from "../../texts/texts.ts";
import { walletLink } from "../../wallet/links.ts";
import { Life } from "../item/life.tsx";
import { SideBadge, StatusBadge } from "./order-badge.tsx";
import { heldTokenOf } from "./order-list.tsx";
import { OrderPrice } from "./order-price.tsx";
import { OrderTradeList } from "./order-trade-list.tsx";
import { PairLink } from "./pair-link.tsx";
import { readBook } from "./read-book.ts";
import "./order.css";

/** An order: its terms, what of it was traded, what it holds, and its life. Source: explorer §2 */
export function OrderView({ id }: { readonly id: string }): JSX.Element {
  const texts = t().explorer.order;
  const read = useRead(`order ${id}`, (options) => moneta.order({ mrc040id: id }, options), {
    live: true,
  });
  return (
    <View
      title={texts.title(shortId(id))}
      actions={
        <a class="button" href={walletLink.order(id)}>
          {t().explorer.inWallet}
        </a>
      }
    >
      <Shown read={read}>
        {(order) => (
          <>
            <Offer order={order} />
            <OrderFacts order={order} />
          </>
        )}
      </Shown>
      {read.value !== undefined && (
        <>
          <OrderTradeList of={{ mrc040id: id }} caption={texts.tradesOfOrder} cursorName="trades" />
          <Life id={id} />
        </>
      )}
    </View>
  );
}

/** What it offers, and its place among others. */
function Offer({ order }: { readonly order: Order }): JSX.Element {
  const texts = t().explorer.order;
  const { side, status, price, remainqtt, targettoken } = order;
  const isOpen = status === "WAIT" || status === "TRADING";
  const { value: book } = useRead(
    `book of ${order.mrc040id} ${isOpen}`,
    async (options) => (isOpen ? await readBook(order, options) : undefined),
    { live: isOpen },
  );
  const best = (side === "SELL" ? book?.asks : book?.bids)?.[0]?.price;
  return (
    <section class="card offer" aria-live="polite" aria-label={texts.order}>
      <p class="price">
        <SideBadge side={side} /> <StatusBadge status={status} />{" "}
        {isOpen && <AmountText amount={remainqtt} token={targettoken} />} {texts.at}{" "}
        <OrderPrice price={price} pair={order} />
      </p>
      {book !== undefined && (
        <p class="quiet">
          {!book.open
            ? texts.closed
            : best === price
              ? texts.isBest
              : best !== undefined && texts.isBehind}
        </p>
      )}
    </section>
  );
}

function OrderFacts({ order }: { readonly order: Order }): JSX.Element {
  const texts = t().explorer.order;
  const { owner, basetoken, targettoken, qtt, remainqtt, held } = order;
  const form = tokenForm(targettoken).value;
  const traded = qtt - remainqtt;
  const time = (value: number): JSX.Element | false => value > 0 && <TimeText time={value} />;
  return (
    <Facts
      facts={[
        [texts.pair, <PairLink pair={order} />],
        [texts.quantity, <AmountText amount={qtt} token={targettoken} />],
        [
          texts.total,
          form !== undefined && (
            <AmountText amount={orderCost(order, qtt, form.decimals)} token={basetoken} />
          ),
        ],
        [
          texts.traded,
          <>
            <AmountText amount={traded} token={targettoken} />{" "}
            <ShareBar part={traded} whole={qtt} />
          </>,
        ],
        [texts.remaining, <AmountText amount={remainqtt} token={targettoken} />],
        [texts.held, <AmountText amount={held} token={heldTokenOf(order)} />],
        [texts.owner, <AddressLink address={owner} />],
        [texts.registered, time(order.regdate)],
        [texts.completed, time(order.complete_date)],
        [texts.cancelled, time(order.cancel_date)],
        [t().explorer.listing.id, <WholeId id={order.mrc040id} />],
      ]}
    />
  );
}
