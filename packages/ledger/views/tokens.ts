import type { Address, Amount, TokenId } from "@moneta/protocol";
import type { Database, Statement } from "../database.ts";
import { sum, whole } from "../state/balance.ts";
import { amountIn, storedBalance } from "../state/tables.ts";
import { type ListedTokenJson, TOKEN } from "../state/token-entry.ts";
import { NewestFirst } from "./newest-first.ts";

/** Who has a balance of a token. */
export interface TokenHolder {
  readonly address: Address;
  /** What it can move, what has matured and is not merged included. */
  readonly free: Amount;
  readonly locked: Amount;
}

/** A page ends early once so many matured amounts were added up for it. */
const MATURED_MAX = 10_000;

/** Lists tokens, and who holds them. Source: chain §10. */
export class TokenView {
  readonly #pages: NewestFirst;
  readonly #holders: Statement;
  readonly #matured: Statement;

  constructor(database: Database) {
    this.#pages = new NewestFirst(database);
    this.#holders = database.prepare(`
      SELECT balance.address AS number, address.address, free, locks, locked, unlocks_from
      FROM balance INDEXED BY balance_by_token CROSS JOIN address ON address.number = balance.address
      WHERE token = ? AND balance.address < ? ORDER BY balance.address DESC LIMIT ?`);
    this.#matured = database.prepare(
      "SELECT amount FROM lock WHERE address = ? AND token = ? AND unlock_date <= ?",
    );
  }

  /** A page of tokens, what a list shows of each. */
  list(filters: {
    readonly ownerNumber: number | undefined;
    readonly symbol: string | undefined;
    readonly before: number | undefined;
    readonly limit: number;
  }): { readonly items: readonly ListedTokenJson[]; readonly cursor: number | undefined } {
    const { ownerNumber, symbol, before, limit } = filters;
    const page = this.#pages.page({
      table: TOKEN.table,
      columns: {
        ...(ownerNumber === undefined ? {} : { owner: [ownerNumber] }),
        ...(symbol === undefined ? {} : { symbol: [symbol] }),
      },
      text: "listed",
      before,
      limit,
    });
    return {
      items: page.items.map((text) => JSON.parse(text) as ListedTokenJson),
      cursor: page.cursor,
    };
  }

  /**
   * A page of the addresses that have a balance of a token at ledger time `at`, the newest address
   * first. Who has nothing of it has no balance.
   */
  holders({
    token,
    before,
    limit,
    at,
  }: {
    readonly token: TokenId;
    readonly before: number | undefined;
    readonly limit: number;
    readonly at: number;
  }): { readonly items: readonly TokenHolder[]; readonly cursor: number | undefined } {
    const rows = this.#holders.all(Number(token), before ?? Number.MAX_SAFE_INTEGER, limit + 1);
    const items: TokenHolder[] = [];
    let last: number | undefined;
    let maturedCount = 0;
    for (const row of rows) {
      if (items.length === limit || maturedCount >= MATURED_MAX) {
        return { items, cursor: last };
      }
      last = row["number"] as number;
      const balance = storedBalance(row);
      const matured =
        balance.locks === 0 || balance.unlocksFrom > at
          ? []
          : this.#matured.all(last, Number(token), at);
      maturedCount += matured.length;
      const free = matured.reduce(
        (total, { amount }) => sum(total, amountIn(amount)),
        balance.free,
      );
      const locked = (whole(balance) - free) as Amount;
      items.push({ address: row["address"] as Address, free, locked });
    }
    return { items, cursor: undefined };
  }
}
