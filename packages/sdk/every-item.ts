import type { Page } from "./api.ts";

/**
 * All entries of a list, page after page: `everyItem((cursor) => moneta.tokens({ owner, cursor }))`. An entry made meanwhile neither shifts nor repeats
 * others. Source: chain §10.
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
