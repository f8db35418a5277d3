import {
  type Address,
  type Amount,
  canonicalJson,
  type Json,
  type JsonRecord,
  type TokenId,
} from "@moneta/protocol";
import { type DocumentKind, subsetsOf } from "./entries.ts";
import {
  amount,
  amountIn,
  converted,
  form,
  joined,
  longTexts,
  longTextsOf,
  number,
  object,
  text,
  unchanged,
} from "./fields.ts";
import type { LongTexts } from "./long-texts.ts";

/** A token as the ledger keeps it. Source: tokens §2, chain §5. */
export interface TokenEntry {
  readonly id: TokenId;
  /** `""` if nobody may burn, increase or update it. */
  readonly owner: Address | "";
  readonly symbol: string;
  readonly name: string;
  readonly category: string;
  readonly decimal: number;
  /** Unix seconds. */
  readonly createDate: number;
  /** Everything ever issued. */
  readonly totalSupply: Amount;
  readonly burned: Amount;
  readonly reservedAmount: Amount;
  readonly url: string;
  readonly texts: LongTexts<TokenTexts>;
  readonly type: "010" | "100" | "101";
  /** The one token that it is traded for on the order exchange. Source: protocols §8. */
  readonly baseToken: TokenId;
  /** What is traded for it, by id: the ledger time at which it was admitted. */
  readonly targets: { readonly [token: string]: number };
}

/** What a token says of itself at length, and what its creation did. */
export interface TokenTexts {
  readonly information: string;
  readonly image: string;
  readonly reserve: readonly ReserveEntry[];
  readonly tier: readonly JsonRecord[];
}

/** As many targets a token may have. Source: protocols §8. */
export const TARGETS_MAX = 1000;

/** What somebody received when the token was created. */
export interface ReserveEntry {
  readonly address: Address;
  readonly value: Amount;
  /** Unix seconds, 0 for none. */
  readonly unlockDate: number;
}

const LISTED_FIELDS = {
  id: text<TokenId>("id"),
  owner: text<Address | "">("owner"),
  symbol: text("symbol"),
  name: text("name"),
  category: text("category"),
  decimal: number("decimal"),
  createDate: number("createdate"),
  totalSupply: amount("totalsupply"),
  burned: amount("burnningamount"),
  reservedAmount: amount("reservedamount"),
  url: text("url"),
  type: text<TokenEntry["type"]>("type"),
  baseToken: converted<TokenId>("basetoken", {
    write: Number,
    read: (json) => String(json) as TokenId,
    none: 0,
  }),
};

type ListedToken = Pick<TokenEntry, keyof typeof LISTED_FIELDS>;

/** What a list shows of a token, but for what follows from balances. Source: chain §10. */
const LISTED = form(object<ListedToken>(LISTED_FIELDS), {
  logger: () => ({}),
  status: () => "",
  token: ({ id }) => Number(id),
});

const TEXTS = object<TokenTexts>({
  image: text("image"),
  information: text("information"),
  reserve: converted("reserve", {
    write: (reserve) =>
      reserve.map(({ address, value, unlockDate }) => ({
        address,
        unlockdate: unlockDate,
        value: String(value),
      })),
    read: (json) =>
      (json as { address: Address; value: string; unlockdate: number }[]).map(
        ({ address, value, unlockdate }) => ({
          address,
          value: amountIn(value),
          unlockDate: unlockdate,
        }),
      ),
  }),
  tier: unchanged("tier"),
});

const DETAILS = form(
  object<Omit<TokenEntry, keyof ListedToken>>({
    targets: unchanged("targettoken", {}),
    texts: longTexts(TEXTS),
  }),
);

export const TOKEN: DocumentKind<TokenEntry> = {
  table: {
    name: "token",
    longTexts: longTextsOf(TEXTS),
    columns: {
      owner: { type: "ADDRESS", of: ({ owner }) => owner },
      symbol: { type: "TEXT", of: ({ symbol }) => symbol },
      // Images have megabytes: lists read this and not the value behind it.
      listed: { type: "TEXT", of: (token) => canonicalJson(LISTED.json(token)) },
    },
    indexes: subsetsOf(["owner", "symbol"]).filter((filters) => filters.length > 0),
  },
  prefix: "token/",
  id: ({ id }) => id,
  ...joined(LISTED, DETAILS),
};

export interface ListedTokenJson {
  readonly id: TokenId;
  readonly owner: Address | "";
  readonly totalsupply: string;
  readonly burnningamount: string;
  readonly [name: string]: Json;
}
