import type { CallOptions, Moneta, Page } from "@moneta/sdk";
import { moneta } from "../../ledger/node.ts";
import { pathWith } from "./path-with.ts";

/** The path of each list of the API, and the members that identify an entry. */
const LISTS = {
  addressItems: ["/address/{address}/items", "id"],
  addressTransactions: ["/address/{address}/transactions", "id type"],
  blocks: ["/blocks", "id"],
  itemTransactions: ["/item/{id}/transactions", "id item type"],
  mrc400Projects: ["/mrc400", "id"],
  mrc401Items: ["/mrc401", "id"],
  mrc401Offers: ["/mrc401/offers", "offerid"],
  mrc402Holders: ["/mrc402/holders/{mrc402id}", "address"],
  mrc402Items: ["/mrc402", "id"],
  mrc402Listings: ["/mrc402/dex", "dexid"],
  mrc402Offers: ["/mrc402/offers", "offerid"],
  orders: ["/mrc040/orders", "mrc040id"],
  orderTrades: ["/mrc040/trades", "id"],
  pendingOrders: ["/mrc040/pending/{address}", "token"],
  seals: ["/mrc020", "id"],
  tokenHolders: ["/token/holders/{token}", "address"],
  tokenListings: ["/token/dex", "dexid"],
  tokens: ["/tokens", "id"],
  tokenTrades: ["/token/trades/{token}", "transaction_id"],
  transactions: ["/transactions", "id"],
} as const;

type ListName = keyof typeof LISTS;

type EntryOf<N extends ListName> = Awaited<ReturnType<Moneta[N]>>["items"][number];

type NamesOf<R> = R extends unknown ? keyof R : never;

/** Any texts of a URL: the node refuses wrong ones. */
export type ListParams<N extends ListName> = {
  readonly [P in Exclude<NamesOf<NonNullable<Parameters<Moneta[N]>[0]>>, "limit" | "cursor">]?:
    | string
    | number
    | undefined;
};

export interface ListSource<T> {
  readonly path: string;
  readonly read: (
    page: { readonly limit: number; readonly cursor: string | undefined },
    options: CallOptions,
  ) => Promise<Page<T>>;
  readonly keyOf: (entry: T) => string;
}

/** Empty texts count as absent. Source: chain §10. */
export function listOf<N extends ListName>(
  name: N,
  params: ListParams<N> = {},
): ListSource<EntryOf<N>> {
  const [path, members] = LISTS[name];
  const given = Object.fromEntries(
    Object.entries(params).filter(([, value]) => value !== undefined && value !== ""),
  ) as Record<string, string | number>;
  const filters = Object.entries(given).filter(([one]) => !path.includes(`{${one}}`));
  const lists = moneta as unknown as Readonly<
    Record<ListName, (request: object, options: CallOptions) => Promise<Page<EntryOf<N>>>>
  >;
  return {
    path: pathWith(
      path.replace(/\{(.*?)\}/g, (_, one: string) => encodeURIComponent(given[one] ?? "")),
      Object.fromEntries(filters),
    ),
    read: (page, options) => lists[name]({ ...given, ...page }, options),
    keyOf: (entry) =>
      members
        .split(" ")
        .map((member) => entry[member as keyof EntryOf<N>])
        .join(" "),
  };
}
