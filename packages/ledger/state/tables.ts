import { type Address, type Amount, canonicalJson } from "@moneta/protocol";
import { type Database, type Row, Statements } from "../database.ts";
import { invariant } from "../invariant.ts";
import type { Balance, Locked } from "./balance.ts";
import { DRAFT } from "./draft-entry.ts";
import type { AddressEntry, DocumentKind, DocumentTable, EntryKind } from "./entries.ts";
import { COUNT } from "./entries.ts";
import { HOLDING } from "./holding-entry.ts";
import { ITEM } from "./item-entry.ts";
import { MULTI_UNIT_ITEM } from "./multi-unit-item-entry.ts";
import { PROJECT } from "./project-entry.ts";
import { TOKEN } from "./token-entry.ts";
import { TOKEN_LISTING } from "./token-listing-entry.ts";
import { UNIT_LISTING } from "./unit-listing-entry.ts";

/** Tables of entries that are stored as documents. `document` holds the few that there are one of. */
const DOCUMENT_TABLES: readonly DocumentTable<never>[] = [
  COUNT.table,
  TOKEN.table,
  DRAFT.table,
  TOKEN_LISTING.table,
  PROJECT.table,
  ITEM.table,
  MULTI_UNIT_ITEM.table,
  HOLDING.table,
  UNIT_LISTING.table,
];

/**
 * Addresses are interned to integers, so that rows of balances are short and sorted by the order of creation. Amounts are decimal text.
 * Source: design, state and storage.
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
`;

/** All tables of the state, and what orders their rows. */
export const STATE_TABLES: readonly { readonly table: string; readonly key: string }[] = [
  { table: "address", key: "number" },
  { table: "balance", key: "address, token" },
  ...DOCUMENT_TABLES.map(({ name }) => ({ table: name, key: "number" })),
];

export function createStateTables(database: Database): void {
  database.exec(SCHEMA);
  for (const table of DOCUMENT_TABLES) {
    createDocumentTable(database, table);
  }
}

function createDocumentTable(database: Database, table: DocumentTable<never>): void {
  const columns = Object.entries(table.columns).map(
    ([name, { type }]) => `${name} ${type === "ADDRESS" ? "INTEGER" : `${type} NOT NULL`},`,
  );
  database.exec(`
    CREATE TABLE IF NOT EXISTS ${table.name} (
      number INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      ${columns.join(" ")}
      value TEXT NOT NULL
    ) STRICT;
  `);
  for (const index of table.indexes) {
    const name = `${table.name}_by_${index.join("_")}`;
    database.exec(`CREATE INDEX IF NOT EXISTS ${name} ON ${table.name} (${index.join(", ")})`);
  }
}

/** Finds the number of an address; undefined for one that the ledger does not have. */
export type NumberOf = (address: Address) => number | undefined;

const BALANCE_ADDRESS_START = "balance/".length;
const BALANCE_TOKEN_START = BALANCE_ADDRESS_START + 41;

/** Loads and saves state entries by their keys. */
export class StateTables {
  readonly #statements: Statements;

  constructor(database: Database) {
    this.#statements = new Statements(database);
  }

  /** The stored value, undefined if there is none. `numberOf` interns addresses. */
  load<V>(kind: EntryKind<V>, key: string, numberOf: NumberOf): V | undefined {
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
      default: {
        const row = this.#statements
          .prepare(`SELECT value FROM ${kind.table.name} WHERE key = ?`)
          .get(key);
        return row && restored(kind as DocumentKind<V>, row);
      }
    }
  }

  /** Values of the documents of which a column has a value, up to `limit` of them, in the order in which they came to be. */
  list<V>(
    kind: DocumentKind<V>,
    {
      column,
      value,
      limit,
    }: { readonly column: string; readonly value: string | number; readonly limit: number },
  ): V[] {
    const sql = `SELECT value FROM ${kind.table.name} WHERE ${column} = ? ORDER BY number LIMIT ?`;
    return this.#statements
      .prepare(sql)
      .all(value, limit)
      .map((row) => restored(kind, row));
  }

  /** The address with a number. */
  addressNumbered(number: number): Address | undefined {
    const row = this.#statements
      .prepare("SELECT address FROM address WHERE number = ?")
      .get(number);
    return row?.["address"] as Address | undefined;
  }

  /** Stores a value, or removes the entry where there is none any more. `text` is the value's JSON, as the block's changes have it. */
  save<V>(
    kind: EntryKind<V>,
    key: string,
    {
      value,
      text,
      numberOf,
    }: { readonly value: V | undefined; readonly text: string; readonly numberOf: NumberOf },
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
      default:
        this.#saveDocument(kind as DocumentKind<V>, key, { value, text, numberOf });
        break;
    }
  }

  #saveDocument<V>(
    kind: DocumentKind<V>,
    key: string,
    {
      value,
      text,
      numberOf,
    }: { readonly value: V | undefined; readonly text: string; readonly numberOf: NumberOf },
  ): void {
    const { name, columns } = kind.table;
    if (value === undefined) {
      this.#statements.prepare(`DELETE FROM ${name} WHERE key = ?`).run(key);
      return;
    }
    const names = Object.keys(columns);
    // Not OR REPLACE, which would give the row a new number.
    const sql = `INSERT INTO ${name} (${["key", "value", ...names].join(", ")})
      VALUES (${["?", "?", ...names.map(() => "?")].join(", ")})
      ON CONFLICT (key) DO UPDATE SET ${["value", ...names].map((column) => `${column} = excluded.${column}`).join(", ")}`;
    const cells = names.map((column) => cellOf(kind, column, value, numberOf));
    this.#statements
      .prepare(sql)
      .run(key, kind.stored === undefined ? text : canonicalJson(kind.stored(value)), ...cells);
  }

  #loadAddress(address: string): AddressEntry | undefined {
    const row = this.#statements.prepare("SELECT * FROM address WHERE address = ?").get(address);
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
    this.#statements
      .prepare("INSERT INTO address VALUES (?, ?, ?, ?, ?, ?, ?)")
      .run(
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
    const row = this.#statements
      .prepare("SELECT free, locked FROM balance WHERE address = ? AND token = ?")
      .get(address, token);
    return row && storedBalance(row["free"] as string, row["locked"] as string);
  }

  #saveBalance(address: number, token: number, balance: Balance | undefined): void {
    if (balance === undefined) {
      this.#statements
        .prepare("DELETE FROM balance WHERE address = ? AND token = ?")
        .run(address, token);
    } else {
      this.#statements
        .prepare("INSERT OR REPLACE INTO balance VALUES (?, ?, ?, ?)")
        .run(
          address,
          token,
          String(balance.free),
          balance.locked.length === 0 ? "" : lockedText(balance.locked),
        );
    }
  }
}

function restored<V>(kind: DocumentKind<V>, row: Row): V {
  return kind.restore(JSON.parse(row["value"] as string));
}

/** What stands in a column of a document's row. */
export function cellOf<V>(
  kind: DocumentKind<V>,
  column: string,
  value: V,
  numberOf: NumberOf,
): string | number | null {
  const described = kind.table.columns[column];
  invariant(described !== undefined, "only columns of the table are asked for");
  if (described.type !== "ADDRESS") {
    return described.of(value);
  }
  const address = described.of(value);
  return address === "" ? null : (numberOf(address) ?? null);
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
