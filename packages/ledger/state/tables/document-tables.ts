import { type Address, canonicalJson, type Json } from "@moneta/protocol";
import type { Database, Row, Statement, Statements } from "../../database.ts";
import { invariant } from "../../invariant.ts";
import type { JsonObject } from "../document.ts";
import type { Column, DocumentKind, DocumentTable, NumberOf, SavedEntry } from "../entries.ts";
import {
  attributeTable,
  attributeTexts,
  indexName,
  jsonText,
  mayBeNull,
  textsTable,
} from "../entries.ts";
import type { Cells, Query } from "../index-reader.ts";
import { DOCUMENT_KINDS, DOCUMENT_TABLES, ENTRY_TABLES, kindOf } from "../kinds.ts";
import { hasOtherTexts, type ReadTexts } from "../long-texts.ts";
import {
  addNameInProject,
  createNameTable,
  removeNameInProject,
  saveNames,
} from "../names/name-table.ts";
import type { EarlierEntries, StoredTexts } from "./earlier-entries.ts";

export const ATTRIBUTE_TABLES = DOCUMENT_TABLES.filter(
  ({ attributesOf }) => attributesOf !== undefined,
).map(attributeTable);

type KeptChange<V> = Omit<SavedEntry<V>, "text">;

interface Writes<V> {
  readonly insert: Statement;
  readonly updates: Map<string, Statement>;
  readonly columns: readonly (readonly [name: string, column: Column<V>])[];
}

/** Entries that are stored as JSON text, with their indexes, names and attributes. */
export class DocumentTables {
  readonly #statements: Statements;
  readonly #earlier: EarlierEntries;
  readonly #writes: Map<DocumentTable<never>, Writes<never>> = new Map();

  static create(database: Database): void {
    for (const table of DOCUMENT_TABLES) {
      createTable(database, table);
    }
    createNameTable(database);
  }

  constructor(statements: Statements, earlier: EarlierEntries) {
    this.#statements = statements;
    this.#earlier = earlier;
  }

  *entries(): Generator<readonly [key: string, text: string]> {
    for (const { name } of ENTRY_TABLES) {
      yield* this.#documentsOf(name);
    }
  }

