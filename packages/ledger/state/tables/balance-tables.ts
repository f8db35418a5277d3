import { type Address, type Amount, canonicalJson, type TokenId } from "@moneta/protocol";
import type { Database, Row, Statements } from "../../database.ts";
import { invariant } from "../../invariant.ts";
import {
  BALANCE,
  type Balance,
  balanceKey,
  LOCK,
  type Lock,
  lockKey,
  magnitude,
  whole,
} from "../balances/balance.ts";
import { BoundedCache } from "../bounded-cache.ts";
import type { NumberOf, SavedEntry } from "../entries.ts";
import type { AddressTable } from "./address-table.ts";
import {
  BALANCES_LIST,
  balancesListName,
  type EarlierEntries,
  LOCKS_LIST,
  type LockPlace,
  locksListName,
  lowestIn,
} from "./earlier-entries.ts";

type BalancePlace = readonly [address: number, token: number];

interface HeldPlace {
  readonly holder: Address;
  readonly address: number;
  readonly token: number;
}

interface PlaceInKey {
  readonly address: Address;
  readonly token: number;
  readonly unlockDate: number;
}

/** Read last: every balance needs its place. */
const PLACES = new BoundedCache<PlaceInKey>(32_768);

function placeIn(key: string): PlaceInKey {
  let place = PLACES.get(key);
  if (place === undefined) {
    const [, address = "", token, unlockDate = 0] = key.split("/");
    place = { address: address as Address, token: Number(token), unlockDate: Number(unlockDate) };
    PLACES.set(key, place);
  }
  return place;
}

