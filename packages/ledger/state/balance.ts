import {
  type Address,
  type Amount,
  addAmounts,
  type Json,
  subtractAmounts,
  type TokenId,
  ZERO,
} from "@moneta/protocol";
import { invariant } from "../invariant.ts";
import type { EntryKind } from "./entries.ts";

/**
 * Balance of an address in one token; `locked` is the sum of its lock entries. Source: accounts
 * §8.1, §8.2.
 */
export interface Balance {
  readonly free: Amount;
  /** Number of lock entries, and their sum. */
  readonly locks: number;
  readonly locked: Amount;
  /** Lower bound of the unlock dates of its lock entries; 0 without any. Not part of the entry. */
  readonly unlocksFrom: number;
}

/** A locked amount, a state entry of its own. */
export interface Lock {
  readonly address: Address;
  readonly token: TokenId;
  /** Unix seconds. */
  readonly unlockDate: number;
  readonly amount: Amount;
}

/** Lock entries of an address for one token. Source: accounts §8.2. */
export const LOCKS_MAX = 10_000;

/** Matured locks that a credit merges. Source: accounts §8.3. */
export const MERGED_BY_CREDIT = 10;

/** Matured locks that a debit merges even if it does not need them. Source: accounts §8.3. */
export const MERGED_BY_DEBIT = 100;

/** Matured locks that the debits of one operation merge together. Source: accounts §8.3. */
export const MERGED_BY_DEBITS_MAX = 2_000;

export const EMPTY: Balance = { free: ZERO, locks: 0, locked: ZERO, unlocksFrom: 0 };

export const BALANCE: EntryKind<Balance> = {
  table: "balance",
  json: ({ free, locked, locks }): Json =>
    locks === 0 ? { free: String(free) } : { free: String(free), locked: String(locked), locks },
  isSame: (a, b) => a.free === b.free && a.locked === b.locked && a.locks === b.locks,
  isAbsent: ({ free, locks }) => free === 0n && locks === 0,
};

export const LOCK: EntryKind<Lock> = {
  table: "lock",
  json: ({ amount }): Json => ({ amount: String(amount) }),
  isSame: (a, b) => a.amount === b.amount,
};

/** A balance, free and locked. */
export function whole({ free, locked }: Balance): Amount {
  return sum(free, locked);
}

/**
 * How large an amount is: how many digits it has, then its first digit, such as 43 for 3500.
 * Source: tokens §2.
 */
export function magnitude(amount: bigint): number {
  if (amount > Number.MAX_SAFE_INTEGER) {
    const digits = String(amount);
    return digits.length * 10 + Number(digits[0]);
  }
  // Without a text, because every balance that is saved comes here.
  let first = Number(amount);
  let digits = 1;
  while (first >= 10) {
    first = Math.floor(first / 10);
    digits += 1;
  }
  return digits * 10 + first;
}

/**
 * The balance once its earliest locks, which have matured, are merged; those that remain unlock at
 * `unlocksFrom` or later. Source: accounts §8.3.
 */
export function withMerged(
  balance: Balance,
  merged: readonly Pick<Lock, "amount">[],
  unlocksFrom: number,
): Balance {
  const { free, locks, locked } = balance;
  const total = sumOf(merged);
  const left = locks - merged.length;
  return {
    free: sum(free, total),
    locks: left,
    locked: subtractAmounts(locked, total),
    unlocksFrom: left === 0 ? 0 : unlocksFrom,
  };
}

/**
 * The balance after an amount was locked, in a new entry or in one that was there.
 * Source: accounts §8.2.
 */
export function withLocked(
  { free, locks, locked, unlocksFrom }: Balance,
  { amount, unlockDate, isNew }: Pick<Lock, "amount" | "unlockDate"> & { readonly isNew: boolean },
): Balance {
  return {
    free,
    locks: isNew ? locks + 1 : locks,
    locked: sum(locked, amount),
    unlocksFrom: locks === 0 ? unlockDate : Math.min(unlocksFrom, unlockDate),
  };
}

/** The balance after a credit without unlock date. */
export function withFree(balance: Balance, amount: Amount): Balance {
  return { ...balance, free: sum(balance.free, amount) };
}

/**
 * The balance after a debit; the caller has checked that the free part suffices.
 * Source: accounts §8.4.
 */
export function withoutFree(balance: Balance, amount: Amount): Balance {
  return { ...balance, free: subtractAmounts(balance.free, amount) };
}

export function sumOf(locks: readonly Pick<Lock, "amount">[]): Amount {
  return locks.reduce((total, { amount }) => sum(total, amount), ZERO);
}

export function sum(a: Amount, b: Amount): Amount {
  const total = addAmounts(a, b);
  invariant(total !== undefined, "nobody has more than was issued, which has a bound");
  return total;
}

/**
 * Keys of balances that were made last, by token and address: a text that is kept is hashed once,
 * where V8 looks up another one in its table of texts.
 */
const KEYS = new Map<TokenId, Map<string, string>>();
const KEYS_MAX = 32_768;
let keys = 0;

const PREFIX = "balance/";

export function balanceKey(address: Address, token: TokenId): string {
  let ofToken = KEYS.get(token);
  let key = ofToken?.get(address);
  if (key === undefined) {
    key = `${PREFIX}${address}/${token}`;
    if (keys >= KEYS_MAX) {
      KEYS.clear();
      keys = 0;
      ofToken = undefined;
    }
    if (ofToken === undefined) {
      ofToken = new Map();
      KEYS.set(token, ofToken);
    }
    // Not the address itself, which may be a part of a request.
    ofToken.set(key.slice(PREFIX.length, PREFIX.length + address.length), key);
    keys += 1;
  }
  return key;
}

export function lockKey(address: Address, token: TokenId, unlockDate: number): string {
  return `lock/${address}/${token}/${String(unlockDate).padStart(10, "0")}`;
}
