import { form, ofItem, ofListing, PLATFORM, SIGNED } from "../record-form.ts";

const COPYRIGHT =
  "copyright_registration_country copyright_registrar copyright_registration_number";
const UNIT_ITEM = `item creator name creatorcommission totalsupply decimal url imageurl shareholder initialreserve expiredate data information socialmedia ${COPYRIGHT} ${SIGNED}`;
const UNIT_EXTRAS = `allowtoken category description itemurl itemimageurl ${PLATFORM}`;
const UNIT_UPDATE = `item creator url data information socialmedia ${COPYRIGHT} ${SIGNED}`;
const UNIT_OFFER = `dexid seller amount item price token ${PLATFORM} ${SIGNED}`;
const UNIT_AUCTION = `dexid seller amount item auction_start_price token auction_bidding_unit auction_buynow_price auction_start_date auction_end_date ${PLATFORM} ${SIGNED}`;
const UNIT_CANCEL = `dexid seller amount item price token ${SIGNED}`;
const UNIT_SUPPLY = `item creator amount memo ${SIGNED}`;
const UNITS_MOVED = `from to amount item tags memo ${SIGNED}`;
const UNIT_TRADE = "dexid seller buyer payments item";
const ENTRIES = `mrc400id actor itemdata ${SIGNED}`;
const UNIT_LIST = `itemdata actor ${SIGNED}`;
const UNIT_SHARE = "dexid payee payment token signature =0 = item tkey";
const UNIT_ENDS = "mrc402buy mrc402bid mrc402auctionfinish";

/** Source: mrc402. */
export const UNIT_RECORDS = {
  mrc402create: [
    form("items", { M: "creator" }, UNIT_ITEM, { optional: UNIT_EXTRAS }),
    form("items", { M: "actor" }, ENTRIES),
  ],
  mrc402_create: ofItem(UNIT_ITEM, { optional: UNIT_EXTRAS }),
  mrc402update: [
    form("items", { M: "creator" }, UNIT_UPDATE),
    form("items", { M: "actor" }, ENTRIES, { by: "mrc402itemupdate" }),
  ],
  mrc402_update: [
    ofItem(UNIT_UPDATE),
    ofItem(`item actor item_url item_image_url groupid sell_fee melt_fee transferable ${SIGNED}`, {
      by: "mrc402itemupdate",
    }),
  ],
  mrc402mint: [
    form("items", { M: "creator" }, `${UNIT_SUPPLY} to`),
    form("items", { M: "creator" }, UNIT_SUPPLY, { goods: ["in", "amount"] }),
  ],
  mrc402burn: form("items", { M: "creator" }, UNIT_SUPPLY, { goods: ["out", "amount"] }),
  mrc402_mint: ofItem(UNIT_SUPPLY),
  mrc402_burn: ofItem(UNIT_SUPPLY),
  mrc402melt: form("items", { M: "actor" }, `item actor amount ${SIGNED}`, {
    goods: ["out", "amount"],
  }),
  mrc402_melt: ofItem(`item actor amount ${SIGNED}`),
  transfer_mrc402: form("items", { M: "from" }, UNITS_MOVED, {
    by: "mrc402transfer",
    goods: ["out", "amount"],
    parties: ["from", "to"],
  }),
  receive_mrc402: form("items", { A: "to" }, UNITS_MOVED, {
    by: "mrc402transfer mrc402create mrc402mint",
    goods: ["in", "amount"],
    parties: ["from", "to"],
  }),
  mrc402sell: [
    form("offers", { M: "the actor" }, UNIT_OFFER, {
      money: ["asks", "price"],
      goods: ["out", "amount"],
    }),
    form("offers", { M: "actor" }, UNIT_LIST, { each: ["asks", "price", "token"] }),
  ],
  mrc402_sell: ofListing(UNIT_OFFER, { by: "mrc402sell mrc402create" }),
  mrc402auction: [
    form("auctions", { M: "the actor" }, UNIT_AUCTION, {
      money: ["starts", "auction_start_price"],
      goods: ["out", "amount"],
    }),
    form("auctions", { M: "actor" }, UNIT_LIST, { each: ["starts", "start", "token"] }),
  ],
  mrc402_auction: ofListing(UNIT_AUCTION),
  mrc402unsell: [
    form("offers", { M: "the actor" }, UNIT_CANCEL, { goods: ["in", "amount"] }),
    form("offers", { M: "actor" }, UNIT_LIST),
  ],
  mrc402unauction: [
    form("auctions", { M: "the actor" }, UNIT_CANCEL, { goods: ["in", "amount"] }),
    form("auctions", { M: "actor" }, UNIT_LIST),
  ],
  mrc402_unsell: ofListing(UNIT_CANCEL),
  mrc402_unauction: ofListing(UNIT_CANCEL),
  transfer_mrc402buy: form(
    "trades",
    { M: "buyer" },
    "buyer dexid payment token signature =0 amount item tkey",
    { by: "mrc402buy", money: ["out", "payment"], goods: ["in", "amount"] },
  ),
  transfer_mrc402bid: form(
    "bids",
    { M: "bidder" },
    "bidder dexid bid token signature =0 amount item tkey",
    { by: "mrc402bid", money: ["out", "bid"], goods: ["in", "amount"] },
  ),
  receive_mrc402item: form(
    "auctions",
    { M: "winner" },
    "dexid winner =0 token = =0 amount item =",
    { by: "mrc402auctionfinish", goods: ["in", "amount"] },
  ),
  receive_mrc402fee: form("trades", { A: "payee" }, UNIT_SHARE, {
    by: `${UNIT_ENDS} mrc402acceptoffer`,
    money: ["in", "payment"],
  }),
  receive_mrc402sell: form("trades", { A: "payee" }, UNIT_SHARE, {
    by: `${UNIT_ENDS} mrc402acceptoffer`,
    money: ["in", "payment"],
  }),
  receive_mrc402auction: form("auctions", { A: "payee" }, UNIT_SHARE, {
    by: UNIT_ENDS,
    money: ["in", "payment"],
  }),
  receive_mrc402refund: form("bids", { A: "payee" }, UNIT_SHARE, {
    by: UNIT_ENDS,
    money: ["in", "payment"],
  }),
  mrc402_buy: ofListing(UNIT_TRADE),
  mrc402_auctionbuynow: ofListing(UNIT_TRADE, { by: "mrc402bid" }),
  mrc402_auctionwinning: ofListing(UNIT_TRADE, { by: "mrc402auctionfinish" }),
  mrc402_auctionbid: ofListing(`dexid seller bidder payments ${SIGNED}`, { by: "mrc402bid" }),
  mrc402auctionfailure: form("auctions", { M: "seller" }, "dexid seller amount item", {
    by: "mrc402auctionfinish",
    goods: ["in", "amount"],
  }),
  mrc402_auctionfailure: ofListing("dexid seller amount item", { by: "mrc402auctionfinish" }),
} as const;
