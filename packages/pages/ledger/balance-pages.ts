import type { BalanceEntry, Page, WireAnswer } from "@moneta/sdk";

/** Strangers can make an address need any number of requests. */
const PAGES_MAX = 10;

/**
 * A page of `GET /balance` with its cursor. Only `Link` shows the end: strangers can cause pages
 * that end early. Source: accounts §9.
 */
export function balancePageOf({ headers, body }: Omit<WireAnswer, "status">): Page<BalanceEntry> {
  const entries = body as readonly (Omit<BalanceEntry, "balance"> & { readonly balance: string })[];
  const items = entries.map((entry) => ({ ...entry, balance: BigInt(entry.balance) }));
  const cursor = /[?&]after=([^&>]+)/.exec(headers.get("link") ?? "")?.[1];
  return cursor === undefined ? { items } : { items, cursor };
}

/** Fewer than `max` if they take too many pages, and whether there are more. */
export async function entriesUpTo<T>(
  max: number,
  page: (of: { readonly limit: number; readonly cursor: string | undefined }) => Promise<Page<T>>,
): Promise<{ readonly entries: readonly T[]; readonly isMore: boolean }> {
  const entries: T[] = [];
  let cursor: string | undefined;
  for (let count = 1; count === 1 || cursor !== undefined; count += 1) {
    if (entries.length >= max || count > PAGES_MAX) {
      return { entries, isMore: true };
    }
    const read = await page({ limit: max - entries.length, cursor });
    entries.push(...read.items);
    cursor = read.cursor;
  }
  return { entries, isMore: false };
}
