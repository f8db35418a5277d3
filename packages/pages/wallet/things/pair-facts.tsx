import type { JSX } from "preact";
import { BookSide } from "../../explorer/order/book-side.tsx";
import { OrderList } from "../../explorer/order/order-list.tsx";
import { type Fact, Facts } from "../../parts/facts.tsx";
import { TokenLink } from "../../parts/links/token-link.tsx";
import { t } from "../../texts/texts.ts";
import type { Acting } from "../operations/operation-form.ts";
import type { Subjects } from "../operations/subject.ts";
import { OwnOrders } from "./own-orders.tsx";
import "../../explorer/order/order.css";

const LEVELS = 10;

export function PairFacts({
  book,
  by,
  spendable,
  isBeside,
}: {
  readonly book: Subjects["pair"]["book"];
  readonly by: Acting;
  readonly spendable: Fact;
  readonly isBeside: boolean;
}): JSX.Element {
  const { basetoken, targettoken } = book;
  const pair = { basetoken, targettoken };
  const texts = t().explorer.order;
  return (
    <>
      {!book.open && <p class="notice warn">{texts.closed}</p>}
      <Facts
        facts={[
          [texts.token, <TokenLink token={targettoken} />],
          [texts.isPaidIn, <TokenLink token={basetoken} />],
          spendable,
        ]}
      />
      <div class="ladder">
        <BookSide pair={pair} side="SELL" levels={LEVELS} />
        <BookSide pair={pair} side="BUY" levels={LEVELS} />
      </div>
      {!isBeside && (
        <>
          <OwnOrders address={by.address} pair={pair} />
          <OrderList of={pair} caption={texts.ofPair} cursorName="orders" stateName="others" />
        </>
      )}
    </>
  );
}
