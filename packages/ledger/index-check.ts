import { type Database, damageOf } from "./database.ts";
import { damagedEarlierIndex } from "./state/tables/earlier-entries.ts";

/**
 * Checks the b-trees, then compares every entry of every index with its row. `onIndex` gets the
 * number of checked indexes.
 */
export function damagedIndex(
  database: Database,
  onIndex: (read: number, total: number) => void,
): string | undefined {
  const damage = damageOf(database);
  if (damage !== undefined) {
    return damage.damage;
  }
  const indexes = indexesOf(database);
  for (const [at, index] of indexes.entries()) {
    const { entries, wrong } = readBy(database, index);
    if (wrong > 0 || entries !== index.rows) {
      return `${index.name} has ${entries} entries for ${index.rows} rows, ${wrong} of which are not those of their rows`;
    }
    onIndex(at + 1, indexes.length);
  }
  return damagedEarlierIndex(database);
}

/** The columns by which its entries name their rows. */
export interface Index {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** SQL, `""` for all rows. */
  readonly where: string;
  readonly rows: number;
}

export function indexesOf(database: Database): Index[] {
  const indexes: Index[] = [];
  const tables = database
    .prepare("SELECT name, wr FROM pragma_table_list WHERE type = 'table' AND schema = 'main'")
    .all();
  for (const { name: table, wr: isWithoutRowid } of tables) {
    const key =
      isWithoutRowid === 1
        ? namesOf(database, "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", table)
        : ["rowid"];
    const list = database
      .prepare("SELECT name, origin FROM pragma_index_list(?)")
      .all(table as string);
    for (const { name, origin } of list) {
      if (origin === "pk" && isWithoutRowid === 1) {
        continue;
      }
      const sql = database
        .prepare("SELECT sql FROM sqlite_schema WHERE name = ?")
        .get(name as string);
      const [, where = ""] = /( WHERE .*)$/s.exec((sql?.["sql"] as string | null) ?? "") ?? [];
      const count = database
        .prepare(`SELECT count(*) AS rows FROM "${table}" NOT INDEXED ${where}`)
        .get();
      indexes.push({
        name: name as string,
        table: table as string,
        columns: namesOf(database, "SELECT name FROM pragma_index_info(?) ORDER BY seqno", name),
        key,
        where,
        rows: count?.["rows"] as number,
      });
    }
  }
  return indexes;
}

/** Number of entries, and of those that do not match their row. */
function readBy(
  database: Database,
  { name, table, columns, key, where }: Index,
): { readonly entries: number; readonly wrong: number } {
  const all = [...new Set([...key, ...columns])];
  const fits = [
    ...key.map((column) => `r.${column} = e.${column}`),
    ...columns.map((column) => `r.${column} IS e.${column}`),
  ].join(" AND ");
  const row = database
    .prepare(
      `SELECT count(*) AS entries, total(NOT EXISTS (SELECT 1 FROM "${table}" AS r WHERE ${fits})) AS wrong
       FROM (SELECT ${all.join(", ")} FROM "${table}" INDEXED BY "${name}" ${where}) AS e`,
    )
    .get();
  return { entries: row?.["entries"] as number, wrong: row?.["wrong"] as number };
}

function namesOf(database: Database, sql: string, of: unknown): string[] {
  return database
    .prepare(sql)
    .all(of as string)
    .map(({ name }) => name as string);
}
