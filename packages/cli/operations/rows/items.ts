import {
  item,
  items,
  itemTransactions,
  mrc400Create,
  mrc400Update,
  mrc401Auction,
  mrc401Auctionfinish,
  mrc401Bid,
  mrc401Buy,
  mrc401Create,
  mrc401Melt,
  mrc401Sell,
  mrc401Transfer,
  mrc401Unauction,
  mrc401Unsell,
  mrc401Update,
  project,
  projects,
} from "@moneta/protocol";
import * as views from "../../views/record-views.ts";
import { guarded, of } from "../amount-of.ts";
import type { Row } from "../row.ts";
import {
  changedItems,
  FEES_OF_SALES,
  newItemAmounts,
  PAGE_URL,
  SMALLEST_UNITS,
} from "../shared-parts.ts";
import * as trades from "../trade.ts";

/** Ids of items, one after the other. */
const listedItems = {
  args: ["itemdata"],
  titles: { itemdata: "item" },
  element: { list: "itemdata" },
} as const;

/** Projects (MRC400) and items (MRC401). */
export const ITEMS: readonly Row[] = [
  {
    words: "project create",
    description: mrc400Create,
    args: ["name"],
    flagNames: PAGE_URL,
  },
  { words: "project update", description: mrc400Update, args: ["mrc400id"], flagNames: PAGE_URL },
  { words: "project show", description: project, args: ["mrc400id"] },
  { words: "project list", description: projects, view: views.PROJECTS },
  {
    words: "item create",
    description: mrc401Create,
    args: ["mrc400id", "itemdata"],
    element: { list: "itemdata", without: ["id"], countedWithout: "item_id" },
    amounts: {
      ...newItemAmounts,
      auction_start_price: of("auction_token"),
      auction_bidding_unit: of("auction_token"),
      auction_buynow_price: of("auction_token"),
    },
    prints: ["mrc401ids"],
    details: `A token that is left out is the native coin. ${FEES_OF_SALES} ${SMALLEST_UNITS}`,
  },
  { ...changedItems, words: "item update", description: mrc401Update },
  {
    words: "item transfer",
    description: mrc401Transfer,
    about: "Passes items of one project on, all or none. A transfer pays no fee to their project.",
    notes: trades.ownerNotes,
    args: ["toAddr", "mrc401id"],
    element: { list: "itemdata", alone: "mrc401id" },
  },
  {
    words: "item sell",
    trade: { doing: "selling", done: "on sale:", terms: trades.itemTerms },
    description: mrc401Sell,
    args: ["id", "price"],
    titles: { id: "item" },
    element: { list: "itemdata" },
    defaults: { token: "0" },
    amounts: { price: of("token") },
    details: SMALLEST_UNITS,
  },
  { ...listedItems, words: "item unsell", description: mrc401Unsell },
  {
    words: "item buy",
    guard: trades.itemPrice,
    notes: trades.ownerNotes,
    trade: { doing: "buying", terms: trades.itemBuyTerms },
    description: mrc401Buy,
    args: ["mrc401id"],
    amounts: { price: guarded(trades.itemPrice) },
  },
  { words: "item melt", trade: {}, description: mrc401Melt, args: ["mrc401id"] },
  {
    words: "item auction",
    trade: { doing: "auctioning", done: "on auction:", terms: trades.itemTerms },
    description: mrc401Auction,
    args: ["id", "start"],
    titles: { id: "item", start: "start-price" },
    element: { list: "itemdata" },
    defaults: { token: "0" },
    amounts: { start: of("token"), bidding: of("token"), buynow: of("token") },
    details: SMALLEST_UNITS,
  },
  { ...listedItems, words: "item unauction", description: mrc401Unauction },
  {
    words: "item bid",
    guard: trades.itemBid,
    notes: trades.ownerNotes,
    trade: { doing: "bidding", terms: trades.bidTerms },
    description: mrc401Bid,
    args: ["mrc401id", "amount"],
    amounts: { amount: guarded(trades.itemBid) },
  },
  { words: "item finish", trade: {}, description: mrc401Auctionfinish, args: ["mrc401id"] },
  { words: "item show", description: item, args: ["mrc401id"], view: views.ITEM },
  { words: "item list", description: items, view: views.ITEMS },
  {
    words: "item history",
    description: itemTransactions,
    args: ["id"],
    times: ["since", "until"],
    view: views.HISTORY,
  },
];
