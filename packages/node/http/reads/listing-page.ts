import type { ListingPage, ListingPlace, WantedListings } from "@moneta/ledger";
import { type Address, type Cursor, type Refused, refuse, type TokenId } from "@moneta/protocol";
import { type Answer, type AskedList, listPage, PAGE } from "../responses/answer.ts";

type Place = Cursor<string> | undefined;
type Order = "new" | "end" | "price";

/** Where a list goes on that is in the order of a number. */
export function numberIn(cursor: Place): number | undefined {
  return cursor && Number(cursor.last.split("_")[0]);
}

/** What is wanted of open listings; undefined where a list is not of them alone. */
export function wantedListings(
  values: {
    readonly order: Order;
    readonly limit: number | undefined;
    readonly cursor: Place;
  },
  bidderNumber: number | undefined,
): WantedListings | undefined {
  const { order, limit = PAGE, cursor } = values;
  return order !== "new" || bidderNumber !== undefined
    ? { order, bidderNumber, after: placeIn(order, cursor), limit }
    : undefined;
}

/** A page of open listings. Source: chain §10. */
export function listingPage(list: AskedList, { items, next }: ListingPage): Answer {
  return listPage(items, list, next && `${next.at}_${next.number}`);
}

export const NO_LISTINGS: ListingPage = { items: [], next: undefined };

/**
 * Lists listings: `open` has those that are open, in the order of their ends or prices or of one
 * bidder; `newest` has all others, newest first. Source: chain §10.
 */
export function listListings<S extends string, T extends string>(
  list: AskedList & {
    readonly values: {
      readonly order: Order;
      readonly bidder: Address | undefined;
      readonly limit: number | undefined;
      readonly cursor: Place;
      readonly side: S;
      readonly state: T;
    };
  },
  bidderNumber: number | undefined,
  {
    open,
    newest,
  }: {
    readonly open: (wanted: WantedListings) => ListingPage;
    readonly newest: (filters: {
      readonly side: Exclude<S, ""> | undefined;
      readonly state: Exclude<T, "all"> | undefined;
      readonly before: number | undefined;
    }) => { readonly items: readonly string[]; readonly cursor: number | undefined };
  },
): Answer {
  const { side, state, cursor } = list.values;
  const wanted = wantedListings(list.values, bidderNumber);
  if (wanted !== undefined) {
    return listingPage(list, mayBeOpen(list.values) ? open(wanted) : NO_LISTINGS);
  }
  const page = newest({
    side: side === "" ? undefined : (side as Exclude<S, "">),
    state: state === "all" ? undefined : (state as Exclude<T, "all">),
    before: numberIn(cursor),
  });
  return listPage(page.items, list, page.cursor);
}

/**
 * Whether the filters of a list of listings let an open auction pass, or with `order` `price` an
 * open offer, which has no bidder.
 */
function mayBeOpen({
  order,
  bidder,
  side,
  state,
}: {
  readonly order: Order;
  readonly bidder: Address | undefined;
  readonly side: string;
  readonly state: string;
}): boolean {
  const isOfSide = side === "" || side === (order === "price" ? "sell" : "auction");
  return isOfSide && (state === "open" || state === "all") && !isOfNobody({ order, bidder });
}

/** Whether offers are wanted of which somebody is the highest bidder: there are none. */
export function isOfNobody({
  order,
  bidder,
}: {
  readonly order: Order;
  readonly bidder: Address | undefined;
}): boolean {
  return order === "price" && bidder !== undefined;
}

/** Prices compare within the tokens that are given: refuses `order` `price` without one of them. */
export function refuseUnpriced(
  order: Order,
  tokens: { readonly [parameter: string]: TokenId | undefined },
): Refused | undefined {
  const [missing] = Object.keys(tokens).filter((name) => tokens[name] === undefined);
  return order === "price" && missing !== undefined
    ? refuse({ code: "1000", parameter: missing })
    : undefined;
}

/** Where a list of open listings goes on. */
function placeIn(order: Order, cursor: Place): ListingPlace | undefined {
  const [at, number = "0"] = cursor?.last.split("_") ?? [];
  return at === undefined
    ? undefined
    : { at: order === "price" ? at : Number(at), number: Number(number) };
}
