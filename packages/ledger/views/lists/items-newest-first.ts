import { type Database, type Row, Statements } from "../../database.ts";
import { indexName } from "../../state/entries.ts";
import {
  CONDITIONS,
  INDEX_ENDS,
  INDEXED_FILTERS,
  ITEM,
  ITEM_FILTERS,
  type ItemFilter,
  NOTHING_ASKED,
  OPEN,
} from "../../state/item-entry.ts";
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
  /** The number of its newest wanted item; undefined if it was not read. */
  readonly newest?: number;
}

type FoundKind = Required<Kind>;

/** Further items that a page examines if the first `limit` do not fill it. */
const EXAMINED_MAX = 1000;

/** In one step: some 3 ms. */
const TOKENS_TOGETHER = 4000;

/**
 * Newest first. Listed items are found by indexes that end with condition, token and number;
 * without a token those of each are merged: sellers may ask for ever other ones.
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
    const { endAfter } = wanted;
    const search = searchOf(wanted);
    const rest =
      endAfter !== undefined && this.#hasEndedSale(endAfter)
        ? [...search.rest, { sql: "(sell_end IS NULL OR sell_end > ?)", values: [endAfter] }]
        : search.rest;
    return rest.length === 0
      ? this.#read([...(yield* this.#numbers(search, wanted))], wanted.text)
      : yield* this.#passing(search, rest, wanted);
  }

  /** Those of a holder that are not melted: at once, whatever their tokens. */
  *heldBy({
    before = Number.MAX_SAFE_INTEGER,
    limit,
    ...held
  }: Required<Pick<WantedItems, "holder">> &
    Pick<WantedItems, "project" | "before" | "limit">): Generator<Place<string>> {
    const range = rangeIn("open", held);
    yield* this.#read(this.#openSource(range)(before, limit), "key");
  }

  #hasEndedSale(time: number): boolean {
    const index = indexName(ITEM.table, ["sell_end"]);
    const sql = `SELECT 1 FROM ${ITEM.table.name} INDEXED BY ${index} WHERE sell_end <= ? LIMIT 1`;
    return this.#statements.prepare(sql).get(time) !== undefined;
  }

  /** Those that also meet conditions without an index. Ends the page early. */
  *#passing(
    search: Search,
    rest: readonly Condition[],
    { before, limit, text }: WantedItems,
  ): Generator<undefined, Iterable<Place<string>>> {
    const where = rest.map(({ sql }) => ` AND ${sql}`).join("");
    const passing = this.#statements.prepare(
      `SELECT number FROM ${ITEM.table.name} WHERE number IN (SELECT value FROM json_each(?))${where} ORDER BY number DESC`,
    );
    const values = rest.flatMap((condition) => condition.values);
    const found: number[] = [];
    // Once for both rounds: it costs a look at every token.
    const numbers = yield* this.#numbers(search, { before, limit: limit + this.#examinedMax });
    let last = 0;
    // Most pages need only the first.
    for (const count of [limit, this.#examinedMax]) {
      const examined = nextOf(numbers, count);
      const rows = passing.all(JSON.stringify(examined), ...values);
      found.push(...rows.map((row) => row["number"] as number));
      if (found.length >= limit || examined.length < count) {
        return this.#read(found.slice(0, limit), text);
      }
      last = examined.at(-1) ?? last;
    }
    return [...this.#read(found, text), { at: last, entry: undefined, endsPage: true }];
  }

  *#numbers(
    { open, listed, conditions, askedToken }: Search,
    { before = Number.MAX_SAFE_INTEGER, limit }: Pick<WantedItems, "before" | "limit">,
  ): Generator<undefined, Generator<number>> {
    const kinds: Kind[] = [];
    for (const condition of conditions) {
      kinds.push(...(yield* this.#kindsOf(condition, listed, { askedToken, before, limit })));
    }
    const sources = kinds.map(({ condition, token, newest }): Source => {
      const source = this.#source(listed, "condition = ? AND asked_token = ?", [condition, token]);
      return (below, count) =>
        below === before && newest !== undefined ? [newest] : source(below, count);
    });
    return mergeNewest(open === undefined ? sources : [this.#openSource(open), ...sources], {
      before,
      limit,
    });
  }

  #openSource(range: Range): Source {
    return this.#source(range, "open = 1", []);
  }

  #source({ of, values }: Range, where: string, more: readonly number[]): Source {
    const statement = this.#statements.prepare(
      `SELECT number FROM ${of} ${where} AND number < ? ORDER BY number DESC LIMIT ?`,
    );
    return (below, count) =>
      statement.all(...values, ...more, below, count).map((row) => row["number"] as number);
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
    const token = condition === CONDITIONS.melted ? NOTHING_ASKED : askedToken;
    if (token !== undefined) {
      return [{ condition, token }];
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
    let kinds: readonly FoundKind[] = [];
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

/** Leaves the generator open for further numbers. */
function nextOf(numbers: Generator<number>, count: number): readonly number[] {
  const taken: number[] = [];
  while (taken.length < count) {
    const { done, value } = numbers.next();
    if (done === true) {
      break;
    }
    taken.push(value);
  }
  return taken;
}

function kindsIn(rows: readonly Row[], condition: number): readonly FoundKind[] {
  return rows.flatMap(({ token, newest }) =>
    newest === null ? [] : [{ condition, token: token as number, newest: newest as number }],
  );
}

interface Range {
  /** Up to the conditions on the last columns of the index. */
  readonly of: string;
  readonly names: readonly ItemFilter[];
  readonly values: readonly (number | string)[];
}

interface Condition {
  readonly sql: string;
  readonly values: readonly (number | string)[];
}

interface Search {
  /** If idle items are wanted. */
  readonly open: Range | undefined;
  readonly listed: Range;
  /** Without those that `open` has. */
  readonly conditions: readonly number[];
  readonly askedToken: number | undefined;
  /** What the index does not have. */
  readonly rest: readonly Condition[];
}

type Filters = Pick<WantedItems, ItemFilter>;

function givenIn(filters: Filters): readonly ItemFilter[] {
  return ITEM_FILTERS.filter((name) => filters[name] !== undefined);
}

function rangeIn(kind: keyof typeof INDEX_ENDS, filters: Filters): Range {
  const names = INDEXED_FILTERS[kind](givenIn(filters));
  const index = indexName(ITEM.table, [...names, ...INDEX_ENDS[kind]]);
  return {
    of: `${ITEM.table.name} INDEXED BY ${index} WHERE ${names.map((name) => `${name} = ? AND `).join("")}`,
    names,
    values: names.map((name) => filters[name] as number | string),
  };
}

function searchOf({ conditions, askedToken, ...filters }: WantedItems): Search {
  const isOpen = askedToken === undefined && conditions.includes("idle");
  const [open, listed] = [rangeIn("open", filters), rangeIn("listed", filters)];
  const { names } = isOpen ? open : listed;
  const rest = givenIn(filters)
    .filter((name) => !names.includes(name))
    .map((name) => ({ sql: `${name} = ?`, values: [filters[name] as number | string] }));
  const numbers = conditions.map((condition) => CONDITIONS[condition]);
  const isAnyOpen = OPEN.every((condition) => conditions.includes(condition));
  return {
    open: isOpen ? open : undefined,
    listed,
    askedToken,
    conditions: numbers.filter((condition) =>
      condition === CONDITIONS.melted
        ? askedToken === undefined && filters.holder === undefined
        : condition !== CONDITIONS.idle && !isOpen,
    ),
    rest:
      isOpen && !isAnyOpen
        ? [...rest, { sql: `condition IN (${numbers.join()})`, values: [] }]
        : rest,
  };
}