  *#documentsOf(table: string): Generator<readonly [key: string, text: string]> {
    for (const row of this.#rows(table)) {
      const key = row["key"] as string;
      const kind = kindOf(key) as DocumentKind<unknown>;
      const stored =
        this.#earlier.past === undefined ? (row as unknown as StoredTexts) : this.get(kind, key);
      if (stored !== undefined && kind.table.longTexts === undefined) {
        yield [key, stored.value];
      } else if (stored !== undefined) {
        const value = restored(kind, stored, () => this.texts(kind, key));
        yield [key, jsonText(kind, value)];
      }
    }
  }

  *#rows(table: string): Generator<Row> {
    yield* this.#statements.prepare(`SELECT key, value, beside FROM ${table}`).iterate();
    for (const { prefix } of DOCUMENT_KINDS.filter((kind) => kind.table.name === table)) {
      for (const { key } of this.#earlier.gone(prefix)) {
        if (this.#stored(table, key) === undefined) {
          yield { key };
        }
      }
    }
  }

  get<V>({ table }: DocumentKind<V>, key: string): StoredTexts | undefined {
    const earlier = table.isCurrentOnly === true ? undefined : this.#earlier.document(key);
    return earlier === undefined ? this.#stored(table.name, key) : earlier.was;
  }

  /** From the index of keys alone, unless as of an earlier block. */
  has<V>(kind: DocumentKind<V>, key: string): boolean {
    return this.#earlier.past === undefined
      ? this.#statements.prepare(`SELECT 1 FROM ${kind.table.name} WHERE key = ?`).get(key) !==
          undefined
      : this.get(kind, key) !== undefined;
  }

  #stored(table: string, key: string): StoredTexts | undefined {
    return this.#statements.prepare(`SELECT value, beside FROM ${table} WHERE key = ?`).get(key) as
      | StoredTexts
      | undefined;
  }

  texts<V>(kind: DocumentKind<V>, key: string): JsonObject {
    return this.#earlier.texts(key) ?? storedTexts(this.#statements, kind, key);
  }

  /** Reads no text. */
  textsBytes<V>({ table }: DocumentKind<V>, key: string): number {
    const sql = `SELECT octet_length(value) AS bytes FROM ${textsTable(table)} WHERE key = ?`;
    const row = this.#statements.prepare(sql).get(key);
    invariant(row !== undefined, "an entry is stored with its long texts");
    return row["bytes"] as number;
  }

  /** In order, with the named columns. Reads no documents, which may be large. */
  seek<V>(
    { table }: DocumentKind<V>,
    { index, equal, range, limit }: Query,
    columns: readonly string[],
  ): Map<string, Cells> {
    invariant(
      this.#earlier.past === undefined,
      "what is looked up by an index is that of the newest block",
    );
    const order = index.slice(equal.length);
    const gaps = order.filter((name) => mayBeNull(table.columns[name] as Column<V>));
    const conditions = [
      ...index.slice(0, equal.length).map((name) => `${name} = ?`),
      ...(range === undefined ? [] : [`${order[0]} ${"below" in range ? "<" : ">"} ?`]),
      ...gaps.map((name) => `${name} IS NOT NULL`),
    ];
    const sql = `SELECT ${["key", ...columns].join(", ")} FROM ${table.name} INDEXED BY ${indexName(table, index)} WHERE ${conditions.join(" AND ")} ORDER BY ${[...order, "number"].join(", ")} LIMIT ?`;
    const bounds = range === undefined ? [] : [Object.values(range)[0] as number];
    const rows = this.#statements.prepare(sql).all(...equal, ...bounds, limit);
    return new Map(rows.map(({ key, ...cells }) => [key as string, cells as Cells]));
  }

  /**
   * `was` are its texts before the begun block, `is` those of its row now. Source: proofs §1.
   */
  keepEarlier<V>(
    kind: DocumentKind<V>,
    key: string,
    change: KeptChange<V>,
    { was, is }: { readonly was: StoredTexts | undefined; readonly is: StoredTexts | undefined },
  ): void {
    const { before, after } = change;
    this.#noteLeft(kind, key, change);
    const { longTexts } = kind.table;
    if (
      longTexts !== undefined &&
      before !== undefined &&
      after !== undefined &&
      hasOtherTexts(longTexts, before, after)
    ) {
      const texts = longTexts.json(before);
      if (canonicalJson(texts) !== canonicalJson(longTexts.json(after))) {
        this.#earlier.putTexts(key, texts);
      }
    }
    if (was !== undefined && was.value === is?.value && was.beside === is.beside) {
      return;
    }
    this.#earlier.putDocument(key, was);
    if (before !== undefined && after === undefined) {
      this.#earlier.putLeft(kind.prefix, key, key);
    }
  }

  #noteLeft<V>(
    { table }: DocumentKind<V>,
    key: string,
    { before, after, numberOf }: KeptChange<V>,
  ): void {
    if (before === undefined) {
      return;
    }
    const cell = (column: string, value: V): string | number | null =>
      column === "number"
        ? (table.rowNumber?.(value) ?? null)
        : cellOf(table, column, value, numberOf);
    for (const { column, order } of table.pastLists ?? []) {
      const was = cell(column, before);
      if (was !== null && (after === undefined || cell(column, after) !== was)) {
        const place = cell(order, before) as string | number;
        this.#earlier.putLeft(pastListName(table, column, was), place, key);
      }
    }
  }

  /** Stores or removes a document. Returns its texts. */
  save<V>(kind: DocumentKind<V>, key: string, entry: SavedEntry<V>): StoredTexts | undefined {
    const { before, after } = entry;
    const { longTexts } = kind.table;
    invariant(longTexts === undefined || after !== undefined, "what has long texts stays");
    if (after === undefined) {
      this.#statements.prepare(`DELETE FROM ${kind.table.name} WHERE key = ?`).run(key);
      return undefined;
    }
    const texts = textsOf(kind, after, entry.text);
    if (before === undefined) {
      this.#insert(kind, key, { after, texts, numberOf: entry.numberOf });
    } else {
      this.#update(kind, key, { before, after, texts, numberOf: entry.numberOf });
    }
    if (
      longTexts !== undefined &&
      (before === undefined || hasOtherTexts(longTexts, before, after))
    ) {
      const { changes } = this.#statements
        .prepare(
          before === undefined
            ? `INSERT INTO ${textsTable(kind.table)} (value, key) VALUES (?, ?)`
            : `UPDATE ${textsTable(kind.table)} SET value = ? WHERE key = ?`,
        )
        .run(JSON.stringify(longTexts.json(after)), key);
      invariant(changes === 1, "what was there before the block has a row");
    }
    this.#saveAttributes(kind, before, after);
    this.#saveGroup(kind, before, after);
    if (kind.table.names !== undefined) {
      saveNames(this.#statements, kind.table.names, before, after);
    }
    return texts;
  }

  /** Got or lost, if their members changed. */
  #saveAttributes<V>({ table }: DocumentKind<V>, before: V | undefined, after: V): void {
    const now = table.attributesOf?.(after);
    const earlier = before && table.attributesOf?.(before);
    if (now?.projectOrder === undefined || now.attributes === earlier?.attributes) {
      return;
    }
    const had = new Set(attributeTexts(earlier?.attributes ?? {}));
    const has = new Set(attributeTexts(now.attributes));
    const { projectOrder } = now;
    const number = table.rowNumber?.(after) as number;
    const name = attributeTable(table);
    for (const attribute of had.difference(has)) {
      this.#statements
        .prepare(`DELETE FROM ${name} WHERE project = ? AND attribute = ? AND number = ?`)
        .run(projectOrder, attribute, number);
      if (!this.#hasAttribute(projectOrder, attribute)) {
        removeNameInProject(this.#statements, {
          ...{ kind: "attribute", project: projectOrder, text: attribute },
        });
      }
    }
    for (const attribute of has.difference(had)) {
      this.#statements
        .prepare(`INSERT INTO ${name} VALUES (?, ?, ?)`)
        .run(projectOrder, attribute, number);
      addNameInProject(this.#statements, {
        ...{ kind: "attribute", project: projectOrder, text: attribute },
      });
    }
  }

  /** Of a kind of items that lists find by group. */
  #saveGroup<V>({ table }: DocumentKind<V>, before: V | undefined, after: V): void {
    if (table.columns["groupid"] === undefined) {
      return;
    }
    const { projectOrder: project, groupid = "" } = table.attributesOf?.(after) ?? {};
    const earlier = (before && table.attributesOf?.(before).groupid) ?? "";
    if (project === undefined || groupid === earlier) {
      return;
    }
    const isLeft =
      earlier !== "" &&
      this.#statements
        .prepare(`SELECT 1 FROM ${table.name} WHERE project = ? AND groupid = ? LIMIT 1`)
        .get(project, earlier) === undefined;
    if (isLeft) {
      removeNameInProject(this.#statements, { kind: "groupid", project, text: earlier });
    }
    if (groupid !== "") {
      addNameInProject(this.#statements, { kind: "groupid", project, text: groupid });
    }
  }

  #hasAttribute(project: number, attribute: string): boolean {
    return ATTRIBUTE_TABLES.some(
      (name) =>
        this.#statements
          .prepare(`SELECT 1 FROM ${name} WHERE project = ? AND attribute = ? LIMIT 1`)
          .get(project, attribute) !== undefined,
    );
  }

  #insert<V>(
    { table }: DocumentKind<V>,
    key: string,
    {
      after,
      texts: { value, beside },
      numberOf,
    }: { readonly after: V; readonly texts: StoredTexts; readonly numberOf: NumberOf },
  ): void {
    const number = table.rowNumber === undefined ? [] : [table.rowNumber(after)];
    const { insert, columns } = this.#writesOf(table);
    const cells = columns.map(([, column]) => cellFor(column, column.of(after), numberOf));
    insert.run(...number, key, ...cells, value, beside);
  }

  /** Writes only changed columns and their indexes: a bid changes only the bidder's. */
  #update<V>(
    { table }: DocumentKind<V>,
    key: string,
    {
      before,
      after,
      texts: { value, beside },
      numberOf,
    }: {
      readonly before: V;
      readonly after: V;
      readonly texts: StoredTexts;
      readonly numberOf: NumberOf;
    },
  ): void {
    const { updates, columns } = this.#writesOf(table);
    const changed: string[] = [];
    const cells: Cells[string][] = [];
    for (const [name, column] of columns) {
      const is = column.of(after);
      if (column.of(before) !== is) {
        changed.push(name);
        cells.push(cellFor(column, is, numberOf));
      }
    }
    const names = changed.join(" ");
    let update = updates.get(names);
    if (update === undefined) {
      const set = [...changed, "value", "beside"].map((name) => `${name} = ?`).join(", ");
      const row = table.rowNumber === undefined ? "key" : "number";
      update = this.#statements.prepare(`UPDATE ${table.name} SET ${set} WHERE ${row} = ?`);
      updates.set(names, update);
    }
    const { changes } = update.run(...cells, value, beside, table.rowNumber?.(after) ?? key);
    invariant(changes === 1, "what was there before the block has a row");
  }

  #writesOf<V>(table: DocumentTable<V>): Writes<V> {
    const known = this.#writes.get(table) as Writes<V> | undefined;
    if (known !== undefined) {
      return known;
    }
    const number = table.rowNumber === undefined ? [] : ["number"];
    const names = [...number, "key", ...Object.keys(table.columns), "value", "beside"];
    const values = names.map(() => "?").join(", ");
    const writes: Writes<V> = {
      insert: this.#statements.prepare(
        `INSERT INTO ${table.name} (${names.join(", ")}) VALUES (${values})`,
      ),
      updates: new Map(),
      columns: Object.entries(table.columns),
    };
    this.#writes.set(table, writes as Writes<never>);
    return writes;
  }
}

