import {
  type Address,
  type Amount,
  canonicalJson,
  type Json,
  type JsonRecord,
  type TokenId,
} from "@moneta/protocol";
import { type DocumentKind, documentKind, subsetsOf } from "./entries.ts";
import { storedAmount } from "./stored-amount.ts";

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
  readonly reserve: readonly ReserveEntry[];
  readonly tier: readonly JsonRecord[];
  readonly url: string;
  readonly information: string;
  readonly image: string;
  readonly type: "010" | "100" | "101";
}

/** What somebody received when the token was created. */
export interface ReserveEntry {
  readonly address: Address;
  readonly value: Amount;
  /** Unix seconds, 0 for none. */
  readonly unlockDate: number;
}

export const TOKEN: DocumentKind<TokenEntry> = documentKind({
  table: {
    name: "token",
    columns: {
      owner: { type: "ADDRESS", of: ({ owner }) => owner },
      symbol: { type: "TEXT", of: ({ symbol }) => symbol },
      // Images have megabytes: lists read this and not the value behind it.
      listed: { type: "TEXT", of: (token) => canonicalJson(listedTokenJson(token)) },
    },
    indexes: subsetsOf(["owner", "symbol"]).filter((filters) => filters.length > 0),
  },
  prefix: "token/",
  id: ({ id }) => id,
  json: (token) => ({
    ...listedTokenJson(token),
    image: token.image,
    information: token.information,
    reserve: token.reserve.map(({ address, value, unlockDate }) => ({
      address,
      unlockdate: unlockDate,
      value: String(value),
    })),
    tier: token.tier,
  }),
  restore(json) {
    const stored = json as unknown as StoredToken;
    return {
      id: stored.id,
      owner: stored.owner,
      symbol: stored.symbol,
      name: stored.name,
      category: stored.category,
      decimal: stored.decimal,
      createDate: stored.createdate,
      totalSupply: storedAmount(stored.totalsupply),
      burned: storedAmount(stored.burnningamount),
      reservedAmount: storedAmount(stored.reservedamount),
      reserve: stored.reserve.map(({ address, value, unlockdate }) => ({
        address,
        value: storedAmount(value),
        unlockDate: unlockdate,
      })),
      tier: stored.tier,
      url: stored.url,
      information: stored.information,
      image: stored.image,
      type: stored.type,
    };
  },
});

/** What a list shows of a token, but for what follows from balances. Source: chain §10. */
function listedTokenJson(token: TokenEntry): ListedTokenJson {
  return {
    basetoken: 0,
    burnningamount: String(token.burned),
    category: token.category,
    createdate: token.createDate,
    decimal: token.decimal,
    id: token.id,
    logger: {},
    name: token.name,
    owner: token.owner,
    reservedamount: String(token.reservedAmount),
    status: "",
    symbol: token.symbol,
    targettoken: {},
    token: Number(token.id),
    totalsupply: String(token.totalSupply),
    type: token.type,
    url: token.url,
  };
}

export interface ListedTokenJson {
  readonly id: TokenId;
  readonly owner: Address | "";
  readonly totalsupply: string;
  readonly burnningamount: string;
  readonly [name: string]: Json;
}

interface StoredToken
  extends Pick<
    TokenEntry,
    | "id"
    | "owner"
    | "symbol"
    | "name"
    | "category"
    | "decimal"
    | "tier"
    | "url"
    | "information"
    | "image"
    | "type"
  > {
  readonly createdate: number;
  readonly totalsupply: string;
  readonly burnningamount: string;
  readonly reservedamount: string;
  readonly reserve: readonly {
    readonly address: Address;
    readonly value: string;
    readonly unlockdate: number;
  }[];
}
