import type { Address, Amount, TokenId } from "@moneta/protocol";
import { ZERO } from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import type { Moves } from "../block-changes.ts";
import type { EntryKind } from "../entries.ts";
import {
  BALANCE,
  type Balance,
  balanceKey,
  EMPTY,
  LOCK,
  LOCKS_MAX,
  type Lock,
  lockKey,
  MERGED_BY_CREDIT,
  MERGED_BY_DEBIT,
  MERGED_BY_DEBITS_MAX,
  sum,
  sumOf,
  whole,
  withFree,
  withLocked,
  withMerged,
  withoutFree,
} from "./balance.ts";

export interface Credit {
  readonly address: Address;
  readonly amount: Amount;
  /** Unix seconds; 0 or absent for an amount that is free at once. */
  readonly unlockDate?: number;
}

export interface Shortage {
  readonly needed: Amount;
  readonly spendable: Amount;
  /** Whether more of it has matured than one operation merges. */
  readonly isMoreMatured: boolean;
}

/** Entries of the state that balances need. */
interface Entries {
  /** Unix seconds. */
  readonly time: number;
  entry<V>(kind: EntryKind<V>, key: string): V | undefined;
  update<V>(kind: EntryKind<V>, key: string, change: (value: V | undefined) => V): void;
  removeStored<V>(kind: EntryKind<V>, key: string, stored: V): void;
  maturedLocks(of: Pick<Lock, "address" | "token">, from: number, limit: number): readonly Lock[];
}

/** Credits, debits and locks, by the current operation. Source: accounts §8. */
export class Balances {
  readonly #state: Entries;
  readonly #moves: Moves;
  #mergedByDebits = 0;

  constructor(state: Entries, moves: Moves) {
    this.#state = state;
    this.#moves = moves;
  }

  /** Matured locks that debits have merged since the operation or its group began. */
  get mergedByDebits(): number {
    return this.#mergedByDebits;
  }

  resetMerged(count: number): void {
    this.#mergedByDebits = count;
  }

