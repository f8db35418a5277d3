import type { Address, Amount } from "@moneta/protocol";
import type { Database, Statement } from "../database.ts";
import { invariant } from "../invariant.ts";
import type { Balance, Locked } from "./balance.ts";
import type { AddressEntry, EntryKind } from "./entries.ts";

/**
 * Addresses are interned to integers, so that rows of balances are short and sorted by the order of creation. Amounts are decimal text.
 * `document` holds the few entries that are read by nobody but the rules. Source: design, state and storage.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS address (
    number INTEGER PRIMARY KEY,
    address TEXT NOT NULL UNIQUE,
    public_key TEXT NOT NULL,
    addinfo TEXT NOT NULL,
    create_date INTEGER NOT NULL,
    signed TEXT NOT NULL,
    transaction_number INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS address_by_key ON address (public_key);
  CREATE TABLE IF NOT EXISTS balance (
    address INTEGER NOT NULL,
    token INTEGER NOT NULL,
    free TEXT NOT NULL,
    locked TEXT NOT NULL,
    PRIMARY KEY (address, token)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS document (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

export const STATE_TABLES: readonly string[] = ["address", "balance", "document"];

export function createStateTables(database: Database): void {
  database.exec(SCHEMA);
}

const BALANCE_ADDRESS_START = "balance/".length;
const BALANCE_TOKEN_START = BALANCE_ADDRESS_START + 41;

/** Loads and saves state entries by their keys. */
export class StateTables {
  readonly #database: Database;
  readonly #statements: Map<string, Statement> = new Map();

  constructor(database: Database) {
    this.#database = database;
  }

  /** The stored value, undefined if there is none. `numberOf` interns addresses. */
  load<V>(
    kind: EntryKind<V>,
    key: string,
    numberOf: (address: Address) => number | undefined,
  ): V | undefined {
    switch (kind.table) {
      case "address":
        return this.#loadAddress(key.slice("address/".length)) as V | undefined;
      case "balance": {
        const number = numberOf(
          key.slice(BALANCE_ADDRESS_START, BALANCE_TOKEN_START - 1) as Address,
        );
        return number === undefined
          ? undefined
          : (this.#loadBalance(number, Number(key.slice(BALANCE_TOKEN_START))) as V | undefined);
      }
      case "document": {
        const row = this.#prepare("SELECT value FROM document WHERE key = ?").get(key);
        return row === undefined ? undefined : (JSON.parse(row["value"] as string) as V);
      }
    }
  }

  /** Stores a value, or removes the entry where there is none any more. */
  save<V>(
    kind: EntryKind<V>,
    key: string,
    value: V | undefined,
    numberOf: (address: Address) => number | undefined,
  ): void {
    switch (kind.table) {
      case "address":
        this.#insertAddress(value as AddressEntry);
        break;
      case "balance": {
        const number = numberOf(
          key.slice(BALANCE_ADDRESS_START, BALANCE_TOKEN_START - 1) as Address,
        );
        invariant(number !== undefined, "only known addresses have balances");
        this.#saveBalance(
          number,
          Number(key.slice(BALANCE_TOKEN_START)),
          value as Balance | undefined,
        );
        break;
      }
      case "document":
        if (value === undefined) {
          this.#prepare("DELETE FROM document WHERE key = ?").run(key);
        } else {
          this.#prepare("INSERT OR REPLACE INTO document VALUES (?, ?)").run(
            key,
            JSON.stringify(value),
          );
        }
        break;
    }
  }

  #loadAddress(address: string): AddressEntry | undefined {
    const row = this.#prepare("SELECT * FROM address WHERE address = ?").get(address);
    return (
      row && {
        address: row["address"] as Address,
        number: row["number"] as number,
        publicKey: row["public_key"] as string,
        addinfo: row["addinfo"] as string,
        createDate: row["create_date"] as number,
        signed: row["signed"] as "full" | "",
        transactionNumber: row["transaction_number"] as number,
      }
    );
  }

  #insertAddress(entry: AddressEntry): void {
    this.#prepare("INSERT INTO address VALUES (?, ?, ?, ?, ?, ?, ?)").run(
      entry.number,
      entry.address,
      entry.publicKey,
      entry.addinfo,
      entry.createDate,
      entry.signed,
      entry.transactionNumber,
    );
  }

  #loadBalance(address: number, token: number): Balance | undefined {
    const row = this.#prepare(
      "SELECT free, locked FROM balance WHERE address = ? AND token = ?",
    ).get(address, token);
    return row && storedBalance(row["free"] as string, row["locked"] as string);
  }

  #saveBalance(address: number, token: number, balance: Balance | undefined): void {
    if (balance === undefined) {
      this.#prepare("DELETE FROM balance WHERE address = ? AND token = ?").run(address, token);
    } else {
      this.#prepare("INSERT OR REPLACE INTO balance VALUES (?, ?, ?, ?)").run(
        address,
        token,
        String(balance.free),
        balance.locked.length === 0 ? "" : lockedText(balance.locked),
      );
    }
  }

  #prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** A balance from its row. Locked amounts stand as `date:amount`, joined with blanks, in the order of their dates. */
export function storedBalance(free: string, locked: string): Balance {
  return {
    free: BigInt(free) as Amount,
    locked:
      locked === ""
        ? []
        : locked.split(" ").map((entry) => {
            const colon = entry.indexOf(":");
            return {
              unlockDate: Number(entry.slice(0, colon)),
              amount: BigInt(entry.slice(colon + 1)) as Amount,
            };
          }),
  };
}

function lockedText(locked: readonly Locked[]): string {
  return locked.map(({ amount, unlockDate }) => `${unlockDate}:${amount}`).join(" ");
}
