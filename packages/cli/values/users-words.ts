import type { Parameter } from "@moneta/protocol";

// The wire's names and words in those of the pages. JSON keeps the wire's.

/** Names of flags (with hyphens), arguments and columns. */
export const USERS_NAMES: Readonly<Record<string, string>> = {
  addinfo: "memo",
  allow_token: "allowed token",
  allowtoken: "allowed token",
  atleast: "at least",
  auction_bidding_unit: "min increment",
  auction_buynow_price: "buy now",
  auction_end_date: "end",
  auction_start_date: "start",
  auction_start_price: "start price",
  baseToken: "base",
  basetoken: "base",
  bidding: "min increment",
  buynow: "buy now",
  creatorcommission: "creator commission",
  decimal: "decimals",
  dexid: "listing",
  expiredate: "meltable from",
  groupid: "group",
  imageurl: "picture url",
  image_url: "picture",
  initialreserve: "reserve each",
  item_image_url: "picture",
  itemimageurl: "picture template",
  itemurl: "page template",
  item_url: "page",
  keyhash: "key hash",
  maxmeltfee: "max melt fee",
  maxsellfee: "max sell fee",
  metadatahash: "metadata hash",
  minqtt: "min",
  mrc010id: "token",
  mrc020key: "seal",
  mrc040id: "order",
  mrc400id: "project",
  mrc401id: "item",
  mrc402id: "item",
  opendate: "opens",
  partner: "partners",
  paytoken: "price token",
  qtt: "amount",
  recoverydelay: "recovery delay",
  recoverykeys: "recovery keys",
  recoverythreshold: "recovery threshold",
  referencekey: "reference",
  reservedamount: "reserved",
  shareholder: "shareholders",
  socialmedia: "social media",
  tags: "tag",
  targetToken: "target",
  targettoken: "token",
  totalsupply: "supply",
  transaction_id: "transaction",
  unlockdate: "unlocks",
};

/** Kinds, sides and states. */
const USERS_WORDS: Readonly<Record<string, string>> = {
  ...{ SELL: "sell", BUY: "buy", mrc401: "item", mrc402: "units" },
  ...{ WAIT: "open", TRADING: "partly filled", COMPLETE: "filled", CANCEL: "cancelled" },
  ...{ complete: "filled", cancel: "cancelled" },
};

export function usersWord(wire: string): string {
  return USERS_WORDS[wire] ?? wire;
}

/** The words that a parameter may be, as users write them; undefined for other parameters. */
export function choicesOf({ schema }: Parameter<unknown>): readonly string[] | undefined {
  const words = schema["enum"];
  return Array.isArray(words) ? (words as readonly string[]).map(usersWord) : undefined;
}

/** The wire's word for one of `choicesOf`; another text as it is. */
export function wireWord({ schema }: Parameter<unknown>, given: string): string {
  const words = (schema["enum"] ?? []) as readonly string[];
  return words.find((word) => usersWord(word) === given) ?? given;
}
