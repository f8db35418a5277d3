import type { Address, Json, TokenId } from "@moneta/protocol";
import { type Balance, balanceJson, isEmpty, isSameBalance } from "./balance.ts";

/** An address as the ledger keeps it; it never changes. Source: accounts §3, chain §5. */
export interface AddressEntry {
  readonly address: Address;
  /** How many addresses were made before it. */
  readonly number: number;
  /** Canonical body of the public key. */
  readonly publicKey: string;
  readonly addinfo: string;
  /** Unix seconds. */
  readonly createDate: number;
  /** `full` if it accepts nothing but full signatures. */
  readonly signed: "full" | "";
  /** Running number of the transaction that created it; no part of the state that blocks commit to. */
  readonly transactionNumber: number;
}

/** A token as the ledger keeps it. Source: tokens §2, chain §5. */
export interface TokenEntry {
  readonly id: TokenId;
  readonly owner: Address | "";
  readonly symbol: string;
  readonly name: string;
  readonly category: string;
  readonly decimal: number;
  /** Unix seconds. */
  readonly createDate: number;
  /** Everything ever issued, as decimal text. */
  readonly totalSupply: string;
  readonly burned: string;
  readonly reservedAmount: string;
  readonly reserve: readonly ReserveEntry[];
  readonly tier: readonly { readonly [name: string]: Json }[];
  readonly url: string;
  readonly information: string;
  readonly image: string;
  readonly type: string;
}

export interface ReserveEntry {
  readonly address: string;
  readonly value: string;
  readonly unlockdate: number;
}

/** The rules in force, and those announced; 0 where none are. Source: chain §5, §7. */
export interface ProtocolEntry {
  readonly version: number;
  readonly next: number;
  readonly height: number;
  readonly note: string;
}

/**
 * A kind of state entry: what its values look like in the hash of a block's changes, and when two are the same. How they are stored is
 * the business of `tables.ts`. Source: chain §4.6, §5.
 */
export interface EntryKind<V> {
  readonly table: "address" | "balance" | "document";
  json(value: V): Json;
  isSame(a: V, b: V): boolean;
  /** Whether there is no entry for such a value. */
  isAbsent?(value: V): boolean;
}

export const ADDRESS: EntryKind<AddressEntry> = {
  table: "address",
  json: ({ addinfo, createDate, number, publicKey, signed }) => ({
    addinfo,
    createdate: createDate,
    number,
    publickey: publicKey,
    signed,
  }),
  isSame: (a, b) => a === b,
};

export const BALANCE: EntryKind<Balance> = {
  table: "balance",
  json: balanceJson,
  isSame: isSameBalance,
  isAbsent: isEmpty,
};

export const TOKEN: EntryKind<TokenEntry> = {
  table: "document",
  json: (token) => ({
    basetoken: 0,
    burnningamount: token.burned,
    category: token.category,
    createdate: token.createDate,
    decimal: token.decimal,
    id: token.id,
    image: token.image,
    information: token.information,
    logger: {},
    name: token.name,
    owner: token.owner,
    reserve: token.reserve.map((entry) => ({ ...entry })),
    reservedamount: token.reservedAmount,
    status: "",
    symbol: token.symbol,
    targettoken: {},
    tier: token.tier,
    token: Number(token.id),
    totalsupply: token.totalSupply,
    type: token.type,
    url: token.url,
  }),
  isSame: isSameDocument,
};

export const PROTOCOL: EntryKind<ProtocolEntry> = {
  table: "document",
  json: ({ version, next, height, note }) => ({ version, next, height, note }),
  isSame: isSameDocument,
};

/** `count/address` and `count/token`. */
export const COUNT: EntryKind<number> = {
  table: "document",
  json: (count) => count,
  isSame: (a, b) => a === b,
};

function isSameDocument(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export function addressKey(address: Address): string {
  return `address/${address}`;
}

export function balanceKey(address: Address, token: TokenId): string {
  return `balance/${address}/${token}`;
}

export function tokenKey(token: TokenId): string {
  return `token/${token}`;
}

export const ADDRESS_COUNT_KEY = "count/address";
export const TOKEN_COUNT_KEY = "count/token";
export const PROTOCOL_KEY = "protocol";
