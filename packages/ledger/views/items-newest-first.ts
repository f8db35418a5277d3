import { type Database, Statements } from "../database.ts";
import { indexName } from "../state/entries.ts";
import { CONDITIONS, ITEM, NOTHING_ASKED } from "../state/item-entry.ts";
import { mergeNewest, type Source } from "./merge-newest.ts";
import type { Place } from "./newest-first.ts";

/** Items that are wanted: all conditions that are given, and one of `conditions`. */
export interface WantedItems {
  /** `order` of a project. */
  readonly project?: number | undefined;
  readonly holder?: number | undefined;
  readonly groupid?: string | undefined;
  readonly conditions: readonly (keyof typeof CONDITIONS)[];
  /** What is asked for them; undefined for whatever it is, and for nothing. */
  readonly askedToken: number | undefined;
  /** What is read of each. */
  readonly text: "key" | "value";
  readonly before: number | undefined;
  readonly limit: number;
}

/** The items that one range of an index has, in their order. */
interface Kind {
  readonly condition: number;
  readonly token: number;
}

/**
 * Finds items, the newest first, by the indexes that end with condition, token and the item's
 * number. Whoever does not say for which token gets those of each token merged: how many tokens are
 * asked for does not grow with the items.
 */
export class ItemsNewestFirst {
  readonly #statements: Statements;

  constructor(database: Database) {
    this.#statements = new Statements(database);
  }

  *places(wanted: WantedItems): Generator<Place> {
    const { conditions, text, before = Number.MAX_SAFE_INTEGER, limit } = wanted;
    const range = rangeOf(wanted);
    const ofKind = this.#statements.prepare(
      `SELECT number FROM ${range.of} condition = ? AND asked_token = ? AND number < ? ORDER BY number DESC LIMIT ?`,
    );
    const kinds = conditions.flatMap((condition) =>
      this.#kindsOf(CONDITIONS[condition], range, { ...wanted, before }),
    );
    const sources = kinds.map(
      ({ condition, token }): Source =>
        (below, count) =>
          ofKind
            .all(...range.values, condition, token, below, count)
            .map((row) => row["number"] as number),
    );
    // Looked up last, so that those which are not shown are not read; and all at once, as one by
    // one they would take half of the time of the page.
    const rows = this.#statements
      .prepare(
        `SELECT number, ${text} AS text FROM ${ITEM.table.name} WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number DESC`,
      )
      .iterate(JSON.stringify(mergeNewest(sources, { before, limit })));
    for (const row of rows) {
      yield { order: row["number"] as number, text: row["text"] as string };
    }
  }

  /**
   * Of more than `limit` tokens those with the newest items: the others have none that a page
   * shows.
   */
  #kindsOf(
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
  ): readonly Kind[] {
    const isListed = condition === CONDITIONS["on sale"] || condition === CONDITIONS["on auction"];
    if (!isListed) {
      return askedToken === undefined ? [{ condition, token: NOTHING_ASKED }] : [];
    }
    if (askedToken !== undefined) {
      return [{ condition, token: askedToken }];
    }
    // From one token to the next by the index, past all the items of each.
    const tokens = this.#statements.prepare(
      `WITH RECURSIVE found (token) AS (
         VALUES (${NOTHING_ASKED})
         UNION ALL
         SELECT (SELECT min(asked_token) FROM ${range.of} condition = ? AND asked_token > found.token)
         FROM found WHERE found.token IS NOT NULL)
       SELECT token, (SELECT max(number) FROM ${range.of} condition = ? AND asked_token = found.token AND number < ?) AS newest
       FROM found WHERE token >= 0 ORDER BY newest DESC LIMIT ?`,
    );
    const asked = [...range.values, condition];
    return tokens
      .all(...asked, ...asked, before, limit)
      .map((row) => ({ condition, token: row["token"] as number }));
  }
}

/** Where the index of some filters has what they let pass. */
interface Range {
  /** The table and its index, up to the conditions on the columns that all the indexes end with. */
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
