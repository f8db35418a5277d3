import {
  operationRecords,
  RECORD_TYPES,
  type RecordPart,
  saysTheSame,
  type TransactionRecord,
} from "@moneta/protocol";
import type { Database, Row, Statement } from "../database.ts";
import { invariant } from "../invariant.ts";

/**
 * An index of full-text search: a document is an entry, its words say what it is found by. Rows of a
 * table in the order of addresses would be written at random places, a page of the file for each.
 * The index collects the words of a transaction in memory, and writes and merges them in sequence.
 * Source: ADR 20.
 */
const SCHEMA = `
  CREATE VIRTUAL TABLE IF NOT EXISTS history USING fts5 (
    words, content = '', columnsize = 0, detail = none, tokenize = "ascii tokenchars '/-'"
  );
`;

/**
 * Bound as an integer: a JavaScript number is a REAL to SQLite, and the index would be read to its
 * end.
 */
const ENTRY = "CAST(? AS INTEGER)";

/** More records than one transaction ever makes. */
const RECORDS_MAX = 4096;

/** Which record of which transaction: 0 is M, the others are the effects in their order. */
export interface Entry {
  readonly transaction: number;
  readonly record: number;
}

/** A filter of a history: all given conditions. */
export interface HistoryFilter {
  /** Places in the list of types; undefined for all types. */
  readonly types: readonly number[] | undefined;
  readonly token: number | undefined;
  /** Transactions from this one on, and those before that one. */
  readonly from: number;
  readonly before: number;
}

/** A page of a history: up to `limit` entries after `after`, or the first ones. */
export interface HistoryPage {
  readonly after: number | undefined;
  readonly limit: number;
}

/** The numbers of what histories are of. */
export interface SubjectNumbers {
  address(address: string): number | undefined;
  /** Of an item, listing or project; see `subjectsOf`. */
  item(id: string): readonly number[];
}

/** The place of a type among all, undefined if there is no such type. */
export function typeNumber(type: string): number | undefined {
  return TYPE_NUMBERS.get(type);
}

const TYPE_NUMBERS: ReadonlyMap<string, number> = new Map(
  RECORD_TYPES.map((type, number): [string, number] => [type, number]),
);

/**
 * Histories: for each address, of each transaction M if it is filed there, and its records A; for
 * each item, listing and project its records I and L. Source: chain §10.
 */
export class HistoryView {
  readonly #insert: Statement | undefined;
  readonly #newest: Statement;
  readonly #oldest: Statement;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database, access: "read" | "write") {
    this.#insert =
      access === "write"
        ? database.prepare(`INSERT INTO history (rowid, words) VALUES (${ENTRY}, ?)`)
        : undefined;
    const found = `SELECT rowid AS entry FROM history WHERE history MATCH ? AND rowid >= ${ENTRY} AND rowid < ${ENTRY} ORDER BY rowid`;
    this.#newest = database.prepare(`${found} DESC LIMIT ?`);
    this.#oldest = database.prepare(`${found} LIMIT ?`);
  }

  /** Files the records of a transaction, under the numbers of `numbersOf`. */
  insert(transaction: number, record: TransactionRecord, numbersOf: SubjectNumbers): void {
    invariant(record.effects.length < RECORDS_MAX, "a transaction has fewer records");
    const wordsOfAddress = ({ address, type, token }: RecordPart): string => {
      if (address === "") {
        return "";
      }
      const number = numbersOf.address(address);
      invariant(number !== undefined, "records are of what there is");
      return wordsOf(number, type, token);
    };
    const wordsOfItem = ({ item, type }: RecordPart): string => {
      if (item === undefined) {
        return "";
      }
      const subjects = numbersOf.item(item);
      invariant(subjects.length > 0, "records are of what there is");
      // Without the token, which is no filter there.
      return subjects.map((subject) => wordsOf(subject, type)).join("");
    };
    const fileAll = (own: TransactionRecord, first: number): void => {
      if (!own.effects.some((effect) => saysTheSame(effect, own))) {
        this.#file(first, wordsOfAddress(own));
      }
      for (const [index, effect] of own.effects.entries()) {
        this.#file(first + index + 1, wordsOfAddress(effect) + wordsOfItem(effect));
      }
    };
    const start = firstEntry(transaction);
    if (record.effects[0]?.at !== undefined) {
      // The bundle's own record, which none of its effects repeats. Source: bundles §5.
      this.#file(start, wordsOfAddress(record));
    }
    for (const { record: own, first } of operationRecords(record)) {
      fileAll(own, start + first);
    }
  }

  /**
   * Up to `limit` entries after `after`, newest first, of one transaction the last record first, of
   * an address or one of `subjectsOf`.
   */
  page(
    subject: number,
    { types, token, from, before }: HistoryFilter,
    { after = Number.MAX_SAFE_INTEGER, limit }: HistoryPage,
  ): readonly number[] {
    const words = (types ?? [undefined]).map((type) => wordOf(subject, type, token));
    const end = Math.min(after, firstEntry(before));
    return words.length === 0
      ? []
      : entriesIn(this.#newest.all(anyOf(words), firstEntry(from), end, limit));
  }

  /**
   * The transactions of any of the addresses in a range of numbers, oldest first, at most `limit`.
   * `end` is the number before which they have been searched.
   */
  transactionsOf(
    addresses: readonly number[],
    { from, before }: Pick<HistoryFilter, "from" | "before">,
    limit: number,
  ): { readonly transactions: readonly number[]; readonly end: number } {
    if (addresses.length === 0) {
      return { transactions: [], end: before };
    }
    const words = addresses.map((address) => wordOf(address, undefined, undefined));
    const span = [firstEntry(from), firstEntry(before)] as const;
    const entries = entriesIn(this.#oldest.all(anyOf(words), ...span, limit));
    const transactions = entries.map((entry) => entryOf(entry).transaction);
    const last = transactions.at(-1);
    return {
      transactions: [...new Set(transactions)],
      // There may be more after the last one.
      end: last === undefined || entries.length < limit ? before : last + 1,
    };
  }

  #file(entry: number, words: string): void {
    if (words !== "") {
      this.#insert?.run(entry, words);
    }
  }
}

/**
 * What entries of a subject are found by: of all types and tokens, or of one. The token of a filter
 * may be so large that its number's text has a point, which would divide the word.
 */
function wordOf(subject: number, type: number | undefined, token: number | undefined): string {
  return `${subject}/${type ?? ""}/${token === undefined ? "" : BigInt(token)}`;
}

/** All words of an entry. */
function wordsOf(subject: number, typeName: string, token?: number): string {
  const type = TYPE_NUMBERS.get(typeName);
  invariant(type !== undefined, "records are of known types");
  const words = `${subject}// ${subject}/${type}/ `;
  return token === undefined ? words : `${words}${subject}//${token} ${subject}/${type}/${token} `;
}

/** A query for entries with any of the words. */
function anyOf(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(" OR ");
}

function entriesIn(rows: readonly Row[]): readonly number[] {
  return rows.map(({ entry }) => entry as number);
}

/** The number that the entries of a transaction begin with. */
function firstEntry(transaction: number): number {
  return Math.min(transaction * RECORDS_MAX, Number.MAX_SAFE_INTEGER);
}

export function entryOf(entry: number): Entry {
  return { transaction: Math.floor(entry / RECORDS_MAX), record: entry % RECORDS_MAX };
}
