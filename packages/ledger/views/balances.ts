import { type BalanceCursor, NATIVE_COIN, type TokenId } from "@moneta/protocol";
import type { Database, Statement } from "../database.ts";
import { EMPTY, matured } from "../state/balance.ts";
import { balanceEntries } from "../state/state.ts";
import { storedBalance } from "../state/tables.ts";

export type BalanceEntry = ReturnType<typeof balanceEntries>[number];

/** A page of a list, and whether more follows. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/** Balances as the interface lists them: by token, the free amount before the locked ones. Source: accounts §9. */
export class BalanceView {
  readonly #rows: Statement;

  constructor(database: Database) {
    this.#rows = database.prepare(
      "SELECT token, free, locked FROM balance WHERE address = ? AND token >= ? AND token <= ? ORDER BY token LIMIT ?",
    );
  }

  /** Balances of the address with this number at ledger time `at`, those of one token if `token` is given. */
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
    const rows = this.#rows.all(addressNumber, first, last, limit + 2).map((row) => ({
      token: String(row["token"]) as TokenId,
      balance: matured(storedBalance(row["free"] as string, row["locked"] as string), at),
    }));
    const always = token ?? NATIVE_COIN;
    if (Number(always) >= first && rows[0]?.token !== always) {
      rows.unshift({ token: always, balance: EMPTY });
    }
    const entries = rows.flatMap((row) =>
      balanceEntries(row.token, row.balance, row.token === token),
    );
    const rest = after === undefined ? entries : entries.filter((entry) => isBehind(entry, after));
    return { items: rest.slice(0, limit), hasMore: rest.length > limit };
  }
}

function isBehind(entry: BalanceEntry, { token, unlockDate }: BalanceCursor): boolean {
  return entry.token === token
    ? entry.unlockdate > unlockDate
    : BigInt(entry.token) > BigInt(token);
}
