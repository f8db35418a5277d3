import type { Page } from "../api.ts";

/**
 * All entries of a list, page by page: `everyItem((cursor) => moneta.tokens({ owner, cursor }))`.
 * New entries neither shift nor repeat others. Source: chain §10.
 */
export async function* everyItem<T>(
  page: (cursor: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const { items, cursor: next } = await page(cursor);
    yield* items;
    cursor = next;
  } while (cursor !== undefined);
}
