import type { Page } from "../api.ts";

/** Filters never leave so many empty. */
const EMPTY_MAX = 1000;

/**
 * All entries of a list, page by page: `everyItem((cursor) => moneta.tokens({ owner, cursor }))`.
 * New entries neither shift nor repeat others. Throws a `TypeError` if it would never end: pages
 * lead back to an earlier one, for example because the cursor is not passed on, or are all empty.
 * Source: chain §10.
 */
export async function* everyItem<T>(
  page: (cursor: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  let mark: string | undefined;
  let empty = 0;
  for (let count = 1; count === 1 || cursor !== undefined; count += 1) {
    const { items, cursor: next } = await page(cursor);
    empty = items.length > 0 ? 0 : empty + 1;
    if (next !== undefined && (next === mark || empty > EMPTY_MAX)) {
      throw new TypeError("the pages lead nowhere: pass the cursor on");
    }
    yield* items;
    // A mark at pages 1, 2, 4, ... finds circles of every length. Source: Brent 1980.
    if ((count & (count - 1)) === 0) {
      mark = next;
    }
    cursor = next;
  }
}
