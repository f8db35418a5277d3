import { type Address, type Amount, ZERO } from "@moneta/protocol";
import type { Database, Row, Statement } from "../../database.ts";
import { magnitude, sum, whole } from "../../state/balances/balance.ts";
import { amountIn, holdersListName, storedBalance } from "../../state/tables/balance-tables.ts";
import type { ListedPlace } from "../../state/tables/earlier-entries.ts";
import type { StateTables } from "../../state/tables/tables.ts";
import type { Place } from "./list-page.ts";
import { pastPlaces } from "./past-rows.ts";

export interface TokenHolder {
  readonly address: Address;
  /** Including matured and unmerged locks. */
  readonly free: Amount;
  readonly locked: Amount;
}

/** Of a page. */
const MATURED_MAX = 10_000;

/** Of one magnitude. Source: tokens §2. */
const SORTED_MAX = 2000;

interface Rank {
  readonly amount: bigint;
  readonly number: number;
}

const LAST = Number.MAX_SAFE_INTEGER;

/** Finds the addresses that hold a token. Source: tokens §2. */
export class TokenHolders {
  readonly #holders: Statement;
  readonly #matured: Statement;
  readonly #ofMagnitude: Statement;
  readonly #isLarge: Statement;
  readonly #smaller: Statement;
  readonly #address: Statement;
  readonly #current: Statement;
  readonly #past: StateTables | undefined;
  readonly #sortedMax: number;

  constructor(database: Database, past?: StateTables, sortedMax: number = SORTED_MAX) {
    this.#past = past;
    this.#sortedMax = sortedMax;
    this.#address = database.prepare("SELECT address FROM address WHERE number = ?");
    this.#current = database.prepare(
      "SELECT address AS place, '' AS key FROM balance INDEXED BY balance_by_token WHERE token = ? AND address < ? ORDER BY address DESC",
    );
    this.#holders = database.prepare(`
      SELECT balance.address AS number, address.address, free, locks, locked, unlocks_from
      FROM balance INDEXED BY balance_by_token CROSS JOIN address ON address.number = balance.address
      WHERE token = ? AND balance.address < ? ORDER BY balance.address DESC LIMIT ?`);
    this.#ofMagnitude = database.prepare(`
      SELECT rank.address AS number, address.address, free, locks, locked, unlocks_from
      FROM holder_rank AS rank CROSS JOIN balance USING (address, token)
      CROSS JOIN address ON address.number = rank.address
      WHERE rank.token = ? AND magnitude = ? AND rank.address < ? ORDER BY rank.address DESC LIMIT ?`);
    this.#isLarge = database.prepare(
      "SELECT 1 FROM holder_rank WHERE token = ? AND magnitude = ? AND address < ? LIMIT 1 OFFSET ?",
    );
    this.#smaller = database.prepare(
      "SELECT max(magnitude) AS magnitude FROM holder_rank WHERE token = ? AND magnitude < ?",
    );
    this.#matured = database.prepare(
      "SELECT amount FROM lock WHERE address = ? AND token = ? AND unlock_date <= ?",
    );
  }

  /**
   * At ledger time `at`, the newest address first, with numbers below `before`. Without any of the
   * token there is no balance.
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
    const rows = this.#holders.iterate(token, before, limit);
    yield* this.#shown(rows, { token, at, placeOf: ({ number }) => number as number });
  }

  /**
   * At ledger time `at`, the largest first, after the place `after` (empty for all). Alike
   * balances, and a magnitude with too many to sort, are by newer address.
   */
  ranked({
    token,
    after,
    limit,
    at,
  }: {
    readonly token: number;
    readonly after: string;
    readonly limit: number;
    readonly at: number;
  }): Iterable<Place<TokenHolder>> {
    const [amount = "", number = "0"] = after === "" ? [] : after.split("_");
    const behind = after === "" ? undefined : { amount: BigInt(amount), number: Number(number) };
    const rows = this.#largestFirst({ token, behind, limit });
    const placeOf = (row: Row) => `${whole(storedBalance(row))}_${row["number"]}`;
    return this.#shown(rows, { token, at, placeOf });
  }

  *#largestFirst({
    token,
    behind,
    limit,
  }: {
    readonly token: number;
    readonly behind: Rank | undefined;
    readonly limit: number;
  }): Generator<Row> {
    const begun = behind && magnitude(behind.amount);
    let next = begun ?? this.#magnitudeBelow(token, LAST);
    for (; next !== undefined; next = this.#magnitudeBelow(token, next)) {
      const last = next === begun ? behind : undefined;
      if (this.#isLarge.get(token, next, LAST, this.#sortedMax) !== undefined) {
        yield* this.#ofMagnitude.iterate(token, next, last?.number ?? LAST, limit);
        continue;
      }
      const ranked = this.#ofMagnitude
        .all(token, next, LAST, this.#sortedMax)
        .map((row) => ({
          row,
          amount: whole(storedBalance(row)),
          number: row["number"] as number,
        }))
        .filter((each) => last === undefined || byRank(last, each) < 0);
      yield* ranked.sort(byRank).map(({ row }) => row);
    }
  }

  #magnitudeBelow(token: number, magnitude: number): number | undefined {
    return (this.#smaller.get(token, magnitude)?.["magnitude"] as number | null) ?? undefined;
  }

  /** Ends early after many matured locks. */
  *#shown(
    rows: Iterable<Row>,
    {
      token,
      at,
      placeOf,
    }: {
      readonly token: number;
      readonly at: number;
      readonly placeOf: (row: Row) => number | string;
    },
  ): Generator<Place<TokenHolder>> {
    let maturedCount = 0;
    for (const row of rows) {
      const balance = storedBalance(row);
      const matured =
        balance.locks === 0 || balance.unlocksFrom > at
          ? []
          : this.#matured.all(row["number"] as number, token, at);
      maturedCount += matured.length;
      const free = matured.reduce(
        (total, { amount }) => sum(total, amountIn(amount)),
        balance.free,
      );
      const locked = (whole(balance) - free) as Amount;
      const entry = { address: row["address"] as Address, free, locked };
      yield { at: placeOf(row), entry, endsPage: maturedCount >= MATURED_MAX };
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
        const balance = tables.balances.balance(number, token);
        if (balance === undefined) {
          return undefined;
        }
        let { free } = balance;
        const locks =
          balance.locks === 0
            ? []
            : tables.balances.pastLocks([number, token], balance.unlocksFrom);
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

/** The larger first, then the newer address. */
function byRank(one: Rank, two: Rank): number {
  return one.amount === two.amount ? two.number - one.number : one.amount < two.amount ? 1 : -1;
}
