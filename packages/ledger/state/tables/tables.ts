import { type Database, Statements } from "../../database.ts";
import type { Balance, Lock } from "../balances/balance.ts";
import {
  type AddressEntry,
  type DocumentKind,
  type EntryKind,
  type NumberOf,
  type SavedEntry,
  textsTable,
} from "../entries.ts";
import { DOCUMENT_TABLES } from "../kinds.ts";
import { NAME_TABLE } from "../names/name-table.ts";
import { AddressTable } from "./address-table.ts";
import { BalanceTables } from "./balance-tables.ts";
import { ATTRIBUTE_TABLES, DocumentTables } from "./document-tables.ts";
import { EARLIER_TABLES, EarlierEntries, type StoredTexts } from "./earlier-entries.ts";

/** Rows' order, and the columns that follow from the blocks: a document's `number` does not. */
export const STATE_TABLES: readonly {
  readonly table: string;
  readonly key: string;
  readonly columns: string;
}[] = [
  { table: "address", key: "number", columns: "*" },
  { table: "balance", key: "address, token", columns: "*" },
  { table: "lock", key: "address, token, unlock_date", columns: "*" },
  { table: "holder_count", key: "token", columns: "*" },
  { table: "holder_rank", key: "token, magnitude, address", columns: "*" },
  ...DOCUMENT_TABLES.map(({ name, columns }) => ({
    table: name,
    key: "key",
    columns: ["key", ...Object.keys(columns), "value", "beside"].join(", "),
  })),
  ...DOCUMENT_TABLES.filter(({ longTexts }) => longTexts !== undefined).map((table) => ({
    table: textsTable(table),
    key: "key",
    columns: "*",
  })),
  ...ATTRIBUTE_TABLES.map((table) => ({
    table,
    key: "project, attribute, number",
    columns: "*",
  })),
  NAME_TABLE,
  ...EARLIER_TABLES.map((table) => ({ ...table, columns: "*" })),
];

export function createStateTables(database: Database): void {
  AddressTable.create(database);
  BalanceTables.create(database);
  DocumentTables.create(database);
  EarlierEntries.create(database);
}

/** Reads as of `earlier.past`, if it is set. Source: chain §5, proofs §1. */
export class StateTables {
  readonly earlier: EarlierEntries;
  readonly addresses: AddressTable;
  readonly balances: BalanceTables;
  readonly documents: DocumentTables;

  constructor(database: Database) {
    const statements = new Statements(database);
    this.earlier = new EarlierEntries(database);
    this.addresses = new AddressTable(statements, this.earlier);
    this.balances = new BalanceTables(statements, this.earlier, this.addresses);
    this.documents = new DocumentTables(statements, this.earlier);
  }

  load(
    table: "address" | "balance" | "lock",
    key: string,
    numberOf: NumberOf,
  ): AddressEntry | Balance | Lock | undefined {
    switch (table) {
      case "address":
        return this.addresses.get(key.slice("address/".length));
      case "balance":
        return this.balances.balanceOf(key, numberOf);
      case "lock":
        return this.balances.lockOf(key, numberOf);
    }
  }

  /**
   * Each entry with the JCS of its value, after those to which it refers. Reads one at a time, as
   * of an earlier block also the kept states. Source: chain §5.
   */
  *entries(): Generator<readonly [key: string, text: string]> {
    yield* this.addresses.entries();
    yield* this.balances.entries();
    yield* this.documents.entries();
  }

  /**
   * Stores or removes an entry. `text` is its JSON in the block's changes. Returns a document's
   * texts.
   */
  save<V>(kind: EntryKind<V>, key: string, entry: SavedEntry<V>): StoredTexts | undefined {
    switch (kind.table) {
      case "address":
        this.addresses.insert(entry.after as AddressEntry);
        return undefined;
      case "balance":
        this.balances.saveBalance(key, entry as SavedEntry<unknown> as SavedEntry<Balance>);
        return undefined;
      case "lock":
        this.balances.saveLock(key, entry as SavedEntry<unknown> as SavedEntry<Lock>);
        return undefined;
      default:
        return this.documents.save(kind as DocumentKind<V>, key, entry);
    }
  }
}
