import { RECORD_TYPES, type RecordPart, type TransactionRecord } from "@moneta/protocol";
import type { Database, Statement } from "../database.ts";
import { invariant } from "../invariant.ts";
import { mergeNewest, type Source } from "./merge-newest.ts";

/**
 * Rows are integers only. The key has an address's history in its order; the index has it by type and token. There is none by token or by type alone: how many
 * types and tokens an address has to do with does not grow with its history, so looking into each of them costs less than writing two more rows for every record.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS history (
    address INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    type INTEGER NOT NULL,
    token INTEGER NOT NULL,
    PRIMARY KEY (address, entry)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS history_by_type ON history (address, type, token, entry);
`;

/** More records than one transaction ever makes. */
const RECORDS_MAX = 4096;

/** Which record of which transaction: 0 is M, the others are the effects in their order. */
export interface Entry {
  readonly transaction: number;
  readonly record: number;
}

/** What is wanted of a history: all conditions that are given. */
export interface HistoryFilter {
  /** Places in the list of types; undefined for all types. */
  readonly types: readonly number[] | undefined;
  readonly token: number | undefined;
  /** Transactions from this one on, and those before that one. */
  readonly from: number;
  readonly before: number;
}

/** The place of a type among all, undefined if there is no such type. */
export function typeNumber(type: string): number | undefined {
  return TYPE_NUMBERS.get(type);
}

const TYPE_NUMBERS: ReadonlyMap<string, number> = new Map(
  RECORD_TYPES.map((type, number): [string, number] => [type, number]),
);

/** What concerns each address: for each transaction M if it is filed under the address, and its records A. Source: chain §10. */
export class HistoryView {
  static readonly tables: readonly string[] = ["history"];
  readonly #insert: Statement | undefined;
  readonly #all: Statement;
  readonly #ofTypeAndToken: Statement;
  readonly #types: Statement;
  readonly #tokensOfType: Statement;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database, access: "read" | "write") {
    this.#insert =
      access === "write" ? database.prepare("INSERT INTO history VALUES (?, ?, ?, ?)") : undefined;
    this.#all = database.prepare(
      "SELECT entry FROM history WHERE address = ? AND entry >= ? AND entry < ? ORDER BY entry DESC LIMIT ?",
    );
    this.#ofTypeAndToken = database.prepare(
      `SELECT entry FROM history INDEXED BY history_by_type
       WHERE address = ? AND type = ? AND token = ? AND entry >= ? AND entry < ? ORDER BY entry DESC LIMIT ?`,
    );
    // From one to the next by the index, past all the rows of each.
    this.#types = database.prepare(
      `WITH RECURSIVE found (type) AS (
         SELECT min(type) FROM history INDEXED BY history_by_type WHERE address = ?1
         UNION ALL
         SELECT (SELECT min(type) FROM history INDEXED BY history_by_type WHERE address = ?1 AND type > found.type) FROM found
         WHERE found.type IS NOT NULL)
       SELECT type AS number FROM found WHERE type IS NOT NULL`,
    );
    this.#tokensOfType = database.prepare(
      `WITH RECURSIVE found (token) AS (
         SELECT min(token) FROM history INDEXED BY history_by_type WHERE address = ?1 AND type = ?2
         UNION ALL
         SELECT (SELECT min(token) FROM history INDEXED BY history_by_type WHERE address = ?1 AND type = ?2 AND token > found.token)
         FROM found WHERE found.token IS NOT NULL)
       SELECT token AS number FROM found WHERE token IS NOT NULL`,
    );
  }

  /** Files the records of a transaction; `numberOf` interns addresses. */
  insert(
    transaction: number,
    record: TransactionRecord,
    numberOf: (address: string) => number | undefined,
  ): void {
    const { address, effects } = record;
    invariant(effects.length < RECORDS_MAX, "a transaction has fewer records");
    if (address !== "" && !effects.some((effect) => isSaidBy(effect, record))) {
      this.#file(transaction * RECORDS_MAX, record, numberOf);
    }
    for (const [index, effect] of effects.entries()) {
      if (effect.address !== "") {
        this.#file(transaction * RECORDS_MAX + index + 1, effect, numberOf);
      }
    }
  }

  /** Up to `limit` entries behind `after`, the newest first, of one transaction the last record first. */
  page(
    address: number,
    filter: HistoryFilter,
    { after, limit }: { readonly after: number | undefined; readonly limit: number },
  ): readonly number[] {
    const before = Math.min(after ?? Number.MAX_SAFE_INTEGER, firstEntry(filter.before));
    return mergeNewest(this.#sources(address, filter), { before, limit });
  }

  #file(entry: number, part: RecordPart, numberOf: (address: string) => number | undefined): void {
    const number = numberOf(part.address);
    const type = TYPE_NUMBERS.get(part.type);
    invariant(number !== undefined && type !== undefined, "records are of what there is");
    this.#insert?.run(number, entry, type, part.token);
  }

  #sources(address: number, { types, token, from }: HistoryFilter): readonly Source[] {
    const first = firstEntry(from);
    if (types === undefined && token === undefined) {
      return [
        (before, limit) =>
          this.#all.all(address, first, before, limit).map((row) => row["entry"] as number),
      ];
    }
    return (types ?? numbers(this.#types.all(address))).flatMap((type) =>
      (token === undefined ? numbers(this.#tokensOfType.all(address, type)) : [token]).map(
        (ofToken): Source =>
          (before, limit) =>
            this.#ofTypeAndToken
              .all(address, type, ofToken, first, before, limit)
              .map((row) => row["entry"] as number),
      ),
    );
  }
}

/** The number that the entries of a transaction begin with. */
function firstEntry(transaction: number): number {
  return Math.min(transaction * RECORDS_MAX, Number.MAX_SAFE_INTEGER);
}

/** Which record of which transaction an entry of a history is. */
export function entryOf(entry: number): Entry {
  return { transaction: Math.floor(entry / RECORDS_MAX), record: entry % RECORDS_MAX };
}

/** Whether an effect says all that M says, to the same address. Source: chain §10. */
function isSaidBy(effect: RecordPart, { address, parameters }: RecordPart): boolean {
  return (
    effect.address === address &&
    (effect.parameters === parameters ||
      (effect.parameters.length === parameters.length &&
        effect.parameters.every((parameter, index) => parameter === parameters[index])))
  );
}

function numbers(rows: readonly { readonly [column: string]: unknown }[]): number[] {
  return rows.map((row) => row["number"] as number);
}
