import {
  auctioned,
  form,
  ITEM,
  listed,
  type Meaning,
  offered,
  ofItem,
  SIGNED,
  shareOfItem,
} from "../record-form.ts";
import type { RecordParameter } from "../record-parameters.ts";

const PROJECT = `mrc400id owner name url imageurl allowtoken category description itemurl itemimageurl data ${SIGNED}`;
const ITEM_LIST = `itemdata seller ${SIGNED}`;
const paidForItem: Meaning = { about: "item", money: ["out", "payment", "token"] };
const itemShare = (payer: RecordParameter, payee: RecordParameter): Meaning => ({
  about: "item",
  parties: [payer, payee],
  money: ["in", "payment", "token"],
});

/** Source: mrc401. */
export const ITEM_RECORDS = {
  mrc400create: [
    form({
      by: "mrc400create",
      filed: { M: "owner" },
      kind: "projects",
      parameters: PROJECT,
      about: "mrc400id",
    }),
  ],
  mrc400update: [
    form({
      by: "mrc400update",
      filed: { M: "owner" },
      kind: "projects",
      parameters: PROJECT,
      about: "mrc400id",
    }),
  ],
  mrc400_create: [
    form({
      by: "mrc400create",
      filed: { I: "mrc400id" },
      parameters: PROJECT,
      about: "mrc400id",
    }),
  ],
  mrc400_update: [
    form({
      by: "mrc400update",
      filed: { I: "mrc400id" },
      parameters: PROJECT,
      about: "mrc400id",
    }),
  ],
  mrc401create: [
    form({
      by: "mrc401create",
      filed: { M: "actor" },
      kind: "items",
      parameters: `mrc400id actor itemdata ${SIGNED}`,
      about: "mrc400id",
    }),
  ],
  mrc401update: [
    form({
      by: "mrc401update",
      filed: { M: "actor" },
      kind: "items",
      parameters: `mrc400id actor itemdata ${SIGNED}`,
      about: "mrc400id",
    }),
  ],
  mrc401_create: [ofItem("mrc401create", `item actor initial_reserve initial_token ${SIGNED}`)],
  mrc401_update: [ofItem("mrc401update", `item actor initial_reserve initial_token ${SIGNED}`)],
  mrc401transfer: [
    form({
      by: "mrc401transfer",
      filed: { M: "fromAddr" },
      kind: "items",
      parameters: `items fromAddr toAddr ${SIGNED}`,
      about: "items",
      parties: ["fromAddr", "toAddr"],
    }),
  ],
  mrc401_transfer: [ofItem("mrc401transfer", `item fromAddr toAddr ${SIGNED}`)],
  receive_mrc401: [
    form({
      by: "mrc401transfer mrc401create",
      filed: { A: "toAddr" },
      kind: "items",
      parameters: `item fromAddr toAddr ${SIGNED}`,
      about: "item",
      receives: true,
      parties: ["fromAddr", "toAddr"],
    }),
  ],
  mrc401sell: [
    form({
      by: "mrc401sell",
      filed: { M: "seller" },
      kind: "offers",
      parameters: ITEM_LIST,
      ...offered,
    }),
  ],
  mrc401unsell: [
    form({
      by: "mrc401unsell",
      filed: { M: "seller" },
      kind: "offers",
      parameters: ITEM_LIST,
      ...listed,
    }),
  ],
  mrc401auction: [
    form({
      by: "mrc401auction",
      filed: { M: "seller" },
      kind: "auctions",
      parameters: ITEM_LIST,
      ...auctioned,
    }),
  ],
  mrc401unauction: [
    form({
      by: "mrc401unauction",
      filed: { M: "seller" },
      kind: "auctions",
      parameters: ITEM_LIST,
      ...listed,
    }),
  ],
  mrc401_sell: [ofItem("mrc401sell mrc401create", `item seller price token ${SIGNED}`)],
  mrc401_unsell: [ofItem("mrc401unsell", `item seller ${SIGNED}`)],
  mrc401_unauction: [ofItem("mrc401unauction", `item seller ${SIGNED}`)],
  mrc401_auction: [
    ofItem(
      "mrc401auction mrc401create",
      `item seller auction_start_price token auction_buynow_price auction_bidding_unit ${SIGNED}`,
    ),
  ],
  transfer_mrc401buy: [
    form({
      by: "mrc401buy",
      filed: { M: "buyer" },
      kind: "trades",
      parameters: "buyer item payment token signature =0 = item tkey",
      ...paidForItem,
    }),
  ],
  transfer_mrc401bid: [
    form({
      by: "mrc401bid",
      filed: { M: "bidder" },
      kind: "bids",
      parameters: "bidder item bid token signature =0 = item tkey",
      about: "item",
      money: ["out", "bid", "token"],
    }),
  ],
  mrc401_buy: [ofItem("mrc401buy", `item seller buyer payments ${SIGNED}`)],
  mrc401_auctionbid: [ofItem("mrc401bid", `item bidder payments ${SIGNED}`)],
  mrc401_melt: [
    form({
      by: "mrc401melt",
      filed: { M: "owner", I: "item" },
      kind: "items",
      parameters: `item owner payments ${SIGNED}`,
      ...ITEM,
    }),
  ],
  mrc401_auctionwinning: [
    form({
      by: "mrc401auctionfinish",
      filed: { M: "winner", I: "item" },
      kind: "auctions",
      parameters: `item winner payments ${SIGNED}`,
      ...ITEM,
    }),
  ],
  mrc401_auctionbuynow: [ofItem("mrc401bid", `item winner payments ${SIGNED}`)],
  mrc401_auctionfailure: [
    form({
      by: "mrc401auctionfinish",
      filed: { M: "seller", I: "item" },
      kind: "auctions",
      parameters: "item seller = payments = =",
      ...ITEM,
    }),
  ],
  receive_mrc401sell: [
    form({
      by: "mrc401buy mrc401bid mrc401auctionfinish mrc401acceptoffer",
      filed: { A: "seller" },
      kind: "trades",
      parameters: "buyer seller payment token signature =0 = item tkey",
      ...itemShare("buyer", "seller"),
    }),
  ],
  receive_mrc401auction: [
    form({
      by: "mrc401buy mrc401bid mrc401auctionfinish",
      filed: { A: "seller" },
      kind: "auctions",
      parameters: "buyer seller payment token signature =0 = item tkey",
      ...itemShare("buyer", "seller"),
    }),
  ],
  receive_mrc401fee: [
    form({
      by: "mrc401buy mrc401bid mrc401auctionfinish mrc401acceptoffer",
      filed: { A: "owner" },
      kind: "trades",
      parameters: "payer owner payment token signature =0 = item tkey",
      ...itemShare("payer", "owner"),
    }),
  ],
  receive_mrc401refund: [
    form({
      by: "mrc401bid",
      filed: { A: "bidder" },
      kind: "bids",
      parameters: "item bidder payment token signature =0 = item tkey",
      ...shareOfItem,
    }),
  ],
  receive_melt: [
    form({
      by: "mrc401melt mrc402melt",
      filed: { A: "payee" },
      kind: "items",
      parameters: "item payee payment token signature =0 = item tkey",
      ...shareOfItem,
    }),
  ],
  receive_meltfee: [
    form({
      by: "mrc401melt mrc402melt",
      filed: { A: "payee" },
      kind: "items",
      parameters: "item payee payment token signature =0 = item tkey",
      ...shareOfItem,
    }),
  ],
} as const;
