import type { RecordType } from "@moneta/protocol";

/** What moves, as seen from the address that the record is filed under: `+` comes to it, `-` leaves what it can spend; a word is what is asked or offered, and moves nothing. */
type Direction = "+" | "-" | "asks" | "from" | "offers" | "wants" | "issues";

/** What the parameters of a record mean, by their places. Source: chain §9. */
export interface RecordKind {
  /** An amount, and the id of its token. */
  readonly money?: readonly [Direction, amount: number, token: number];
  /** What is traded for it: an amount and the id of its token; or a number of units of an item. */
  readonly goods?: readonly [Direction, amount: number, token: number | "units"];
  /** Parties, one of whom is the other one. */
  readonly parties?: readonly number[];
  /** The item, listing or project that it is about, or a list of several in JSON. */
  readonly about?: number;
  /** What each entry of that list asks, and of which token: the members with these names. */
  readonly each?: readonly [Direction, amount: string, token: string];
  /** The same record has these places if its first parameter is a list in JSON. */
  readonly ifList?: RecordKind;
}

const NOTHING: RecordKind = {};
const ABOUT: RecordKind = { about: 0 };
const BURNED: RecordKind = { money: ["-", 1, 0] };
const ISSUED: RecordKind = { money: ["+", 1, 0] };
const LOT_BACK: RecordKind = { about: 0, goods: ["+", 2, 3] };
const TAKEN: RecordKind = { about: 1, money: ["-", 2, 3] };
/** What somebody gets of a trade of tokens: money or tokens, the other is 0. */
const TOKEN_SHARE: RecordKind = { about: 0, money: ["+", 2, 3], goods: ["+", 6, 7] };
const ITEM_PAID: RecordKind = { about: 1, money: ["-", 2, 3] };
const ITEM_SHARE: RecordKind = { about: 7, parties: [0, 1], money: ["+", 2, 3] };
const ITEM_BACK: RecordKind = { about: 0, money: ["+", 2, 3] };
const ITEM_PASSED: RecordKind = { about: 0, parties: [1, 2] };
const UNITS_BACK: RecordKind = { about: 3, goods: ["+", 2, "units"], ifList: ABOUT };
const UNITS_SHARE: RecordKind = { about: 7, money: ["+", 2, 3] };
const OFFERED: RecordKind = { about: 0, each: ["asks", "price", "token"] };
const AUCTIONED: RecordKind = { about: 0, each: ["from", "start", "token"] };

