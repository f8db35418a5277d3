import {
  type Amount,
  type BalanceCursor,
  NATIVE_COIN,
  type TokenId,
  UNLOCK_DATE_MAX,
} from "@moneta/protocol";
import type { Database, Row, Statement } from "../database.ts";
import { type Balance, EMPTY, sum } from "../state/balances/balance.ts";
import { type BalanceEntry, balanceEntry } from "../state/balances/balances.ts";
import { amountIn, storedBalance } from "../state/tables/balance-tables.ts";
import type { StateTables } from "../state/tables/tables.ts";
import { PASSED_MAX } from "./lists/past-rows.ts";

export interface Page<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
  readonly next?: BalanceCursor;
}

/** Matured amounts that are not shown one by one, on a page. */
const MATURED_MAX = 10_000;

/** By token, the free amount before the locked ones. Source: accounts §9. */
export class BalanceView {
  readonly #balances: Statement;
  readonly #locks: Statement;
  readonly #past: StateTables | undefined;

  constructor(database: Database, past?: StateTables) {
    this.#past = past;
    this.#balances = database.prepare(
      "SELECT token, free, locks, locked, unlocks_from FROM balance WHERE address = ? AND token BETWEEN ? AND ? ORDER BY token LIMIT ?",
    );
    this.#locks = database.prepare(
      "SELECT token, unlock_date, amount FROM lock WHERE address = ? AND (token, unlock_date) > (?, ?) ORDER BY token, unlock_date",
    );
  }

  /**
   * Locked included, of the lowest token ids. Absent tokens, up to the last one or all if there are
   * fewer, are 0.
   */
  totals(addressNumber: number, limit: number): ReadonlyMap<TokenId, Amount> {
    const rows = this.#balances.all(addressNumber, 0, Number.MAX_SAFE_INTEGER, limit);
    return new Map(
      rows.map((row) => {
        const { free, locked } = storedBalance(row);
        return [String(row["token"]) as TokenId, sum(free, locked)];
      }),
    );
  }

  /** At ledger time `at`. */
  list(options: {
    readonly addressNumber: number;
    readonly token?: TokenId;
    readonly after: BalanceCursor | undefined;
    readonly limit: number;
    readonly at: number;
  }): Page<BalanceEntry> {
    const { addressNumber, token, after, limit, at } = options;
    const first = Math.max(Number(token ?? 0), Number(after?.token ?? 0));
    const last = token === undefined ? Number.MAX_SAFE_INTEGER : Number(token);
    const found = this.#past
      ? pastBalances(this.#past, { addressNumber, first, last, limit: limit + 2 })
      : { rows: this.#balances.all(addressNumber, first, last, limit + 2).map(heldIn) };
    const { rows, passedTo } = found;
    const always = token ?? NATIVE_COIN;
    if (Number(always) >= first && rows[0]?.token !== always) {
      rows.unshift({ token: always, balance: EMPTY });
    }

    // The previous page has shown the free amount of the token of `after`.
    const isFreeShown = (of: TokenId): boolean => of === after?.token;
    const shownTo =
      Number(after?.token ?? -1) === first ? Math.max(after?.unlockDate ?? 0, at) : -1;
    const items: BalanceEntry[] = [];
    let maturedCount = 0;
    using locks =
      this.#past === undefined
        ? new LockRows(this.#locks.iterate(addressNumber, first, shownTo))
        : new PastLockRows(this.#past, { addressNumber, rows, first, shownTo });
    for (const { token: of, balance } of rows) {
      if (items.length > limit) {
        break;
      }
      if (maturedCount >= MATURED_MAX) {
        return { items, hasMore: true };
      }
      let { free } = balance;
      for (let lock = locks.next(of, at); lock !== undefined; lock = locks.next(of, at)) {
        free = sum(free, lock.amount);
        maturedCount += 1;
      }
      if (!isFreeShown(of) && (free > 0n || of === always)) {
        items.push(balanceEntry(of, free));
      }
      for (let lock = locks.next(of); lock !== undefined; lock = locks.next(of)) {
        items.push(balanceEntry(of, lock.amount, lock.unlockDate));
        if (items.length > limit) {
          break;
        }
      }
      if (items.length <= limit && locks.endsAt !== undefined) {
        const unlockDate = locks.endsAt.token === of ? locks.endsAt.date : END;
        return { items, hasMore: true, next: { token: of, unlockDate } };
      }
    }
    return passedTo === undefined || items.length > limit
      ? { items: items.slice(0, limit), hasMore: items.length > limit }
      : { items, hasMore: true, next: { token: passedTo, unlockDate: END } };
  }
}

/** After all locked amounts of a token. */
const END = UNLOCK_DATE_MAX;

interface Held {
  readonly token: TokenId;
  readonly balance: Balance;
}

function heldIn(row: Row): Held {
  return { token: String(row["token"]) as TokenId, balance: storedBalance(row) };
}

/** `passedTo` is the token at which the search ends early. */
function pastBalances(
  tables: StateTables,
  {
    addressNumber,
    first,
    last,
    limit,
  }: {
    readonly addressNumber: number;
    readonly first: number;
    readonly last: number;
    readonly limit: number;
  },
): { readonly rows: Held[]; readonly passedTo?: TokenId | undefined } {
  const rows: Held[] = [];
  let passed = 0;
  for (const { token: number, balance } of tables.balances.pastBalances(
    addressNumber,
    first,
    last,
  )) {
    const token = String(number) as TokenId;
    if (balance === undefined) {
      passed += 1;
    } else {
      rows.push({ token, balance });
    }
    if (passed === PASSED_MAX) {
      return { rows, passedTo: token };
    }
    if (rows.length === limit) {
      break;
    }
  }
  return { rows };
}

class LockRows implements Disposable {
  readonly endsAt: { readonly token: TokenId; readonly date: number } | undefined;
  readonly #rows: Iterator<Row>;
  #row: Row | undefined;

  constructor(rows: Iterator<Row>) {
    this.#rows = rows;
    this.#read();
  }

  /** Of this token, with an unlock date up to `until`. */
  next(
    token: TokenId,
    until = Infinity,
  ): { readonly unlockDate: number; readonly amount: Amount } | undefined {
    const row = this.#row;
    const unlockDate = row?.["unlock_date"] as number;
    if (row === undefined || String(row["token"]) !== token || unlockDate > until) {
      return undefined;
    }
    this.#read();
    return { unlockDate, amount: amountIn(row["amount"]) };
  }

  #read(): void {
    const { done, value } = this.#rows.next();
    this.#row = done === true ? undefined : value;
  }

  /** A statement that is not read to its end prevents the snapshot from being closed. */
  [Symbol.dispose](): void {
    this.#rows.return?.();
  }
}

class PastLockRows implements Disposable {
  endsAt: { readonly token: TokenId; readonly date: number } | undefined;
  readonly #rows: LockRows;

  constructor(
    tables: StateTables,
    of: {
      readonly addressNumber: number;
      readonly rows: readonly Held[];
      readonly first: number;
      readonly shownTo: number;
    },
  ) {
    this.#rows = new LockRows(this.#read(tables, of));
  }

  next(
    token: TokenId,
    until?: number,
  ): { readonly unlockDate: number; readonly amount: Amount } | undefined {
    return this.#rows.next(token, until);
  }

  *#read(
    tables: StateTables,
    { addressNumber, rows, first, shownTo }: ConstructorParameters<typeof PastLockRows>[1],
  ): Generator<Row> {
    let passed = 0;
    for (const { token, balance } of rows) {
      const isFirst = Number(token) === first && shownTo >= 0;
      const from = isFirst ? Math.max(shownTo + 1, balance.unlocksFrom) : balance.unlocksFrom;
      let left = isFirst ? Infinity : balance.locks;
      const dates =
        balance.locks === 0 ? [] : tables.balances.pastLocks([addressNumber, Number(token)], from);
      for (const { unlockDate, amount } of dates) {
        if (amount !== undefined) {
          yield { token: Number(token), unlock_date: unlockDate, amount: String(amount) };
          left -= 1;
        } else {
          passed += 1;
        }
        if (passed === PASSED_MAX) {
          this.endsAt = { token, date: unlockDate };
          return;
        }
        if (left === 0) {
          break;
        }
      }
    }
  }

  [Symbol.dispose](): void {
    this.#rows[Symbol.dispose]();
  }
}