  /** Free and locked, in the smallest unit. */
  held(address: Address, token: TokenId): Amount {
    return whole(this.#balance(address, token));
  }

  /** By the current operation, in the smallest unit. Source: accounts §8.4. */
  spendable(address: Address, token: TokenId): Amount {
    const balance = this.#balance(address, token);
    const mergeable = this.#matured(address, token, balance, this.#debitMergesLeft);
    return sum(balance.free, sumOf(mergeable));
  }

  /** Undefined if the operation can debit it. Source: accounts §8.3, §8.4. */
  shortage(address: Address, token: TokenId, needed: Amount): Shortage | undefined {
    const balance = this.#balance(address, token);
    if (balance.free >= needed) {
      return undefined;
    }
    const limit = this.#debitMergesLeft;
    const matured = this.#matured(address, token, balance, limit + 1);
    const spendable = sum(balance.free, sumOf(matured.slice(0, limit)));
    return spendable >= needed
      ? undefined
      : { needed, spendable, isMoreMatured: matured.length > limit };
  }

  /** The first that would exceed the number of locks. Source: accounts §8.2. */
  creditWithoutRoom(token: TokenId, credits: readonly Credit[]): number | undefined {
    const earlier = new Map<Address, { count: number; readonly dates: Set<number> }>();
    for (const [index, { address, amount, unlockDate = 0 }] of credits.entries()) {
      const balance = this.#balance(address, token);
      if (amount === 0n || balance.locks + credits.length <= LOCKS_MAX) {
        continue;
      }
      const { count, dates } = earlier.get(address) ?? { count: 0, dates: new Set() };
      earlier.set(address, { count: count + 1, dates });
      const isNew =
        unlockDate > this.#state.time &&
        !dates.has(unlockDate) &&
        this.#state.entry(LOCK, lockKey(address, token, unlockDate)) === undefined;
      if (!isNew) {
        continue;
      }
      // Each credit merges some locks first.
      const limit = (count + 1) * MERGED_BY_CREDIT;
      const merged = this.#matured(address, token, balance, limit).length;
      if (balance.locks - merged + dates.size >= LOCKS_MAX) {
        return index;
      }
      dates.add(unlockDate);
    }
    return undefined;
  }

  /**
   * Locked until `unlockDate` if that is later; merges some matured locks first. The caller has
   * checked `creditWithoutRoom`. 0 changes nothing. Source: accounts §8.2, §8.3.
   */
  credit(address: Address, token: TokenId, amount: Amount, unlockDate = 0): void {
    this.#moves.add(address, "token", token, amount);
    if (amount === 0n) {
      return;
    }
    const isLocked = unlockDate > this.#state.time;
    const isNew = isLocked && this.#addToLock({ address, token, amount, unlockDate });
    this.#state.update(BALANCE, balanceKey(address, token), (balance = EMPTY) => {
      const merged = this.#merge(address, token, balance, MERGED_BY_CREDIT);
      if (!isLocked) {
        return withFree(merged, amount);
      }
      const locked = withLocked(merged, { amount, unlockDate, isNew });
      invariant(locked.locks <= LOCKS_MAX, "room for the lock has been checked before");
      return locked;
    });
  }

  /** An entry of the state fixes the share. Source: authority §5.3. */
  creditShare(address: Address, token: TokenId, amount: Amount): void {
    this.#moves.noteShare(address, token, amount);
    this.credit(address, token, amount);
  }

  /**
   * The caller has checked `shortage`. An amount of 0 changes nothing. Source: accounts §8.3, §8.4.
   */
  debit(address: Address, token: TokenId, amount: Amount): void {
    this.#moves.add(address, "token", token, -amount);
    if (amount === 0n) {
      return;
    }
    this.#state.update(BALANCE, balanceKey(address, token), (balance = EMPTY) => {
      let merged = this.#mergeForDebit(address, token, balance);
      while (merged.free < amount) {
        const more = this.#mergeForDebit(address, token, merged, amount);
        invariant(more !== merged, "a debit has been checked before");
        merged = more;
      }
      return withoutFree(merged, amount);
    });
  }

  /**
   * For records: the free balance, and the amount locked until the date of `credit`.
   * Source: accounts §1.4.
   */
  entries(
    address: Address,
    tokens: readonly TokenId[],
    credit: { readonly token: TokenId; readonly unlockDate: number } | undefined,
  ): readonly BalanceEntry[] {
    const entries: BalanceEntry[] = [];
    for (const token of tokens) {
      entries.push(balanceEntry(token, this.#balance(address, token).free));
      const lock =
        credit?.token === token && credit.unlockDate > this.#state.time
          ? this.#state.entry(LOCK, lockKey(address, token, credit.unlockDate))
          : undefined;
      if (lock !== undefined) {
        entries.push(balanceEntry(token, lock.amount, lock.unlockDate));
      }
    }
    return entries;
  }

  #balance(address: Address, token: TokenId): Balance {
    return this.#state.entry(BALANCE, balanceKey(address, token)) ?? EMPTY;
  }

  get #debitMergesLeft(): number {
    return MERGED_BY_DEBITS_MAX - this.#mergedByDebits;
  }

  /**
   * Up to `limit`. Merging alone removes locks, the earliest first; merged ones are before
   * `unlocksFrom`, and added ones unlock after the block.
   */
  #matured(
    address: Address,
    token: TokenId,
    { locks, unlocksFrom }: Balance,
    limit: number,
  ): readonly Lock[] {
    return locks === 0 || unlocksFrom > this.#state.time
      ? []
      : this.#state.maturedLocks({ address, token }, unlocksFrom, limit);
  }

  /** Up to `limit` matured locks, until the free amount is `enough`. */
  #merge(
    address: Address,
    token: TokenId,
    balance: Balance,
    limit: number,
    enough?: Amount,
  ): Balance {
    const matured = this.#matured(address, token, balance, limit);
    let { free } = balance;
    const merged: Lock[] = [];
    for (const lock of matured) {
      if (enough !== undefined && free >= enough) {
        break;
      }
      free = sum(free, lock.amount);
      merged.push(lock);
      this.#state.removeStored(LOCK, lockKey(address, token, lock.unlockDate), lock);
    }
    const last = merged.at(-1)?.unlockDate;
    return last === undefined ? balance : withMerged(balance, merged, last + 1);
  }

  #mergeForDebit(address: Address, token: TokenId, balance: Balance, enough?: Amount): Balance {
    const limit = Math.min(MERGED_BY_DEBIT, this.#debitMergesLeft);
    const merged = this.#merge(address, token, balance, limit, enough);
    this.#mergedByDebits += balance.locks - merged.locks;
    return merged;
  }

  #addToLock({ address, token, amount, unlockDate }: Lock): boolean {
    let isNew = false;
    this.#state.update<Lock>(LOCK, lockKey(address, token, unlockDate), (lock) => {
      isNew = lock === undefined;
      return { address, token, unlockDate, amount: sum(lock?.amount ?? ZERO, amount) };
    });
    return isNew;
  }
}

/** A balance as the interface lists it. Source: accounts §9. */
export type BalanceEntry = {
  readonly balance: string;
  readonly token: string;
  /** Unix seconds; 0 for the free part. */
  readonly unlockdate: number;
};

export function balanceEntry(token: TokenId, balance: Amount, unlockDate = 0): BalanceEntry {
  return { balance: String(balance), token, unlockdate: unlockDate };
}
