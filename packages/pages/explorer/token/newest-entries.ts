import { everyItem, type Page } from "@moneta/sdk";

/** Charts have the newest entries, at most so many. */
export const CHARTED_MAX = 500;

/** The newest entries of a list, at most as many as a chart has. */
export async function newestEntries<T>(
  page: (cursor: string | undefined) => Promise<Page<T>>,
): Promise<readonly T[]> {
  const entries: T[] = [];
  for await (const entry of everyItem(page)) {
    entries.push(entry);
    if (entries.length === CHARTED_MAX) {
      break;
    }
  }
  return entries;
}
