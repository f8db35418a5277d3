import { type Database, type Row, Statements } from "../../database.ts";
import { indexName } from "../../state/entries.ts";
import { CONDITIONS, ITEM, NOTHING_ASKED } from "../../state/item-entry.ts";
import { mergeNewest, NOT_ASKED, newestOf, type Source } from "../merge-newest.ts";
import type { DOCUMENT_AND_BESIDE } from "./indexed-rows.ts";
import type { Place } from "./list-page.ts";

/** All given conditions, and one of `conditions`. */
export interface WantedItems {
  readonly project?: number | undefined;
  readonly holder?: number | undefined;
  readonly groupid?: string | undefined;
  readonly conditions: readonly (keyof typeof CONDITIONS)[];
  /** Undefined for any token or none. */
  readonly askedToken: number | undefined;
  /** Ledger time: sales that ended by then are left out; undefined leaves out none. */
  readonly endAfter?: number | undefined;
  readonly text: "key" | typeof DOCUMENT_AND_BESIDE;
  readonly before: number | undefined;
  readonly limit: number;
}

interface Kind {
  readonly condition: number;
  readonly token: number;
  /** No less than the number of its newest item that is wanted. */
  readonly newest: number;
}

/** By a page, so that ended sales cost no more. */
const EXAMINED_MAX = 1000;

/** In one step: some 3 ms. */
const TOKENS_TOGETHER = 4000;

/**
 * Newest first, by indexes that end with condition, token and number. Without a token those of each
 * are merged: sellers may ask for ever other ones.
 */
export class ItemsNewestFirst {
  readonly #statements: Statements;
  readonly #tokensTogether: number;
  readonly #examinedMax: number;

  constructor(
    database: Database,
    {
      tokensTogether = TOKENS_TOGETHER,
      examinedMax = EXAMINED_MAX,
    }: { readonly tokensTogether?: number; readonly examinedMax?: number } = {},
  ) {
    this.#statements = new Statements(database);
    this.#tokensTogether = tokensTogether;
    this.#examinedMax = examinedMax;
  }

  /** It yields when a bounded number of tokens was queried and there are more. */
  *places(wanted: WantedItems): Generator<undefined, Iterable<Place<string>>> {
    const { endAfter, text } = wanted;
    return endAfter === undefined || !this.#hasEndedSale(endAfter)
      ? this.#read(yield* this.#numbers(wanted), text)
      : yield* this.#unended(wanted, endAfter);
  }

