import {
  auctioned,
  form,
  ITEM,
  listed,
  type Meaning,
  offered,
  ofItem,
  ofListing,
  PARTIES,
  PLATFORM,
  SIGNED,
  shareOfItem,
} from "../record-form.ts";

const COPYRIGHT =
  "copyright_registration_country copyright_registrar copyright_registration_number";
const UNIT_ITEM = `item creator name creatorcommission totalsupply decimal url imageurl shareholder initialreserve expiredate data information socialmedia ${COPYRIGHT} ${SIGNED}`;
const UNIT_EXTRAS = `allowtoken category description itemurl itemimageurl ${PLATFORM}`;
const UNIT_UPDATE = `item creator url data information socialmedia ${COPYRIGHT} ${SIGNED}`;
const UNIT_OFFER = `dexid seller amount item price token ${PLATFORM} ${SIGNED}`;
const UNIT_AUCTION = `dexid seller amount item auction_start_price token auction_bidding_unit auction_buynow_price auction_start_date auction_end_date ${PLATFORM} ${SIGNED}`;
const UNIT_CANCEL = `dexid seller amount item price token ${SIGNED}`;
const UNIT_LIST = `itemdata actor ${SIGNED}`;
const UNIT_SHARE = "dexid payee payment token signature =0 = item tkey";
const unitsBack: Meaning = { about: "item", goods: ["in", "amount"] };
const UNIT_ENDS = "mrc402buy mrc402bid mrc402auctionfinish";