/** Every type of record. A record of a listing or an item says what it is about; amounts are in the records of those who have paid and gained. */
const RECORD_KINDS: Readonly<Record<RecordType, RecordKind>> = {
  "Chaincode Install or Update": NOTHING,
  DataMigration: NOTHING,

  NewWallet: NOTHING,
  transfer: { money: ["-", 2, 3], parties: [0, 1] },
  receive: { money: ["+", 2, 3], parties: [0, 1] },
  multi_transfer: NOTHING, // its list is added up
  tokenSave: NOTHING, // there is no token yet
  tokenRegister: { money: ["issues", 5, 0] },
  token_reserve: { money: ["+", 2, 3], parties: [0, 1] },
  tokenBurning: BURNED,
  ownerBurning: BURNED,
  tokenIncrease: ISSUED,
  ownerIncrease: ISSUED,
  tokenUpdate: NOTHING,
  mrc010sell: { about: 0, money: ["asks", 4, 5], goods: ["-", 2, 3] },
  mrc010reqsell: { about: 0, money: ["offers", 4, 5], goods: ["wants", 2, 3] },
  mrc010unsell: LOT_BACK,
  mrc010unreqsell: { about: 0, money: ["+", 4, 5] },
  transfer_mrc010buy: { ...TAKEN, goods: ["+", 6, 7] },
  transfer_mrc010sell: { about: 1, money: ["+", 2, 3], goods: ["-", 6, 7] },
  mrc010auction: { about: 0, money: ["from", 4, 5], goods: ["-", 2, 3] },
  mrc010unauction: LOT_BACK,
  transfer_mrc010bid: { ...TAKEN, goods: ["+", 6, 7] },
  receive_mrc010item: TOKEN_SHARE,
  mrc010auctionfailure: LOT_BACK,
  receive_mrc010sell: TOKEN_SHARE,
  receive_mrc010buy: TOKEN_SHARE,
  receive_mrc010fee: TOKEN_SHARE,
  receive_mrc010refund: TOKEN_SHARE,
  receive_mrc010auction: TOKEN_SHARE,
  mrc010_sell: ABOUT,
  mrc010_reqsell: ABOUT,
  mrc010_unsell: ABOUT,
  mrc010_unreqsell: ABOUT,
  mrc010_auction: ABOUT,
  mrc010_unauction: ABOUT,
  mrc010_auctionfailure: ABOUT,
  mrc010_buy: ABOUT,
  mrc010_acceptreqsell: ABOUT,
  mrc010_auctionbid: ABOUT,
  mrc010_auctionbuynow: ABOUT,
  mrc010_auctionwinning: ABOUT,

  mrc400create: ABOUT,
  mrc400update: ABOUT,
  mrc400_create: ABOUT,
  mrc400_update: ABOUT,
  mrc401create: ABOUT,
  mrc401update: ABOUT,
  mrc401_create: ABOUT,
  mrc401_update: ABOUT,
  mrc401transfer: ITEM_PASSED,
  mrc401_transfer: ABOUT,
  receive_mrc401: ITEM_PASSED,
  mrc401sell: OFFERED,
  mrc401unsell: ABOUT,
  mrc401auction: AUCTIONED,
  mrc401unauction: ABOUT,
  mrc401_sell: ABOUT,
  mrc401_unsell: ABOUT,
  mrc401_unauction: ABOUT,
  mrc401_auction: ABOUT,
  transfer_mrc401buy: ITEM_PAID,
  transfer_mrc401bid: ITEM_PAID,
  mrc401_buy: ABOUT,
  mrc401_auctionbid: ABOUT,
  mrc401_melt: ABOUT,
  mrc401_auctionwinning: ABOUT,
  mrc401_auctionbuynow: ABOUT,
  mrc401_auctionfailure: ABOUT,
  receive_mrc401sell: ITEM_SHARE,
  receive_mrc401auction: ITEM_SHARE,
  receive_mrc401fee: ITEM_SHARE,
  receive_mrc401refund: ITEM_BACK,
  receive_melt: ITEM_BACK,
  receive_meltfee: ITEM_BACK,

  mrc402create: ABOUT,
  mrc402_create: ABOUT,
  mrc402update: ABOUT,
  mrc402_update: ABOUT,
  mrc402mint: { about: 0, goods: ["+", 2, "units"] },
  mrc402burn: { about: 0, goods: ["-", 2, "units"] },
  mrc402_mint: ABOUT,
  mrc402_burn: ABOUT,
  mrc402melt: { about: 0, goods: ["-", 2, "units"] },
  mrc402_melt: ABOUT,
  transfer_mrc402: { about: 3, parties: [0, 1], goods: ["-", 2, "units"] },
  receive_mrc402: { about: 3, parties: [0, 1], goods: ["+", 2, "units"] },
  mrc402sell: { about: 3, money: ["asks", 4, 5], goods: ["-", 2, "units"], ifList: OFFERED },
  mrc402_sell: ABOUT,
  mrc402auction: { about: 3, money: ["from", 4, 5], goods: ["-", 2, "units"], ifList: AUCTIONED },
  mrc402_auction: ABOUT,
  mrc402unsell: UNITS_BACK,
  mrc402unauction: UNITS_BACK,
  mrc402_unsell: ABOUT,
  mrc402_unauction: ABOUT,
  transfer_mrc402buy: { about: 7, money: ["-", 2, 3], goods: ["+", 6, "units"] },
  transfer_mrc402bid: { about: 7, money: ["-", 2, 3], goods: ["+", 6, "units"] },
  receive_mrc402item: { about: 7, goods: ["+", 6, "units"] },
  receive_mrc402fee: UNITS_SHARE,
  receive_mrc402sell: UNITS_SHARE,
  receive_mrc402auction: UNITS_SHARE,
  receive_mrc402refund: UNITS_SHARE,
  mrc402_buy: ABOUT,
  mrc402_auctionbuynow: ABOUT,
  mrc402_auctionwinning: ABOUT,
  mrc402_auctionbid: ABOUT,
  mrc402auctionfailure: { about: 3, goods: ["+", 2, "units"] },
  mrc402_auctionfailure: ABOUT,
};

/** What the parameters of a record mean; of a type that came later, nothing is known. */
export function recordKind(type: string): RecordKind {
  return Object.hasOwn(RECORD_KINDS, type) ? RECORD_KINDS[type as RecordType] : NOTHING;
}
