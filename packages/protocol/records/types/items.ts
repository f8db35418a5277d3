import { form, ofEntry, ofItem, SIGNED } from "../record-form.ts";

const PROJECT = `mrc400id owner name url imageurl allowtoken category description itemurl itemimageurl data ${SIGNED}`;
const ITEM_LIST = `itemdata seller ${SIGNED}`;
const ENTRIES = `mrc400id actor itemdata ${SIGNED}`;
const SOLD = "buyer seller payment token signature =0 = item tkey";
const MELTED = "item payee payment token signature =0 = item tkey";
const ENDS = "mrc401buy mrc401bid mrc401auctionfinish";

/** Source: mrc401. */
export const ITEM_RECORDS = {
  mrc400create: form("projects", { M: "owner" }, PROJECT),
  mrc400update: form("projects", { M: "owner" }, PROJECT),
  mrc400_create: ofEntry({ I: "mrc400id" }, PROJECT),
  mrc400_update: ofEntry({ I: "mrc400id" }, PROJECT),
  mrc401create: form("items", { M: "actor" }, ENTRIES),
  mrc401update: form("items", { M: "actor" }, ENTRIES),
  mrc401_create: ofItem(`item actor initial_reserve initial_token ${SIGNED}`),
  mrc401_update: ofItem(`item actor initial_reserve initial_token ${SIGNED}`),
  mrc401transfer: form("items", { M: "fromAddr" }, `items fromAddr toAddr ${SIGNED}`, {
    parties: ["fromAddr", "toAddr"],
  }),
  mrc401_transfer: ofItem(`item fromAddr toAddr ${SIGNED}`),
  receive_mrc401: form("items", { A: "toAddr" }, `item fromAddr toAddr ${SIGNED}`, {
    by: "mrc401transfer mrc401create",
    parties: ["fromAddr", "toAddr"],
    receives: true,
  }),
  mrc401sell: form("offers", { M: "seller" }, ITEM_LIST, { each: ["asks", "price", "token"] }),
  mrc401unsell: form("offers", { M: "seller" }, ITEM_LIST),
  mrc401auction: form("auctions", { M: "seller" }, ITEM_LIST, {
    each: ["starts", "start", "token"],
  }),
  mrc401unauction: form("auctions", { M: "seller" }, ITEM_LIST),
  mrc401_sell: ofItem(`item seller price token ${SIGNED}`, { by: "mrc401sell mrc401create" }),
  mrc401_unsell: ofItem(`item seller ${SIGNED}`),
  mrc401_unauction: ofItem(`item seller ${SIGNED}`),
  mrc401_auction: ofItem(
    `item seller auction_start_price token auction_buynow_price auction_bidding_unit ${SIGNED}`,
    { by: "mrc401auction mrc401create" },
  ),
  transfer_mrc401buy: form(
    "trades",
    { M: "buyer" },
    "buyer item payment token signature =0 = item tkey",
    { by: "mrc401buy", money: ["out", "payment"] },
  ),
  transfer_mrc401bid: form(
    "bids",
    { M: "bidder" },
    "bidder item bid token signature =0 = item tkey",
    { by: "mrc401bid", money: ["out", "bid"] },
  ),
  mrc401_buy: ofItem(`item seller buyer payments ${SIGNED}`),
  mrc401_auctionbid: ofItem(`item bidder payments ${SIGNED}`, { by: "mrc401bid" }),
  mrc401_melt: form("items", { M: "owner", I: "item" }, `item owner payments ${SIGNED}`),
  mrc401_auctionwinning: form(
    "auctions",
    { M: "winner", I: "item" },
    `item winner payments ${SIGNED}`,
    { by: "mrc401auctionfinish" },
  ),
  mrc401_auctionbuynow: ofItem(`item winner payments ${SIGNED}`, { by: "mrc401bid" }),
  mrc401_auctionfailure: form(
    "auctions",
    { M: "seller", I: "item" },
    "item seller = payments = =",
    { by: "mrc401auctionfinish" },
  ),
  receive_mrc401sell: form("trades", { A: "seller" }, SOLD, {
    by: `${ENDS} mrc401acceptoffer`,
    money: ["in", "payment"],
    parties: ["buyer", "seller"],
  }),
  receive_mrc401auction: form("auctions", { A: "seller" }, SOLD, {
    by: ENDS,
    money: ["in", "payment"],
    parties: ["buyer", "seller"],
  }),
  receive_mrc401fee: form(
    "trades",
    { A: "owner" },
    "payer owner payment token signature =0 = item tkey",
    { by: `${ENDS} mrc401acceptoffer`, money: ["in", "payment"], parties: ["payer", "owner"] },
  ),
  receive_mrc401refund: form(
    "bids",
    { A: "bidder" },
    "item bidder payment token signature =0 = item tkey",
    { by: "mrc401bid", money: ["in", "payment"] },
  ),
  receive_melt: form("items", { A: "payee" }, MELTED, {
    by: "mrc401melt mrc402melt",
    money: ["in", "payment"],
  }),
  receive_meltfee: form("items", { A: "payee" }, MELTED, {
    by: "mrc401melt mrc402melt",
    money: ["in", "payment"],
  }),
} as const;
