import {
  operationRecords,
  RECORD_TYPES,
  type RecordPart,
  saysTheSame,
  type TransactionRecord,
} from "@moneta/protocol";
import { type Database, ROW_NUMBER, type Row, type Statement } from "../database.ts";
import { invariant } from "../invariant.ts";

/**
 * Full-text search: an entry is a document. Rows in the order of addresses would be written at
 * random, a page each; the index collects the words of a transaction and writes them in sequence.
 * Source: ADR 20.
 */
const SCHEMA = `
  CREATE VIRTUAL TABLE IF NOT EXISTS history USING fts5 (
    words, content = '', columnsize = 0, detail = none, tokenize = "ascii tokenchars '/-'"
  );
`;

/** More than one transaction makes. */
const RECORDS_MAX = 4096;

/** 0 is M, the others are the effects in order. */
export interface Entry {
  readonly transaction: number;
  readonly record: number;
}

export interface HistoryFilter {
  /** Places in the list of types. */
  readonly types: readonly number[] | undefined;
  readonly token: number | undefined;
  /** Transactions from `from` to before `before`. */
  readonly from: number;
  readonly before: number;
}

export interface HistoryPage {
  readonly after: number | undefined;
  readonly limit: number;
}

export interface SubjectNumbers {
  address(address: string): number | undefined;
  item(id: string): readonly number[];
}

export function typeNumber(type: string): number | undefined {
  return TYPE_NUMBERS.get(type);
}

const TYPE_NUMBERS: ReadonlyMap<string, number> = new Map(
  RECORD_TYPES.map((type, number): [string, number] => [type, number]),
);

/**
 * Of an address M if filed there, and records A; of an item, listing or project records I and L.
 * Source: chain §10.
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
        ? database.prepare(`INSERT INTO history (rowid, words) VALUES (${ROW_NUMBER}, ?)`)
        : undefined;
    const found = `SELECT rowid AS entry FROM history WHERE history MATCH ? AND rowid >= ${ROW_NUMBER} AND rowid < ${ROW_NUMBER} ORDER BY rowid`;
    this.#newest = database.prepare(`${found} DESC LIMIT ?`);
    this.#oldest = database.prepare(`${found} LIMIT ?`);
  }

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
      // The token is no filter there.
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

  /** Newest first, of a transaction the last record first; of an address or one of `subjectsOf`. */
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

  /** Oldest first. `end` is the number before which they have been searched. */
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
 * Of all types and tokens, or of one. The text of a large number may have a point, which divides
 * words.
 */
function wordOf(subject: number, type: number | undefined, token: number | undefined): string {
  return `${subject}/${type ?? ""}/${token === undefined ? "" : BigInt(token)}`;
}

function wordsOf(subject: number, typeName: string, token?: number): string {
  const type = TYPE_NUMBERS.get(typeName);
  invariant(type !== undefined, "records are of known types");
  const words = `${subject}// ${subject}/${type}/ `;
  return token === undefined ? words : `${words}${subject}//${token} ${subject}/${type}/${token} `;
}

function anyOf(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(" OR ");
}

function entriesIn(rows: readonly Row[]): readonly number[] {
  return rows.map(({ entry }) => entry as number);
}

function firstEntry(transaction: number): number {
  return Math.min(transaction * RECORDS_MAX, Number.MAX_SAFE_INTEGER);
}

export function entryOf(entry: number): Entry {
  return { transaction: Math.floor(entry / RECORDS_MAX), record: entry % RECORDS_MAX };
}
