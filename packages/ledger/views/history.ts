import {
  operationRecords,
  RECORD_TYPES,
  type RecordPart,
  saysTheSame,
  type TransactionRecord,
} from "@moneta/protocol";
import type { Database, Row, Statement } from "../database.ts";
import { invariant } from "../invariant.ts";
import { mergeNewest, NOT_ASKED, newestOf, type Source } from "./merge-newest.ts";

/**
 * One tree of integers. Every record writes a row at a place of its own, and with it a page of the
 * database, the largest part of a history's cost; so there is no second tree in the order of time.
 * Several kinds are merged; the number of an address's kinds does not grow with its history.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS history (
    subject INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    PRIMARY KEY (subject, kind, entry)
  ) STRICT, WITHOUT ROWID;
`;

/**
 * A kind is a type and a token in one number: the type's place in the list of types, times this,
 * plus the token. There will be fewer tokens.
 */
const TOKENS_MAX = 2 ** 32;

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

/** Kinds that are queried one by one, for all addresses together: some 20 ms. */
const KINDS_MAX = 1000;

/** Kinds in one step of a search: some 5 ms. */
const KINDS_TOGETHER = 2000;

/**
 * The search for the kinds that a page is of. An address has as many kinds as others give it, so it
 * takes steps.
 */
export interface KindSearch {
  readonly subject: number;
  readonly from: number;
  readonly before: number;
  readonly limit: number;
  /** Of the queried kinds, up to `limit` with the newest entries: a page shows no others. */
  readonly found: readonly Kind[];
  /** The ranges with more kinds. Without any, the search is over. */
  readonly rest: readonly KindRange[];
}

interface Kind {
  readonly kind: number;
  /** Its newest wanted entry if it was queried, else a number that is not smaller. */
  readonly newest: number;
}