/** Source: mrc402. */
export const UNIT_RECORDS = {
  mrc402create: [
    form({
      by: "mrc402create",
      filed: { M: "creator" },
      kind: "items",
      parameters: UNIT_ITEM,
      about: "item",
      optional: UNIT_EXTRAS,
    }),
    form({
      by: "mrc402create",
      filed: { M: "actor" },
      kind: "items",
      parameters: `mrc400id actor itemdata ${SIGNED}`,
      about: "mrc400id",
    }),
  ],
  mrc402_create: [ofItem("mrc402create", UNIT_ITEM, UNIT_EXTRAS)],
  mrc402update: [
    form({
      by: "mrc402update",
      filed: { M: "creator" },
      kind: "items",
      parameters: UNIT_UPDATE,
      ...ITEM,
    }),
    form({
      by: "mrc402itemupdate",
      filed: { M: "actor" },
      kind: "items",
      parameters: `mrc400id actor itemdata ${SIGNED}`,
      about: "mrc400id",
    }),
  ],
  mrc402_update: [
    ofItem("mrc402update", UNIT_UPDATE),
    ofItem(
      "mrc402itemupdate",
      `item actor item_url item_image_url groupid sell_fee melt_fee transferable ${SIGNED}`,
    ),
  ],
  mrc402mint: [
    form({
      by: "mrc402mint",
      filed: { M: "creator" },
      kind: "items",
      parameters: `item creator amount memo ${SIGNED} to`,
      about: "item",
    }),
    form({
      by: "mrc402mint",
      filed: { M: "creator" },
      kind: "items",
      parameters: `item creator amount memo ${SIGNED}`,
      about: "item",
      goods: ["in", "amount"],
    }),
  ],
  mrc402burn: [
    form({
      by: "mrc402burn",
      filed: { M: "creator" },
      kind: "items",
      parameters: `item creator amount memo ${SIGNED}`,
      about: "item",
      goods: ["out", "amount"],
    }),
  ],
  mrc402_mint: [ofItem("mrc402mint", `item creator amount memo ${SIGNED}`)],
  mrc402_burn: [ofItem("mrc402burn", `item creator amount memo ${SIGNED}`)],
  mrc402melt: [
    form({
      by: "mrc402melt",
      filed: { M: "actor" },
      kind: "items",
      parameters: `item actor amount ${SIGNED}`,
      about: "item",
      goods: ["out", "amount"],
    }),
  ],
  mrc402_melt: [ofItem("mrc402melt", `item actor amount ${SIGNED}`)],
  transfer_mrc402: [
    form({
      by: "mrc402transfer",
      filed: { M: "from" },
      kind: "items",
      parameters: `from to amount item tags memo ${SIGNED}`,
      about: "item",
      ...PARTIES,
      goods: ["out", "amount"],
    }),
  ],
  receive_mrc402: [
    form({
      by: "mrc402transfer mrc402create mrc402mint",
      filed: { A: "to" },
      kind: "items",
      parameters: `from to amount item tags memo ${SIGNED}`,
      about: "item",
      ...PARTIES,
      goods: ["in", "amount"],
    }),
  ],
  mrc402sell: [
    form({
      by: "mrc402sell",
      filed: { M: "the actor" },
      kind: "offers",
      parameters: UNIT_OFFER,
      about: "item",
      money: ["asks", "price", "token"],
      goods: ["out", "amount"],
    }),
    form({
      by: "mrc402sell",
      filed: { M: "actor" },
      kind: "offers",
      parameters: UNIT_LIST,
      ...offered,
    }),
  ],
  mrc402_sell: [ofListing("mrc402sell mrc402create", UNIT_OFFER)],
  mrc402auction: [
    form({
      by: "mrc402auction",
      filed: { M: "the actor" },
      kind: "auctions",
      parameters: UNIT_AUCTION,
      about: "item",
      money: ["starts", "auction_start_price", "token"],
      goods: ["out", "amount"],
    }),
    form({
      by: "mrc402auction",
      filed: { M: "actor" },
      kind: "auctions",
      parameters: UNIT_LIST,
      ...auctioned,
    }),
  ],
  mrc402_auction: [ofListing("mrc402auction", UNIT_AUCTION)],
  mrc402unsell: [
    form({
      by: "mrc402unsell",
      filed: { M: "the actor" },
      kind: "offers",
      parameters: UNIT_CANCEL,
      ...unitsBack,
    }),
    form({
      by: "mrc402unsell",
      filed: { M: "actor" },
      kind: "offers",
      parameters: UNIT_LIST,
      ...listed,
    }),
  ],
  mrc402unauction: [
    form({
      by: "mrc402unauction",
      filed: { M: "the actor" },
      kind: "auctions",
      parameters: UNIT_CANCEL,
      ...unitsBack,
    }),
    form({
      by: "mrc402unauction",
      filed: { M: "actor" },
      kind: "auctions",
      parameters: UNIT_LIST,
      ...listed,
    }),
  ],
  mrc402_unsell: [ofListing("mrc402unsell", UNIT_CANCEL)],
  mrc402_unauction: [ofListing("mrc402unauction", UNIT_CANCEL)],
  transfer_mrc402buy: [
    form({
      by: "mrc402buy",
      filed: { M: "buyer" },
      kind: "trades",
      parameters: "buyer dexid payment token signature =0 amount item tkey",
      about: "item",
      money: ["out", "payment", "token"],
      goods: ["in", "amount"],
    }),
  ],
  transfer_mrc402bid: [
    form({
      by: "mrc402bid",
      filed: { M: "bidder" },
      kind: "bids",
      parameters: "bidder dexid bid token signature =0 amount item tkey",
      about: "item",
      money: ["out", "bid", "token"],
      goods: ["in", "amount"],
    }),
  ],
  receive_mrc402item: [
    form({
      by: "mrc402auctionfinish",
      filed: { M: "winner" },
      kind: "auctions",
      parameters: "dexid winner =0 token = =0 amount item =",
      about: "item",
      goods: ["in", "amount"],
    }),
  ],
  receive_mrc402fee: [
    form({
      by: `${UNIT_ENDS} mrc402acceptoffer`,
      filed: { A: "payee" },
      kind: "trades",
      parameters: UNIT_SHARE,
      ...shareOfItem,
    }),
  ],
  receive_mrc402sell: [
    form({
      by: `${UNIT_ENDS} mrc402acceptoffer`,
      filed: { A: "payee" },
      kind: "trades",
      parameters: UNIT_SHARE,
      ...shareOfItem,
    }),
  ],
  receive_mrc402auction: [
    form({
      by: UNIT_ENDS,
      filed: { A: "payee" },
      kind: "auctions",
      parameters: UNIT_SHARE,
      ...shareOfItem,
    }),
  ],
  receive_mrc402refund: [
    form({
      by: UNIT_ENDS,
      filed: { A: "payee" },
      kind: "bids",
      parameters: UNIT_SHARE,
      ...shareOfItem,
    }),
  ],
  mrc402_buy: [ofListing("mrc402buy", "dexid seller buyer payments item")],
  mrc402_auctionbuynow: [ofListing("mrc402bid", "dexid seller buyer payments item")],
  mrc402_auctionwinning: [ofListing("mrc402auctionfinish", "dexid seller buyer payments item")],
  mrc402_auctionbid: [ofListing("mrc402bid", `dexid seller bidder payments ${SIGNED}`)],
  mrc402auctionfailure: [
    form({
      by: "mrc402auctionfinish",
      filed: { M: "seller" },
      kind: "auctions",
      parameters: "dexid seller amount item",
      about: "item",
      goods: ["in", "amount"],
    }),
  ],
  mrc402_auctionfailure: [ofListing("mrc402auctionfinish", "dexid seller amount item")],
} as const;
