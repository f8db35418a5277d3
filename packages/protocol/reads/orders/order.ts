import { ALICE, GOLD, ORDER, SILVER, TRADE } from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { meaning, optional } from "../../description/parameter.ts";
import { cursorText, pageLimit, textCursor } from "../../description/parameters/cursor.ts";
import { address, recordId, tokenId } from "../../description/parameters/ids.ts";
import { pattern } from "../../description/parameters/texts.ts";
import { optionalWord, wordOrFirst } from "../../description/parameters/words.ts";
import { listOf, listSchema, shown } from "../../description/shown.ts";
import { asOf } from "../as-of.ts";
import { listRead, textListRead } from "../list-read.ts";
import {
  bookMembers,
  shownLevel,
  shownOrder,
  shownOrderTrade,
  shownPending,
} from "./shown-orders.ts";

/** Source: protocols §9. */
export const order = asOf(
  read({
    name: "order",
    title: "Get an order",
    route: "GET /mrc040/{mrc040id}",
    about: "Shows an order of the order exchange, whether it waits, is complete or cancelled.",
    parameters: { mrc040id: recordId("an order") },
    example: { mrc040id: ORDER },
    refusals: ["6004"],
    result: { kind: "json", about: "the order", ...shownOrder },
  }),
);

/** Source: protocols §10. */
export const orders = listRead({
  name: "orders",
  title: "List orders",
  route: "GET /mrc040/orders",
  about: "Lists orders, newest first; by default those that are open.",
  list: "mrc040",
  filters: {
    owner: optional(address()),
    basetoken: optional(tokenId()),
    targettoken: optional(tokenId()),
    side: optionalWord("SELL", "BUY"),
    state: wordOrFirst("open", "complete", "cancel", "all"),
  },
  filtersExample: {
    owner: ALICE,
    basetoken: SILVER,
    targettoken: GOLD,
    side: "SELL",
    state: "open",
  },
  entries: "orders",
  shown: shownOrder,
});

export const ORDER_BOOK = "book";

const PAIR = { basetoken: SILVER, targettoken: GOLD };
const SIDE = { ...PAIR, side: "SELL" };

const book = shown("OrderBook", {
  ...bookMembers,
  bids: [listOf(shownLevel.schema), []],
  asks: [listOf(shownLevel.schema), [shownLevel.example]],
});

/** Source: protocols §10. */
export const orderBook = asOf(
  read({
    name: "orderBook",
    title: "Get the book of a pair",
    route: "GET /mrc040/book/{basetoken}/{targettoken}",
    about:
      "What waiting orders of a pair ask and bid, the best price first: of both sides the first levels, or with `side` all of one side as a list, whose cursor is a price.",
    parameters: {
      basetoken: tokenId(),
      targettoken: tokenId(),
      side: optionalWord("SELL", "BUY"),
      limit: pageLimit(),
      cursor: textCursor(ORDER_BOOK),
    },
    example: { ...PAIR, limit: "10" },
    otherExamples: {
      side: { ...SIDE, limit: "1", cursor: cursorText(ORDER_BOOK, "200", SIDE) },
    },
    refusals: ["4001"],
    result: {
      kind: "json",
      about: "the best levels of both sides, or the levels of one",
      schema: {
        title: "OrderBookOrSide",
        anyOf: [book.schema, listSchema(shownLevel.schema)],
      },
      example: book.example,
      otherExamples: { side: { items: [shownLevel.example] } },
    },
  }),
);

/** Source: protocols §10. */
export const pendingOrders = asOf(
  textListRead({
    name: "pendingOrders",
    title: "List what is in orders",
    route: "GET /mrc040/pending/{address}",
    about: "Lists how much of each token the waiting orders of an address hold, by token.",
    list: "pending",
    filters: { address: address() },
    filtersExample: { address: ALICE },
    refusals: ["3090"],
    entries: "what is held, by token",
    shown: shownPending,
    after: "1",
  }),
);

/** Source: protocols §10. */
export const orderTrades = listRead({
  name: "orderTrades",
  title: "List the trades of orders",
  route: "GET /mrc040/trades",
  about:
    "Lists trades with orders, the newest first. An address is the owner of the order or the taker.",
  list: "ordertrades",
  isOfBlocks: true,
  filters: {
    basetoken: optional(tokenId()),
    targettoken: optional(tokenId()),
    address: optional(address()),
    mrc040id: optional(meaning("", pattern(/^MRC040_[0-9a-f]{33}$/, "the id of an order")), ""),
  },
  filtersExample: { basetoken: SILVER, targettoken: GOLD, address: ALICE, mrc040id: ORDER },
  entries: "trades",
  shown: shownOrderTrade,
  after: 100001,
  next: 100000,
});

/** Source: protocols §10. */
export const orderTrade = read({
  name: "orderTrade",
  title: "Get a trade of an order",
  route: "GET /mrc040/trades/{id}",
  about: "Shows a trade with an order.",
  parameters: { id: recordId("a trade") },
  example: { id: TRADE },
  refusals: ["6004"],
  result: { kind: "json", about: "the trade", ...shownOrderTrade },
});
