import type { OrderBook, OrderTrade } from "@moneta/sdk";
import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { moneta } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { AmountText, tokenName } from "../../parts/amount-text.tsx";
import { TokenLink } from "../../parts/links/token-link.tsx";
import { Choice } from "../../parts/lists/choice.tsx";
import { Tile } from "../../parts/pictures/tile.tsx";
import { percentText } from "../../parts/share-bar.tsx";
import { Shown } from "../../parts/shown.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { t } from "../../texts/texts.ts";
import { walletLink } from "../../wallet/links.ts";
import { PriceCard } from "../token/price-card.tsx";
import { BookSide } from "./book-side.tsx";
import { spreadOf } from "./depth.ts";
import { DepthCard } from "./depth-card.tsx";
import { OrderList } from "./order-list.tsx";
import { OrderTradeList } from "./order-trade-list.tsx";
import { type Pair, pairOf } from "./pair.ts";
import { pairName } from "./pair-link.tsx";
import { readBook } from "./read-book.ts";
import "./order.css";

const LEVELS = ["10", "25", "100"] as const;
const DEPTH_LEVELS = 100;

/** Source: explorer §2 */
export function PairView({ pair: id }: { readonly pair: string }): JSX.Element {
  const pair = pairOf(id);
  const read = useRead(`depth ${id}`, (options) => readBook(moneta, pair, options, DEPTH_LEVELS), {
    live: true,
  });
  const title = t().explorer.order.pairTitle(pairName(pair));
  return (
    <View
      title={title}
      heading={
        <>
          <TokenLink token={pair.targettoken} /> / <TokenLink token={pair.basetoken} />
        </>
      }
      wallet={read.value !== undefined && walletLink.pair(pair)}
      act={read.value?.open ? "order" : undefined}
    >
      <Shown read={read}>{(book) => <Traded pair={pair} book={book} />}</Shown>
    </View>
  );
}

function Traded({ pair, book }: { readonly pair: Pair; readonly book: OrderBook }): JSX.Element {
  const texts = t().explorer.order;
  const { query } = useQuery();
  const levels = Number(LEVELS.find((one) => one === query["levels"]) ?? LEVELS[0]);
  const { basetoken, targettoken } = pair;
  const { value: [newest] = [] } = useRead(
    `newest order trade ${basetoken}-${targettoken}`,
    async (options) => (await moneta.orderTrades({ ...pair, limit: 1 }, options)).items,
    { live: true },
  );
  return (
    <>
      {!book.open && <p class="notice warn">{texts.closed}</p>}
      <p class="quiet">{texts.pricesAre(tokenName(targettoken), tokenName(basetoken))}</p>
      <Best book={book} newest={newest} />
      <Choice
        name="levels"
        label={texts.levels}
        options={LEVELS.map((one) => [one, texts.bestLevels(Number(one))])}
      />
      <div class="columns">
        <div class="stack">
          <div class="ladder">
            <BookSide pair={pair} side="SELL" levels={levels} />
            <BookSide pair={pair} side="BUY" levels={levels} />
          </div>
          <DepthCard book={book} />
        </div>
        <PriceCard of={{ token: targettoken, paytoken: basetoken }} />
      </div>
      <OrderTradeList of={pair} caption={texts.trades} cursorName="trades" />
      <OrderList of={pair} caption={texts.ofPair} />
    </>
  );
}

function Best({
  book: { basetoken, bids, asks },
  newest,
}: {
  readonly book: OrderBook;
  readonly newest: OrderTrade | undefined;
}): JSX.Element {
  const texts = t().explorer.order;
  const spread = spreadOf(bids, asks);
  const amount = (value: bigint | undefined): JSX.Element =>
    value === undefined ? (
      <span class="quiet">{texts.nothing}</span>
    ) : (
      <AmountText amount={value} token={basetoken} />
    );
  return (
    <dl class="tiles">
      <Tile name={texts.bestBid}>{amount(bids[0]?.price)}</Tile>
      <Tile name={texts.bestAsk}>{amount(asks[0]?.price)}</Tile>
      <Tile name={texts.spread}>
        {amount(spread?.amount)}
        {spread !== undefined && <span class="quiet small"> {percentText(spread.ofMiddle)}</span>}
      </Tile>
      <Tile name={texts.lastPrice}>{amount(newest?.price)}</Tile>
    </dl>
  );
}