function createTable(database: Database, table: DocumentTable<never>): void {
  const columns = Object.entries(table.columns).map(
    ([name, column]) =>
      `${name} ${column.type === "ADDRESS" ? "INTEGER" : column.type}${mayBeNull(column) ? "" : " NOT NULL"},`,
  );
  database.exec(`
    CREATE TABLE IF NOT EXISTS ${table.name} (
      number INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      ${columns.join(" ")}
      value TEXT NOT NULL,
      -- What the entry has beside its document; NULL if nothing.
      beside TEXT
    ) STRICT;
  `);
  if (table.longTexts !== undefined) {
    database.exec(`
      CREATE TABLE IF NOT EXISTS ${textsTable(table)} (
        key TEXT PRIMARY KEY NOT NULL,
        value TEXT NOT NULL
      ) STRICT;
    `);
  }
  if (table.attributesOf !== undefined) {
    database.exec(`
      CREATE TABLE IF NOT EXISTS ${attributeTable(table)} (
        project INTEGER NOT NULL,
        attribute TEXT NOT NULL,
        -- Of the row that has the attribute.
        number INTEGER NOT NULL,
        PRIMARY KEY (project, attribute, number)
      ) STRICT, WITHOUT ROWID;
    `);
  }
  for (const index of table.indexes) {
    const gaps = index.filter((name) => mayBeNull(table.columns[name] as Column<never>));
    const where = gaps.map((name) => `${name} IS NOT NULL`).join(" AND ");
    database.exec(
      `CREATE INDEX IF NOT EXISTS ${indexName(table, index)} ON ${table.name} (${index.join(", ")}) ${where && `WHERE ${where}`}`,
    );
  }
}