/** Balances with their locks, and the holders of each token. Amounts are decimal text. */
export class BalanceTables {
  readonly #statements: Statements;
  readonly #earlier: EarlierEntries;
  readonly #addresses: AddressTable;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(statements: Statements, earlier: EarlierEntries, addresses: AddressTable) {
    this.#statements = statements;
    this.#earlier = earlier;
    this.#addresses = addresses;
  }

  balanceOf(key: string, numberOf: NumberOf): Balance | undefined {
    const { address, token } = placeIn(key);
    const number = numberOf(address);
    return number === undefined ? undefined : this.balance(number, token);
  }

  lockOf(key: string, numberOf: NumberOf): Lock | undefined {
    const { address, token, unlockDate } = placeIn(key);
    const number = numberOf(address);
    const amount = number === undefined ? undefined : this.lock([number, token, unlockDate]);
    return amount && { address, token: String(token) as TokenId, unlockDate, amount };
  }

  /** Balances before locks. */
  *entries(): Generator<readonly [key: string, text: string]> {
    const isPast = this.#earlier.past !== undefined;
    for (const { holder, address, token, balance } of this.#balances()) {
      const shown = isPast ? this.balance(address, token) : balance;
      if (shown !== undefined) {
        const key = balanceKey(holder, String(token) as TokenId);
        yield [key, canonicalJson(BALANCE.json(shown))];
      }
    }
    for (const { holder, address, token, unlockDate, amount } of this.#locks()) {
      const shown = isPast ? this.lock([address, token, unlockDate]) : amount;
      if (shown !== undefined) {
        const of = { address: holder, token: String(token) as TokenId };
        const key = lockKey(holder, of.token, unlockDate);
        yield [key, canonicalJson(LOCK.json({ ...of, unlockDate, amount: shown }))];
      }
    }
  }

  /** As of an earlier block also those gone since. */
  *#balances(): Generator<HeldPlace & { readonly balance?: Balance }> {
    for (const row of this.#rowsWithHolders("balance")) {
      yield { ...(row as unknown as HeldPlace), balance: storedBalance(row) };
    }
    for (const { list, place } of this.#earlier.gone(BALANCES_LIST)) {
      const [address, token] = [Number(list.slice(BALANCES_LIST.length)), place as number];
      if (this.#storedBalance(address, token) === undefined) {
        yield { address, token, holder: this.#addresses.numbered(address) as Address };
      }
    }
  }

  *#locks(): Generator<HeldPlace & { readonly unlockDate: number; readonly amount?: Amount }> {
    for (const row of this.#rowsWithHolders("lock")) {
      const unlockDate = row["unlock_date"] as number;
      yield { ...(row as unknown as HeldPlace), unlockDate, amount: amountIn(row["amount"]) };
    }
    for (const { list, place } of this.#earlier.gone(LOCKS_LIST)) {
      const [address = 0, token = 0] = list.slice(LOCKS_LIST.length).split("/").map(Number);
      const unlockDate = place as number;
      if (this.#storedLock([address, token, unlockDate]) === undefined) {
        const holder = this.#addresses.numbered(address) as Address;
        yield { address, token, unlockDate, holder };
      }
    }
  }

  #rowsWithHolders(table: "balance" | "lock"): Iterable<Row> {
    return this.#statements
      .prepare(
        `SELECT held.*, address.address AS holder FROM ${table} AS held JOIN address ON number = held.address`,
      )
      .iterate();
  }

  balance(address: number, token: number): Balance | undefined {
    const earlier = this.#earlier.balance(address, token);
    return earlier === undefined ? this.#storedBalance(address, token) : earlier.was;
  }

  #storedBalance(address: number, token: number): Balance | undefined {
    const row = this.#statements
      .prepare(
        "SELECT free, locks, locked, unlocks_from FROM balance WHERE address = ? AND token = ?",
      )
      .get(address, token);
    return row && storedBalance(row);
  }

  lock(place: LockPlace): Amount | undefined {
    const earlier = this.#earlier.lock(place);
    return earlier === undefined ? this.#storedLock(place) : earlier.was;
  }

  #storedLock(place: LockPlace): Amount | undefined {
    const row = this.#statements
      .prepare("SELECT amount FROM lock WHERE address = ? AND token = ? AND unlock_date = ?")
      .get(...place);
    return row && amountIn(row["amount"]);
  }

  /** Both dates included, earliest first. */
  locks(
    of: { readonly address: Address; readonly token: TokenId },
    {
      number,
      from,
      to,
      limit,
    }: {
      readonly number: number;
      readonly from: number;
      readonly to: number;
      readonly limit: number;
    },
  ): Lock[] {
    return this.#statements
      .prepare(
        "SELECT unlock_date, amount FROM lock WHERE address = ? AND token = ? AND unlock_date BETWEEN ? AND ? ORDER BY unlock_date LIMIT ?",
      )
      .all(number, Number(of.token), from, to, limit)
      .map((row) => ({
        ...of,
        unlockDate: row["unlock_date"] as number,
        amount: amountIn(row["amount"]),
      }));
  }

  /**
   * Possible as of the earlier block, in order, each with the balance if any. Two look-ups find
   * each.
   */
  *pastBalances(
    address: number,
    from: number,
    to: number,
  ): Generator<{ readonly token: number; readonly balance: Balance | undefined }> {
    const current = this.#statements.prepare(
      "SELECT min(token) AS lowest FROM balance WHERE address = ? AND token BETWEEN ? AND ?",
    );
    const next = (token: number): number | undefined =>
      lower(lowestIn(current.get(address, token, to)), this.#earlier.nextToken(address, token, to));
    for (let token = next(from); token !== undefined; token = next(token + 1)) {
      yield { token, balance: this.balance(address, token) };
    }
  }

  /** Possible as of the earlier block, in order, each with the amount if any. */
  *pastLocks(
    [address, token]: BalancePlace,
    from: number,
  ): Generator<{ readonly unlockDate: number; readonly amount: Amount | undefined }> {
    const current = this.#statements.prepare(
      "SELECT min(unlock_date) AS lowest FROM lock WHERE address = ? AND token = ? AND unlock_date >= ?",
    );
    const next = (date: number): number | undefined =>
      lower(
        lowestIn(current.get(address, token, date)),
        this.#earlier.nextUnlockDate([address, token], date),
      );
    for (let date = next(from); date !== undefined; date = next(date + 1)) {
      yield { unlockDate: date, amount: this.lock([address, token, date]) };
    }
  }

  holders(token: number): number {
    const row = this.#statements
      .prepare("SELECT holders FROM holder_count WHERE token = ?")
      .get(token);
    return (row?.["holders"] as number | undefined) ?? 0;
  }

  saveBalance(key: string, entry: SavedEntry<Balance>): void {
    const { address, token } = placeIn(key);
    const number = entry.numberOf(address);
    invariant(number !== undefined, "only known addresses have balances");
    if (this.#earlier.isKeeping) {
      this.#earlier.putBalance([number, token], entry.before);
      if (entry.after === undefined) {
        this.#earlier.putLeft(balancesListName(number), token);
        this.#earlier.putLeft(holdersListName(token), number);
      }
    }
    this.#storeBalance([number, token], entry);
    this.#storeRank([number, token], entry);
  }

  #storeBalance([address, token]: BalancePlace, { before, after }: SavedEntry<Balance>): void {
    if (after === undefined) {
      this.#statements
        .prepare("DELETE FROM balance WHERE address = ? AND token = ?")
        .run(address, token);
      this.#countHolders(token, -1);
      return;
    }
    const { free, locks, locked, unlocksFrom } = after;
    // Not OR REPLACE, which would write the index of holders.
    const sql =
      before === undefined
        ? "INSERT INTO balance (free, locks, locked, unlocks_from, address, token) VALUES (?, ?, ?, ?, ?, ?)"
        : "UPDATE balance SET free = ?, locks = ?, locked = ?, unlocks_from = ? WHERE address = ? AND token = ?";
    const { changes } = this.#statements
      .prepare(sql)
      .run(String(free), locks, String(locked), unlocksFrom, address, token);
    invariant(changes === 1, "what was there before the block has a row");
    if (before === undefined) {
      this.#countHolders(token, 1);
    }
  }

  #storeRank([address, token]: BalancePlace, { before, after }: SavedEntry<Balance>): void {
    const was = before && magnitude(whole(before));
    const is = after && magnitude(whole(after));
    if (was !== undefined && was !== is) {
      this.#statements
        .prepare("DELETE FROM holder_rank WHERE token = ? AND magnitude = ? AND address = ?")
        .run(token, was, address);
    }
    if (is !== undefined && is !== was) {
      this.#statements.prepare("INSERT INTO holder_rank VALUES (?, ?, ?)").run(token, is, address);
    }
  }

  #countHolders(token: number, more: 1 | -1): void {
    this.#statements
      .prepare(
        "INSERT INTO holder_count VALUES (?, ?) ON CONFLICT DO UPDATE SET holders = holders + excluded.holders",
      )
      .run(token, more);
    if (more === -1) {
      this.#statements
        .prepare("DELETE FROM holder_count WHERE token = ? AND holders = 0")
        .run(token);
    }
  }

  saveLock(key: string, { before, after, numberOf }: SavedEntry<Lock>): void {
    const { address, token, unlockDate } = placeIn(key);
    const number = numberOf(address);
    invariant(number !== undefined, "only known addresses have locks");
    const place: LockPlace = [number, token, unlockDate];
    if (this.#earlier.isKeeping) {
      this.#earlier.putLock(place, before?.amount);
      if (after === undefined) {
        this.#earlier.putLeft(locksListName(number, token), unlockDate);
      }
    }
    const at = "address = ? AND token = ? AND unlock_date = ?";
    if (after === undefined) {
      const { changes } = this.#statements.prepare(`DELETE FROM lock WHERE ${at}`).run(...place);
      invariant(changes === 1, "what was there before the block has a row");
      return;
    }
    const sql =
      before === undefined
        ? "INSERT INTO lock (amount, address, token, unlock_date) VALUES (?, ?, ?, ?)"
        : `UPDATE lock SET amount = ? WHERE ${at}`;
    this.#statements.prepare(sql).run(String(after.amount), ...place);
  }
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS balance (
    address INTEGER NOT NULL,
    token INTEGER NOT NULL,
    free TEXT NOT NULL,
    -- Number and sum of the rows in lock, none of which unlocks before unlocks_from.
    locks INTEGER NOT NULL,
    locked TEXT NOT NULL,
    unlocks_from INTEGER NOT NULL,
    PRIMARY KEY (address, token)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS balance_by_token ON balance (token, address);
  -- How many balances of a token there are: counting them would take as long as there are many.
  CREATE TABLE IF NOT EXISTS holder_count (
    token INTEGER PRIMARY KEY,
    holders INTEGER NOT NULL
  ) STRICT;
  -- Holders by the magnitude of what they have, which few payments change. Source: tokens §2.
  CREATE TABLE IF NOT EXISTS holder_rank (
    token INTEGER NOT NULL,
    magnitude INTEGER NOT NULL,
    address INTEGER NOT NULL,
    PRIMARY KEY (token, magnitude, address)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS lock (
    address INTEGER NOT NULL,
    token INTEGER NOT NULL,
    unlock_date INTEGER NOT NULL,
    amount TEXT NOT NULL,
    PRIMARY KEY (address, token, unlock_date)
  ) STRICT, WITHOUT ROWID;
`;

export function holdersListName(token: number): string {
  return `balance_by_token ${token}`;
}

export function storedBalance(row: Row): Balance {
  return {
    free: amountIn(row["free"]),
    locks: row["locks"] as number,
    locked: amountIn(row["locked"]),
    unlocksFrom: row["unlocks_from"] as number,
  };
}

export function amountIn(cell: Row[string] | undefined): Amount {
  return BigInt(cell as string) as Amount;
}

function lower(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
