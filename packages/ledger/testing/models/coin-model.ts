import { NATIVE_COIN } from "@moneta/protocol";
import { T } from "../test-ledger.ts";

export type CoinsSent = { readonly op: "address"; readonly text: string } | CoinsPaid;

/** The balances and keys that a payment needs. */
export interface CoinsPaid {
  readonly op: string;
  readonly text: string;
  readonly actor: number;
  readonly key: string;
  readonly expiry: number;
  readonly payees: readonly {
    readonly to: number;
    readonly amount: number;
    readonly unlock: number;
  }[];
  readonly isKnown: boolean;
}

interface ModelLock {
  readonly date: number;
  amount: number;
}

/** Coins of one address: the stored free amount, and its locked amounts by date. */
class Holding {
  free = 0;
  /** In the order of their dates. */
  locks: ModelLock[] = [];

  matured(time: number): ModelLock[] {
    const first = this.locks.findIndex(({ date }) => date > time);
    return first === -1 ? this.locks : this.locks.slice(0, first);
  }

  merge(count: number): void {
    this.free += sumOf(this.locks.slice(0, count));
    this.locks = this.locks.slice(count);
  }

  credit({ amount, unlock }: { readonly amount: number; readonly unlock: number }, time: number) {
    if (amount === 0) {
      return;
    }
    this.merge(Math.min(10, this.matured(time).length));
    const before = this.locks.findLastIndex(({ date }) => date <= unlock);
    const same = this.locks[before];
    if (unlock <= time) {
      this.free += amount;
    } else if (same?.date === unlock) {
      same.amount += amount;
    } else {
      this.locks.splice(before + 1, 0, { date: unlock, amount });
    }
  }

  spendable(time: number): number {
    return this.free + sumOf(this.matured(time).slice(0, 2000));
  }

  debit(amount: number, time: number): void {
    if (amount === 0) {
      return;
    }
    const matured = this.matured(time).length;
    for (let merged = 0; merged < matured && (merged < 100 || this.free < amount); merged += 1) {
      this.merge(1);
    }
    this.free -= amount;
  }

  copy(): Holding {
    const copy = new Holding();
    copy.free = this.free;
    copy.locks = this.locks.map((lock) => ({ ...lock }));
    return copy;
  }
}

/** Coins as a reader of accounts §8 would keep them by hand, with each lock. */
export class CoinModel {
  time = T;
  #holdings: Map<number, Holding> = new Map();
  readonly #usedBy: Map<string, string> = new Map();

  constructor(supply: number) {
    this.#of(0).free = supply;
  }

  #of(address: number): Holding {
    const holding = this.#holdings.get(address) ?? new Holding();
    this.#holdings.set(address, holding);
    return holding;
  }

  /** The expected outcome of an operation, which the model executes if it is `done`. */
  judge({ text, actor, key, expiry, payees, isKnown }: CoinsPaid): string {
    const usedBy = this.#usedBy.get(key);
    if (usedBy === text) {
      return "repeat";
    }
    if (!isKnown) {
      return "3090";
    }
    if (this.time > expiry) {
      return "2020";
    }
    if (usedBy !== undefined) {
      return "2021";
    }
    const before = this.#holdings;
    this.#holdings = new Map(before);
    for (const touched of new Set([actor, ...payees.map(({ to }) => to)])) {
      this.#holdings.set(touched, this.#of(touched).copy());
    }
    const refused = this.#pay(actor, payees);
    if (refused !== undefined) {
      this.#holdings = before;
      return refused;
    }
    this.#usedBy.set(key, text);
    return "done";
  }

  #pay(actor: number, payees: CoinsPaid["payees"]): string | undefined {
    for (const payee of payees) {
      const holding = this.#of(payee.to);
      holding.credit(payee, this.time);
      if (holding.locks.length > 10_000) {
        return "7118";
      }
    }
    const sum = sumOf(payees);
    const spendable = this.#of(actor).spendable(this.time);
    if (spendable < sum) {
      return `5001 ${spendable}`;
    }
    this.#of(actor).debit(sum, this.time);
    return undefined;
  }

  /** In the form of `TestLedger.held`, which shows 100 entries. */
  held(by: number): string {
    const { free, locks } = this.#of(by);
    const matured = sumOf(this.#of(by).matured(this.time));
    const later = locks.filter(({ date }) => date > this.time);
    const entries = later.map(({ date, amount }) => `${amount} at +${date - T}`);
    return [String(free + matured), ...entries].slice(0, 100).join(", ");
  }

  /** The stored form: the free entry, and number and sum of the lock entries. */
  stored(by: number): string {
    const { free, locks } = this.#of(by);
    return `${free} ${locks.length} ${sumOf(locks)}`;
  }

  /** The `values` of a record after the operation that it is of. Source: accounts §1.4. */
  values(of: number, unlock = 0): unknown {
    const { free, locks } = this.#of(of);
    const own = locks.filter(({ date }) => date > this.time && date === unlock);
    const entry = (amount: number, unlockdate: number) => ({
      ...{ token: NATIVE_COIN, balance: String(amount), unlockdate },
    });
    return { balance: [entry(free, 0), ...own.map(({ amount, date }) => entry(amount, date))] };
  }
}

function sumOf(lines: readonly { readonly amount: number }[]): number {
  return lines.reduce((total, { amount }) => total + amount, 0);
}
