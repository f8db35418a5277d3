import { decimalText, type OrderLevel } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { tokenForm } from "../../ledger/tokens.ts";
import { numberText, tokenName } from "../../parts/amount-text.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { pathWith } from "../../parts/lists/path-with.ts";
import { share } from "../../parts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { deepLevels } from "./depth.ts";
import type { Pair } from "./pair.ts";
import "./order.css";

/** Live. Asks are above bids, so their best level is the last row. */
export function BookSide({
  pair,
  side,
  levels,
}: {
  readonly pair: Pair;
  readonly side: "BUY" | "SELL";
  readonly levels: number;
}): JSX.Element {
  const texts = t().explorer.order;
  const caption = texts.books[side];
  return (
    <LedgerList<OrderLevel>
      caption={caption}
      path={pathWith(`/mrc040/book/${pair.basetoken}/${pair.targettoken}`, { side })}
      read={async ({ limit }, options) => {
        const book = await moneta.orderBook({ ...pair, side, limit }, options);
        return { items: "items" in book ? book.items : [] };
      }}
      keyOf={({ price }) => String(price)}
      limit={levels}
      cursorName={false}
      empty={texts.noLevels[side]}
      show={(entries, fresh) => (
        <Levels caption={caption} pair={pair} side={side} entries={entries} fresh={fresh} />
      )}
    />
  );
}

function Levels({
  caption,
  pair: { basetoken, targettoken },
  side,
  entries,
  fresh,
}: {
  readonly caption: string;
  readonly pair: Pair;
  readonly side: "BUY" | "SELL";
  readonly entries: readonly OrderLevel[];
  readonly fresh: ReadonlySet<string>;
}): JSX.Element {
  const texts = t().explorer.order;
  const deep = deepLevels(entries);
  const whole = deep.at(-1)?.sum ?? 0n;
  const money = tokenForm(basetoken).value?.decimals ?? 0;
  const goods = tokenForm(targettoken).value?.decimals ?? 0;
  const number = (amount: bigint, decimals: number): string =>
    numberText(decimalText(amount, decimals));
  const rows = side === "SELL" ? deep.toReversed() : deep;
  return (
    <table class="ladder-side" aria-label={caption}>
      <thead>
        <tr>
          <th scope="col">{`${texts.price} (${tokenName(basetoken)})`}</th>
          <th scope="col" class="number">{`${texts.quantity} (${tokenName(targettoken)})`}</th>
          <th scope="col" class="number orders">
            {texts.orders}
          </th>
          <th scope="col" class="number">
            {texts.depth}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ price, qtt, orders, sum }) => (
          <tr key={String(price)} class={fresh.has(String(price)) ? "fresh" : undefined}>
            <td class={side === "SELL" ? "ask" : "bid"}>{number(price, money)}</td>
            <td class="number">{number(qtt, goods)}</td>
            <td class="number orders">{numberText(orders)}</td>
            <td class="number">
              {number(sum, goods)}
              <DepthBar side={side} part={share(sum, whole)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** From 0 to 1. */
function DepthBar({
  side,
  part,
}: {
  readonly side: "BUY" | "SELL";
  readonly part: number;
}): JSX.Element {
  return (
    <svg
      class={`depth-bar ${side === "BUY" ? "bids" : "asks"}`}
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect class="depth-part" width={part * 100} height="8" />
    </svg>
  );
}
