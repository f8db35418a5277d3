import type { Page } from "../api.ts";

/**
 * All entries of a list, page by page: `everyItem((cursor) => moneta.tokens({ owner, cursor }))`.
 * New entries neither shift nor repeat others. Throws a `TypeError` if a page leads to itself, as
 * where the cursor is not passed on: it would go on for ever. Source: chain §10.
 */
export async function* everyItem<T>(
  page: (cursor: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const { items, cursor: next } = await page(cursor);
    if (next !== undefined && next === cursor) {
      throw new TypeError("the page leads to itself: pass the cursor on");
    }
    yield* items;
    cursor = next;
  } while (cursor !== undefined);
}
