import { type Address, type Amount, ZERO } from "@moneta/protocol";
import type { Database, Statement } from "../../database.ts";
import { sum, whole } from "../../state/balance.ts";
import type { ListedPlace } from "../../state/earlier-entries.ts";
import { amountIn, holdersListName, type StateTables, storedBalance } from "../../state/tables.ts";
import type { Place } from "./list-page.ts";
import { pastPlaces } from "./past-rows.ts";

export interface TokenHolder {
  readonly address: Address;
  /** What it can move, including what has matured and is not merged. */
  readonly free: Amount;
  readonly locked: Amount;
}

/** A page ends early once so many matured amounts were added up for it. */
const MATURED_MAX = 10_000;

/** Finds the addresses that hold a token. Source: tokens §2. */
export class TokenHolders {
  readonly #holders: Statement;
  readonly #matured: Statement;
  readonly #address: Statement;
  readonly #current: Statement;
  /** As of an earlier block. */
  readonly #past: StateTables | undefined;

  constructor(database: Database, past?: StateTables) {
    this.#past = past;
    this.#address = database.prepare("SELECT address FROM address WHERE number = ?");
    this.#current = database.prepare(
      "SELECT address AS place, '' AS key FROM balance INDEXED BY balance_by_token WHERE token = ? AND address < ? ORDER BY address DESC",
    );
    this.#holders = database.prepare(`
      SELECT balance.address AS number, address.address, free, locks, locked, unlocks_from
      FROM balance INDEXED BY balance_by_token CROSS JOIN address ON address.number = balance.address
      WHERE token = ? AND balance.address < ? ORDER BY balance.address DESC LIMIT ?`);
    this.#matured = database.prepare(
      "SELECT amount FROM lock WHERE address = ? AND token = ? AND unlock_date <= ?",
    );
  }

  /**
   * Up to `limit` holders at ledger time `at`, the newest address first: those with a number below
   * `before`. An address that has nothing of the token has no balance.
   */
  *places({
    token,
    before,
    limit,
    at,
  }: {
    readonly token: number;
    readonly before: number;
    readonly limit: number;
    readonly at: number;
  }): Generator<Place<TokenHolder>> {
    if (this.#past !== undefined) {
      yield* this.#pastPlaces({ token, before, limit, at }, this.#past);
      return;
    }
    let last = before;
    let maturedCount = 0;
    for (const row of this.#holders.iterate(token, before, limit)) {
      if (maturedCount >= MATURED_MAX) {
        yield { at: last, entry: undefined, endsPage: true };
        return;
      }
      last = row["number"] as number;
      const balance = storedBalance(row);
      const matured =
        balance.locks === 0 || balance.unlocksFrom > at ? [] : this.#matured.all(last, token, at);
      maturedCount += matured.length;
      const free = matured.reduce(
        (total, { amount }) => sum(total, amountIn(amount)),
        balance.free,
      );
      const locked = (whole(balance) - free) as Amount;
      yield { at: last, entry: { address: row["address"] as Address, free, locked } };
    }
  }

  *#pastPlaces(
    { token, before, limit, at }: Parameters<TokenHolders["places"]>[0],
    tables: StateTables,
  ): Generator<Place<TokenHolder>> {
    let maturedCount = 0;
    const places = pastPlaces<TokenHolder>({
      ...{ tables, after: before, isAscending: false, limit },
      name: holdersListName(token),
      current: this.#current.iterate(token, before) as unknown as Iterable<ListedPlace>,
      read: ({ place }) => {
        const number = place as number;
        const balance = tables.balance(number, token);
        if (balance === undefined) {
          return undefined;
        }
        let { free } = balance;
        const locks =
          balance.locks === 0 ? [] : tables.pastLocks([number, token], balance.unlocksFrom);
        for (const { unlockDate, amount } of locks) {
          if (unlockDate > at) {
            break;
          }
          maturedCount += 1;
          free = sum(free, amount ?? ZERO);
        }
        const address = this.#address.get(number)?.["address"] as Address;
        return { address, free, locked: (whole(balance) - free) as Amount };
      },
    });
    for (const found of places) {
      const endsPage = maturedCount >= MATURED_MAX;
      yield endsPage ? { ...found, endsPage } : found;
      if (endsPage) {
        return;
      }
    }
  }
}