  #hasEndedSale(time: number): boolean {
    const index = indexName(ITEM.table, ["sell_end"]);
    const sql = `SELECT 1 FROM ${ITEM.table.name} INDEXED BY ${index} WHERE sell_end <= ? LIMIT 1`;
    return this.#statements.prepare(sql).get(time) !== undefined;
  }

  *#unended(wanted: WantedItems, time: number): Generator<undefined, Iterable<Place<string>>> {
    const { limit, text } = wanted;
    const ended = this.#statements.prepare(
      `SELECT number FROM ${ITEM.table.name} WHERE number IN (SELECT value FROM json_each(?)) AND sell_end <= ?`,
    );
    const found: number[] = [];
    let before = wanted.before;
    for (let examined = 0; examined < this.#examinedMax; ) {
      const numbers = yield* this.#numbers({ ...wanted, before });
      const gone = new Set(ended.all(JSON.stringify(numbers), time).map((row) => row["number"]));
      found.push(...numbers.filter((number) => !gone.has(number)));
      if (found.length >= limit || numbers.length < limit) {
        return this.#read(found, text);
      }
      before = numbers.at(-1);
      examined += numbers.length;
    }
    const last = before as number;
    return [...this.#read(found, text), { at: last, entry: undefined, endsPage: true }];
  }

  *#numbers(wanted: WantedItems): Generator<undefined, readonly number[]> {
    const { conditions, before = Number.MAX_SAFE_INTEGER, limit } = wanted;
    const range = rangeOf(wanted);
    const kinds: Kind[] = [];
    for (const condition of conditions) {
      kinds.push(...(yield* this.#kindsOf(CONDITIONS[condition], range, { ...wanted, before })));
    }
    const ofKind = this.#statements.prepare(
      `SELECT number FROM ${range.of} condition = ? AND asked_token = ? AND number < ? ORDER BY number DESC LIMIT ?`,
    );
    const sources = kinds.map(
      ({ condition, token }): Source =>
        (below, count) =>
          ofKind
            .all(...range.values, condition, token, below, count)
            .map((row) => row["number"] as number),
    );
    return mergeNewest(sources, { before, limit });
  }

  /** On demand, only what the page shows. */
  *#read(numbers: readonly number[], text: WantedItems["text"]): Generator<Place<string>> {
    // All at once: one by one takes half of the page's time.
    const rows = this.#statements
      .prepare(
        `SELECT number, ${text} AS text FROM ${ITEM.table.name} WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number DESC`,
      )
      .iterate(JSON.stringify(numbers));
    for (const row of rows) {
      yield { at: row["number"] as number, entry: row["text"] as string };
    }
  }

  /** Of the `limit` tokens with the newest items: the page shows no others. */
  *#kindsOf(
    condition: number,
    range: Range,
    {
      askedToken,
      before,
      limit,
    }: {
      readonly askedToken: number | undefined;
      readonly before: number;
      readonly limit: number;
    },
  ): Generator<undefined, readonly Kind[]> {
    const isListed = condition === CONDITIONS["on sale"] || condition === CONDITIONS["on auction"];
    if (!isListed) {
      const token = NOTHING_ASKED;
      return askedToken === undefined ? [{ condition, token, newest: before }] : [];
    }
    if (askedToken !== undefined) {
      return [{ condition, token: askedToken, newest: before }];
    }
    // From token to token by the index. The one after the last queried comes first, for the next
    // step.
    const tokens = this.#statements.prepare(
      `WITH RECURSIVE found (token, place) AS (
         SELECT min(asked_token), 0 FROM ${range.of} condition = ? AND asked_token >= ?
         UNION ALL
         SELECT (SELECT min(asked_token) FROM ${range.of} condition = ? AND asked_token > found.token), place + 1
         FROM found WHERE found.token IS NOT NULL AND place < ?)
       SELECT token, CASE place WHEN ? THEN ${NOT_ASKED}
         ELSE (SELECT max(number) FROM ${range.of} condition = ? AND asked_token = found.token AND number < ?)
         END AS newest
       FROM found WHERE token IS NOT NULL ORDER BY newest DESC LIMIT ? + 1`,
    );
    const asked = [...range.values, condition];
    const together = this.#tokensTogether;
    let kinds: readonly Kind[] = [];
    for (let from = 0; ; ) {
      const rows = tokens.all(
        ...asked,
        from,
        ...asked,
        together,
        together,
        ...asked,
        before,
        limit,
      );
      const found = kindsIn(rows, condition);
      const [first] = found;
      if (first?.newest !== NOT_ASKED) {
        return newestOf([...kinds, ...found], limit);
      }
      kinds = newestOf([...kinds, ...found.slice(1)], limit);
      from = first.token;
      yield;
    }
  }
}

function kindsIn(rows: readonly Row[], condition: number): readonly Kind[] {
  return rows.flatMap(({ token, newest }) =>
    newest === null ? [] : [{ condition, token: token as number, newest: newest as number }],
  );
}

interface Range {
  /** Up to the conditions on the columns that all indexes end with. */
  readonly of: string;
  readonly values: readonly (number | string)[];
}

function rangeOf({ project, holder, groupid }: WantedItems): Range {
  const given = Object.entries({ project, holder, groupid }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  const names = given.map(({ name }) => name);
  const index = indexName(ITEM.table, [...names, "condition", "asked_token"]);
  return {
    of: `${ITEM.table.name} INDEXED BY ${index} WHERE ${names.map((name) => `${name} = ? AND `).join("")}`,
    values: given.map(({ value }) => value),
  };
}
