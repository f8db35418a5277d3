import type { Address, TokenId } from "@moneta/protocol";
import type { Database, Statement } from "../database.ts";
import { type Balance, matured } from "../state/balance.ts";
import { storedBalance } from "../state/tables.ts";
import { type ListedTokenJson, TOKEN } from "../state/token-entry.ts";
import { NewestFirst } from "./newest-first.ts";

/** Who has a balance of a token. */
export interface TokenHolder {
  readonly address: Address;
  readonly balance: Balance;
}

/** Lists tokens, and who holds them. Source: chain §10. */
export class TokenView {
  readonly #pages: NewestFirst;
  readonly #holders: Statement;

  constructor(database: Database) {
    this.#pages = new NewestFirst(database);
    this.#holders = database.prepare(`
      SELECT balance.address AS number, address.address, free, locked
      FROM balance INDEXED BY balance_by_token CROSS JOIN address ON address.number = balance.address
      WHERE token = ? AND balance.address < ? ORDER BY balance.address DESC LIMIT ?`);
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

  /** A page of the addresses that have a balance of a token at ledger time `at`, the newest address first. Who has nothing of it has no balance. */
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
    const shown = rows.slice(0, limit);
    return {
      items: shown.map((row) => ({
        address: row["address"] as Address,
        balance: matured(storedBalance(row["free"] as string, row["locked"] as string), at),
      })),
      cursor: rows.length > limit ? (shown.at(-1)?.["number"] as number | undefined) : undefined,
    };
  }
}
