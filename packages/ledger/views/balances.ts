import { type Amount, type BalanceCursor, NATIVE_COIN, type TokenId } from "@moneta/protocol";
import type { Database, Row, Statement } from "../database.ts";
import { EMPTY, sum } from "../state/balance.ts";
import { type BalanceEntry, balanceEntry } from "../state/state.ts";
import { amountIn, storedBalance } from "../state/tables.ts";

/** A page of a list, and whether more follows. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/**
 * A page ends before the next token once so many matured amounts were added up, which it does not
 * show one by one.
 */
const MATURED_MAX = 10_000;

/**
 * Balances as the interface lists them: by token, the free amount before the locked ones.
 * Source: accounts §9.
 */
export class BalanceView {
  readonly #balances: Statement;
  readonly #locks: Statement;

  constructor(database: Database) {
    this.#balances = database.prepare(
      "SELECT token, free, locks, locked, unlocks_from FROM balance WHERE address = ? AND token BETWEEN ? AND ? ORDER BY token LIMIT ?",
    );
    this.#locks = database.prepare(
      "SELECT token, unlock_date, amount FROM lock WHERE address = ? AND (token, unlock_date) > (?, ?) ORDER BY token, unlock_date",
    );
  }

  /**
   * What an address has of each token, locked amounts included, of the tokens with the lowest ids:
   * at most `limit`. Tokens that are absent, up to the last one or all if there are fewer, are 0.
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

  /**
   * Balances of the address with this number at ledger time `at`, those of one token if `token` is
   * given.
   */
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
    // Every row has at least one entry, but the one that `after` stands in may have none left.
    const rows = this.#balances.all(addressNumber, first, last, limit + 2).map((row) => ({
      token: String(row["token"]) as TokenId,
      balance: storedBalance(row),
    }));
    const always = token ?? NATIVE_COIN;
    if (Number(always) >= first && rows[0]?.token !== always) {
      rows.unshift({ token: always, balance: EMPTY });
    }

    // The page before has shown the free amount of the token that `after` stands in, matured locks
    // included.
    const isFreeShown = (of: TokenId): boolean => of === after?.token;
    const shownTo =
      Number(after?.token ?? -1) === first ? Math.max(after?.unlockDate ?? 0, at) : -1;
    const items: BalanceEntry[] = [];
    let maturedCount = 0;
    using locks = new LockRows(this.#locks.iterate(addressNumber, first, shownTo));
    for (const { token: of, balance } of rows) {
      if (items.length > limit) {
        break;
      }
      if (items.length > 0 && maturedCount >= MATURED_MAX) {
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
    }
    return { items: items.slice(0, limit), hasMore: items.length > limit };
  }
}

/** Locks of an address by token and unlock date, read as they are asked for. */
class LockRows implements Disposable {
  readonly #rows: Iterator<Row>;
  #row: Row | undefined;

  constructor(rows: Iterator<Row>) {
    this.#rows = rows;
    this.#read();
  }

  /** The next one, if it is of this token and has an unlock date up to `until`. */
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

  /** A statement that is not read to its end keeps what it reads from being closed. */
  [Symbol.dispose](): void {
    this.#rows.return?.();
  }
}