export function restored<V>(
  kind: DocumentKind<V>,
  { value, beside }: StoredTexts,
  readTexts: ReadTexts,
): V {
  const stored = beside === null ? null : JSON.parse(beside);
  return kind.restore(JSON.parse(value) as Json, stored as Json, readTexts);
}

/** `json` is the JCS of one without long texts. */
export function textsOf<V>(kind: DocumentKind<V>, value: V, json?: string): StoredTexts {
  return {
    value:
      kind.table.longTexts === undefined
        ? (json ?? jsonText(kind, value))
        : JSON.stringify(kind.withoutTexts?.(value)),
    beside: kind.beside === undefined ? null : JSON.stringify(kind.beside(value)),
  };
}

export function storedTexts<V>(
  statements: Statements,
  { table }: DocumentKind<V>,
  key: string,
): JsonObject {
  const row = statements.prepare(`SELECT value FROM ${textsTable(table)} WHERE key = ?`).get(key);
  invariant(row !== undefined, "an entry is stored with its long texts");
  return JSON.parse(row["value"] as string) as JsonObject;
}

export function cellOf<V>(
  table: DocumentTable<V>,
  column: string,
  value: V,
  numberOf: NumberOf,
): Cells[string] {
  const described = table.columns[column];
  invariant(described !== undefined, "only columns of the table are read");
  return cellFor(described, described.of(value), numberOf);
}

function cellFor(
  { type }: Column<never>,
  value: string | number | undefined,
  numberOf: NumberOf,
): Cells[string] {
  if (type !== "ADDRESS") {
    return value ?? null;
  }
  if (value === "") {
    return null;
  }
  const number = numberOf(value as Address);
  invariant(number !== undefined, "entries name known addresses");
  return number;
}

export function pastListName(
  { name }: Pick<DocumentTable<never>, "name">,
  column: string,
  value: string | number,
): string {
  return `${name}_by_${column} ${value}`;
}
