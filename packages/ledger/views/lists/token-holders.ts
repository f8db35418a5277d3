import type { Address, Amount } from "@moneta/protocol";
import type { Database, Statement } from "../../database.ts";
import { sum, whole } from "../../state/balance.ts";
import { amountIn, storedBalance } from "../../state/tables.ts";
import type { Place } from "./list-page.ts";

/** An address that has a balance of a token. */
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

  constructor(database: Database) {
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
}
