import type { OrderLevel } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { EntryTable } from "../../parts/lists/entry-table.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { share } from "../../parts/share.ts";
import { t } from "../../texts/texts.ts";
import { pathWith } from "../listing/path-with.ts";
import { type DeepLevel, deepLevels } from "./depth.ts";
import type { Pair } from "./pair.ts";

/**
 * One side of a book: its levels, the best first, each with what can be traded down to it as a bar;
 * live.
 */
export function BookSide({
  pair,
  side,
  levels,
}: {
  readonly pair: Pair;
  readonly side: "BUY" | "SELL";
  /** How many are shown. */
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
      live
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
  return (
    <EntryTable<DeepLevel>
      caption={caption}
      entries={deep}
      keyOf={({ price }) => String(price)}
      fresh={fresh}
      columns={[
        {
          head: texts.price,
          kind: "main",
          cell: ({ price }) => <AmountText amount={price} token={basetoken} />,
        },
        {
          head: texts.quantity,
          kind: "number",
          cell: ({ qtt }) => <AmountText amount={qtt} token={targettoken} />,
        },
        { head: texts.orders, kind: "number", cell: ({ orders }) => numberText(orders) },
        {
          head: texts.depth,
          kind: "number",
          cell: ({ sum }) => (
            <span class="depth">
              <AmountText amount={sum} token={targettoken} />
              <DepthBar side={side} part={share(sum, whole)} />
            </span>
          ),
        },
      ]}
    />
  );
}

/** How much of what is shown can be traded down to a level, from 0 to 1. */
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
      <rect class="share-whole" width="100" height="8" />
      <rect class="depth-part" width={part * 100} height="8" />
    </svg>
  );
}
