import type { BalanceEntry, CallOptions, Page } from "@moneta/sdk";
import { balancePageOf, entriesUpTo } from "./balance-pages.ts";
import { moneta } from "./node.ts";

export async function readBalances(
  {
    cursor,
    ...page
  }: { address: string; limit: number; cursor: string | undefined; at?: string | undefined },
  options: CallOptions = {},
): Promise<Page<BalanceEntry>> {
  return balancePageOf(await moneta.request("balance", { ...page, after: cursor }, options));
}

export async function balancesUpTo(
  max: number,
  address: string,
  options?: CallOptions,
): Promise<{ readonly entries: readonly BalanceEntry[]; readonly isMore: boolean }> {
  return await entriesUpTo(max, (page) => readBalances({ address, ...page }, options));
}
