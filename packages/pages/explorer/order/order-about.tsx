import { type Order, orderCost } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { tokenForm } from "../../ledger/tokens.ts";
import { useRead } from "../../ledger/use-read.ts";
import { AmountText } from "../../parts/amount-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { ShareBar } from "../../parts/share-bar.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { t } from "../../texts/texts.ts";
import { SideBadge, StatusBadge } from "./order-badge.tsx";
import { heldTokenOf } from "./order-list.tsx";
import { PairLink } from "./pair-link.tsx";
import { readBook } from "./read-book.ts";

/** Source: explorer §2 */
export function OrderAbout({ order }: { readonly order: Order }): JSX.Element {
  return (
    <>
      <Offer order={order} />
      <OrderFacts order={order} />
    </>
  );
}

export function isOpenOrder({ status }: Order): boolean {
  return status === "WAIT" || status === "TRADING";
}

function Offer({ order }: { readonly order: Order }): JSX.Element {
  const texts = t().explorer.order;
  const { side, status, price, remainqtt, targettoken, basetoken } = order;
  const isOpen = isOpenOrder(order);
  const { value: book } = useRead(
    `book of ${order.mrc040id} ${isOpen}`,
    async (options) => (isOpen ? await readBook(moneta, order, options) : undefined),
    { live: isOpen },
  );
  const best = (side === "SELL" ? book?.asks : book?.bids)?.[0]?.price;
  return (
    <section class="card offer" aria-live="polite" aria-label={texts.order}>
      <p class="price">
        <SideBadge side={side} /> <StatusBadge status={status} />{" "}
        {isOpen && <AmountText amount={remainqtt} token={targettoken} />} {texts.at}{" "}
        <AmountText amount={price} token={basetoken} /> <span class="quiet">{texts.each}</span>
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