/** Kinds from one on, and before another. */
interface KindRange {
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

/**
 * Histories: for each address, of each transaction M if it is filed there, and its records A; for
 * each item, listing and project its records I and L. Source: chain §10.
 */
export class HistoryView {
  readonly #insert: Statement | undefined;
  readonly #ofKind: Statement;
  readonly #oldestOfKind: Statement;
  readonly #someKinds: Statement;
  readonly #kinds: Statement;
  readonly #kindsOfToken: Statement;
  readonly #kindsTogether: number;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(
    database: Database,
    access: "read" | "write",
    kindsTogether: number = KINDS_TOGETHER,
  ) {
    this.#kindsTogether = kindsTogether;
    this.#insert =
      access === "write" ? database.prepare("INSERT INTO history VALUES (?, ?, ?)") : undefined;
    this.#ofKind = database.prepare(
      "SELECT entry FROM history WHERE subject = ? AND kind = ? AND entry >= ? AND entry < ? ORDER BY entry DESC LIMIT ?",
    );
    this.#oldestOfKind = database.prepare(
      "SELECT entry FROM history WHERE subject = ? AND kind = ? AND entry >= ? AND entry < ? ORDER BY entry LIMIT ?",
    );
    // From one to the next by the key, past all the rows of each.
    this.#someKinds = database.prepare(
      `WITH RECURSIVE found (kind) AS (
         SELECT min(kind) FROM history WHERE subject = ?1
         UNION ALL
         SELECT (SELECT min(kind) FROM history WHERE subject = ?1 AND kind > found.kind)
         FROM found WHERE kind IS NOT NULL LIMIT ?2)
       SELECT kind FROM found WHERE kind IS NOT NULL`,
    );
    const newest =
      "(SELECT max(entry) FROM history WHERE subject = ?1 AND kind = found.kind AND entry >= ?2 AND entry < ?3)";
    // The kind after the last queried one comes first, so that the next step knows of it.
    this.#kinds = database.prepare(
      `WITH RECURSIVE found (kind, place) AS (
         SELECT min(kind), 0 FROM history WHERE subject = ?1 AND kind >= ?5
         UNION ALL
         SELECT (SELECT min(kind) FROM history WHERE subject = ?1 AND kind > found.kind), place + 1
         FROM found WHERE found.kind < ?6 AND found.place < ?7)
       SELECT kind, CASE place WHEN ?7 THEN ${NOT_ASKED} ELSE ${newest} END AS newest
       FROM found WHERE kind < ?6 ORDER BY newest DESC LIMIT ?4 + 1`,
    );
    this.#kindsOfToken = database.prepare(
      `WITH RECURSIVE type (number) AS (
         SELECT min(kind) / ${TOKENS_MAX} FROM history WHERE subject = ?1
         UNION ALL
         SELECT (SELECT min(kind) / ${TOKENS_MAX} FROM history WHERE subject = ?1 AND kind >= (type.number + 1) * ${TOKENS_MAX})
         FROM type WHERE type.number IS NOT NULL),
       found (kind) AS (SELECT number * ${TOKENS_MAX} + ?5 FROM type WHERE number IS NOT NULL)
       SELECT kind, ${newest} AS newest FROM found ORDER BY newest DESC LIMIT ?4`,
    );
  }

  /** Files the records of a transaction, under the numbers of `numbersOf`. */
  insert(
    transaction: number,
    record: TransactionRecord,
    numbersOf: {
      address(address: string): number | undefined;
      /** Of an item, listing or project; see `subjectsOf`. */
      item(id: string): readonly number[];
    },
  ): void {
    invariant(record.effects.length < RECORDS_MAX, "a transaction has fewer records");
    const fileOfAddress = (part: RecordPart, entry: number): void => {
      const number = numbersOf.address(part.address);
      invariant(number !== undefined, "records are of what there is");
      this.#file(number, part.type, part.token, entry);
    };
    const fileAll = (own: TransactionRecord, first: number): void => {
      const { address, effects } = own;
      if (address !== "" && !effects.some((effect) => saysTheSame(effect, own))) {
        fileOfAddress(own, first);
      }
      for (const [index, effect] of effects.entries()) {
        const entry = first + index + 1;
        if (effect.address !== "") {
          fileOfAddress(effect, entry);
        }
        if (effect.item !== undefined) {
          const subjects = numbersOf.item(effect.item);
          invariant(subjects.length > 0, "records are of what there is");
          for (const subject of subjects) {
            // Without the token: so a subject has no more kinds than there are types.
            this.#file(subject, effect.type, 0, entry);
          }
        }
      }
    };
    const start = firstEntry(transaction);
    if (record.effects[0]?.at !== undefined) {
      // The bundle's own record, which none of its effects repeats. Source: bundles §5.
      fileOfAddress(record, start);
    }
    for (const { record: own, first } of operationRecords(record)) {
      fileAll(own, start + first);
    }
  }

  /**
   * Up to `limit` entries after `after`, newest first, of one transaction the last record first,
   * for a subject that has no more kinds than there are types: one of `subjectsOf`.
   */
  page(subject: number, filter: HistoryFilter, page: HistoryPage): readonly number[] {
    const search = this.search(subject, filter, page);
    invariant(search.rest.length === 0, "there are few types");
    return this.entries(search);
  }

  /** Begins to search the kinds of a page of an address. */
  search(
    subject: number,
    { types, token, from, before }: HistoryFilter,
    { after = Number.MAX_SAFE_INTEGER, limit }: HistoryPage,
  ): KindSearch {
    const page = {
      ...{ subject, limit, from: firstEntry(from) },
      before: Math.min(after, firstEntry(before)),
    };
    if (token === undefined) {
      const rest = types?.map((type) => ({ from: kindOf(type, 0), before: kindOf(type + 1, 0) }));
      return this.searchOn({ ...page, found: [], rest: rest ?? [ALL_KINDS] });
    }
    if (token >= TOKENS_MAX) {
      return { ...page, found: [], rest: [] };
    }
    const found =
      types?.map((type): Kind => ({ kind: kindOf(type, token), newest: page.before })) ??
      kindsIn(this.#kindsOfToken.all(subject, page.from, page.before, limit, token));
    return { ...page, found, rest: [] };
  }

  /** Queries a bounded number of further kinds, divided evenly among the ranges that have more. */
  searchOn(search: KindSearch): KindSearch {
    const { subject, from, before, limit } = search;
    const together = Math.ceil(this.#kindsTogether / search.rest.length);
    const rest: KindRange[] = [];
    const asked = search.rest.flatMap((range): readonly Kind[] => {
      const values = [subject, from, before, limit, range.from, range.before, together];
      const kinds = kindsIn(this.#kinds.all(...values));
      const [first, ...others] = kinds;
      if (first?.newest !== NOT_ASKED) {
        return kinds.slice(0, limit);
      }
      rest.push({ from: first.kind, before: range.before });
      return others;
    });
    const found = [...search.found, ...asked];
    return { ...search, rest, found: found.length > limit ? newestOf(found, limit) : found };
  }

  /**
   * The entries of the page whose kinds were searched, newest first, of one transaction the last
   * record first.
   */
  entries({ subject, from, before, limit, found }: KindSearch): readonly number[] {
    const sources = found.map(
      ({ kind }): Source =>
        (below, count) =>
          this.#ofKind.all(subject, kind, from, below, count).map((row) => row["entry"] as number),
    );
    return mergeNewest(sources, { before, limit });
  }

  /**
   * The transactions of any of the addresses in a range of numbers, oldest first, at most `limit`.
   * `end` is the number before which they have been searched. Undefined if the addresses have too
   * many kinds to query each of them.
   */
  transactionsOf(
    addresses: readonly number[],
    { from, before }: Pick<HistoryFilter, "from" | "before">,
    limit: number,
  ): { readonly transactions: readonly number[]; readonly end: number } | undefined {
    const sources: Source[] = [];
    const to = firstEntry(before);
    for (const address of addresses) {
      for (const { kind } of this.#someKinds.all(address, KINDS_MAX + 1 - sources.length)) {
        // By negative numbers, because those that merge take the highest first.
        sources.push((below, count) =>
          this.#oldestOfKind
            .all(address, kind as number, 1 - below, to, count)
            .map((row) => -(row["entry"] as number)),
        );
      }
      if (sources.length > KINDS_MAX) {
        return undefined;
      }
    }
    const entries = mergeNewest(sources, { before: 1 - firstEntry(from), limit });
    const transactions = entries.map((entry) => entryOf(-entry).transaction);
    const last = transactions.at(-1);
    return {
      transactions: [...new Set(transactions)],
      // There may be more after the last one.
      end: last === undefined || entries.length < limit ? before : last + 1,
    };
  }

  #file(subject: number, typeName: string, token: number, entry: number): void {
    const type = TYPE_NUMBERS.get(typeName);
    invariant(type !== undefined, "records are of known types");
    this.#insert?.run(subject, kindOf(type, token), entry);
  }
}

/** Of every type. */
const ALL_KINDS: KindRange = { from: 0, before: Number.MAX_SAFE_INTEGER };

function kindOf(type: number, token: number): number {
  return type * TOKENS_MAX + token;
}

/** Those of the kinds that have entries. */
function kindsIn(rows: readonly Row[]): Kind[] {
  return rows.flatMap(({ kind, newest }) =>
    newest === null ? [] : [{ kind: kind as number, newest: newest as number }],
  );
}

/** The number that the entries of a transaction begin with. */
export function firstEntry(transaction: number): number {
  return Math.min(transaction * RECORDS_MAX, Number.MAX_SAFE_INTEGER);
}

export function entryOf(entry: number): Entry {
  return { transaction: Math.floor(entry / RECORDS_MAX), record: entry % RECORDS_MAX };
}
