import {
  holdersOfItem,
  holdingsOfAddress,
  mrc402Acceptoffer,
  mrc402Auction,
  mrc402Auctionfinish,
  mrc402Bid,
  mrc402Burn,
  mrc402Buy,
  mrc402Create,
  mrc402Itemupdate,
  mrc402Melt,
  mrc402Mint,
  mrc402Offer,
  mrc402Offerfinish,
  mrc402Sell,
  mrc402Transfer,
  mrc402Unauction,
  mrc402Unoffer,
  mrc402Unsell,
  mrc402Update,
  unitItem,
  unitItemMetadata,
  unitItems,
  unitListingRead,
  unitListings,
  unitOffer,
  unitOffers,
} from "@moneta/protocol";
import * as views from "../../views/record-views.ts";
import { guarded } from "../amount-of.ts";
import * as offers from "../offers.ts";
import type { Row } from "../row.ts";
import { changedItems, FEES_OF_SALES, PAGE_URL, SMALLEST_UNITS } from "../shared-parts.ts";
import * as trades from "../trade.ts";

const listingOrItem = { args: ["id", "amount"] } as const;

const unitListing = {
  titles: { id: "item" },
  defaults: { token: "0" },
  element: { list: "itemdata", alone: "id" },
  prints: ["mrc402dexid", "mrc402dexids"],
  details: `Amounts of units are plain integers. --token is the token that prices are in. ${SMALLEST_UNITS}`,
} as const;

const listedUnits = {
  args: ["id"],
  titles: { id: "listing" },
  element: { list: "itemdata", alone: "id", aloneIf: (id) => id.startsWith("DEX402_") },
  details: "An item may stand for the one open listing of it that is yours.",
} as const satisfies Partial<Row>;

export const UNITS: readonly Row[] = [
  {
    words: "units create",
    description: mrc402Create,
    about:
      "Creates a multi-unit item that stands alone, or 1 to 100 of a project, all or none. Whoever creates them pays their reserves and gets their units.",
    args: ["mrc400id", "itemdata"],
    flagNames: PAGE_URL,
    element: {
      list: "itemdata",
      onlyWith: "mrc400id",
      without: ["id"],
      countedWithout: "item_id",
    },
    prints: ["mrc402id", "mrc402ids"],
    details: `Without PROJECT it is an item that stands alone, which needs --name, --page-url and --picture-url, and has no --item-id, --group, --sell-price and such. ${FEES_OF_SALES} ${SMALLEST_UNITS}`,
  },
  {
    words: "units transfer",
    notes: trades.ownerNotes("mrc402"),
    description: mrc402Transfer,
    args: ["toAddr", "mrc402id", "amount"],
  },
  { words: "units mint", description: mrc402Mint, args: ["mrc402id", "amount"] },
  { words: "units burn", description: mrc402Burn, args: ["mrc402id", "amount"] },
  { words: "units melt", trade: {}, description: mrc402Melt, args: ["mrc402id", "amount"] },
  { words: "units update", description: mrc402Update, args: ["mrc402id"], flagNames: PAGE_URL },
  { ...changedItems, words: "units update-items", description: mrc402Itemupdate },
  {
    ...unitListing,
    words: "units sell",
    trade: { doing: "selling", done: "on sale:", terms: trades.unitTerms },
    description: mrc402Sell,
    about:
      "Puts units of an item on sale, or of several items, all or none. Each offer is a listing of its own.",
    args: ["id", "amount", "price"],
  },
  {
    ...listedUnits,
    words: "units unsell",
    trade: {},
    description: mrc402Unsell,
    about: "Cancels the rest of offers of units, all or none.",
  },
  {
    words: "units buy",
    guard: trades.unitPrice,
    notes: trades.ownerNotes("mrc402"),
    trade: { doing: "buying", terms: trades.unitBuyTerms },
    description: mrc402Buy,
    ...listingOrItem,
    amounts: { price: guarded(trades.unitPrice) },
  },
  {
    ...unitListing,
    words: "units auction",
    trade: { doing: "auctioning", done: "on auction:", terms: trades.unitTerms },
    description: mrc402Auction,
    about: "Puts units of an item on auction as one lot, or lots of several items, all or none.",
    args: ["id", "amount", "auction_start_price"],
  },
  {
    ...listedUnits,
    words: "units unauction",
    trade: {},
    description: mrc402Unauction,
    about: "Takes back auctions of units without a bid, all or none.",
  },
  {
    words: "units bid",
    guard: trades.unitBid,
    notes: trades.ownerNotes("mrc402"),
    trade: { doing: "bidding", terms: trades.bidTerms },
    description: mrc402Bid,
    ...listingOrItem,
    amounts: { amount: guarded(trades.unitBid) },
  },
  { words: "units finish", trade: {}, description: mrc402Auctionfinish, args: ["id"] },
  {
    words: "units offer",
    guard: offers.offerGuard("mrc402"),
    notes: trades.ownerNotes("mrc402"),
    trade: { doing: "offering", done: "offered:", terms: offers.offerTerms },
    description: mrc402Offer,
    args: ["id", "amount", "price"],
    titles: { id: "item" },
    defaults: { token: "0" },
    prints: ["offerid"],
    details: offers.HELD,
  },
  {
    words: "units accept-offer",
    guard: offers.acceptGuard("mrc402"),
    trade: { doing: "selling", terms: offers.acceptTerms },
    description: mrc402Acceptoffer,
    args: ["offerid", "amount"],
    amounts: { atleast: offers.ofOffer },
  },
  { words: "units withdraw-offer", trade: {}, description: mrc402Unoffer, args: ["offerid"] },
  { words: "units finish-offer", trade: {}, description: mrc402Offerfinish, args: ["offerid"] },
  { words: "units offers", description: unitOffers, args: ["id"], view: views.UNIT_OFFERS },
  {
    words: "units offer-show",
    description: unitOffer,
    args: ["offerid"],
    view: views.OFFER,
  },
  { words: "units show", description: unitItem, args: ["mrc402id"], view: views.UNIT_ITEM },
  { words: "units metadata", description: unitItemMetadata, args: ["mrc402id"] },
  { words: "units list", description: unitItems, view: views.UNIT_ITEMS },
  {
    words: "units market",
    description: unitListings,
    view: views.UNIT_LISTINGS,
  },
  {
    words: "units listing",
    description: unitListingRead,
    args: ["dexid"],
    view: views.UNIT_LISTING,
  },
  {
    words: "units holdings",
    description: holdingsOfAddress,
    args: ["address"],
    own: "address",
    view: views.HOLDINGS,
  },
  {
    words: "units holders",
    description: holdersOfItem,
    args: ["mrc402id"],
    view: views.UNIT_HOLDERS,
  },
];
