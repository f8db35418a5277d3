import {
  type Address,
  type Amount,
  addAmounts,
  type Json,
  subtractAmounts,
  type TokenId,
  ZERO,
} from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import type { EntryKind } from "../entries.ts";

/** `locked` is the sum of its lock entries. Source: accounts §8.1, §8.2. */
export interface Balance {
  readonly free: Amount;
  readonly locks: number;
  readonly locked: Amount;
  /** Lower bound of its unlock dates; 0 without any. Not part of the entry. */
  readonly unlocksFrom: number;
}

export interface Lock {
  readonly address: Address;
  readonly token: TokenId;
  /** Unix seconds. */
  readonly unlockDate: number;
  readonly amount: Amount;
}

export const LOCKS_MAX = 10_000;

/** Matured locks that a credit merges. Source: accounts §8.3. */
export const MERGED_BY_CREDIT = 10;

/** Even if the debit does not need them. Source: accounts §8.3. */
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

export function whole({ free, locked }: Balance): Amount {
  return sum(free, locked);
}

/** Digits, then the first one, such as 43 for 3500. Source: tokens §2. */
export function magnitude(amount: bigint): number {
  if (amount > Number.MAX_SAFE_INTEGER) {
    const digits = String(amount);
    return digits.length * 10 + Number(digits[0]);
  }
  let first = Number(amount);
  let digits = 1;
  while (first >= 10) {
    first = Math.floor(first / 10);
    digits += 1;
  }
  return digits * 10 + first;
}

/** Remaining locks unlock at `unlocksFrom` or later. Source: accounts §8.3. */
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

/** In a new entry or in one that was there. Source: accounts §8.2. */
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

export function withFree(balance: Balance, amount: Amount): Balance {
  return { ...balance, free: sum(balance.free, amount) };
}

/** The caller has checked that the free part suffices. Source: accounts §8.4. */
export function withoutFree(balance: Balance, amount: Amount): Balance {
  return { ...balance, free: subtractAmounts(balance.free, amount) };
}

export function sumOf(locks: readonly Pick<Lock, "amount">[]): Amount {
  return locks.reduce((total, { amount }) => sum(total, amount), ZERO);
}

export function sum(a: Amount, b: Amount): Amount {
  const total = addAmounts(a, b);
  invariant(total !== undefined, "no balance exceeds the issued amount, which has a bound");
  return total;
}

/** A kept key is hashed once, where V8 looks up another one in its table of texts. */
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
    // The address may be a part of the request, and keep it in memory.
    ofToken.set(key.slice(PREFIX.length, PREFIX.length + address.length), key);
    keys += 1;
  }
  return key;
}

export function lockKey(address: Address, token: TokenId, unlockDate: number): string {
  return `lock/${address}/${token}/${String(unlockDate).padStart(10, "0")}`;
}
