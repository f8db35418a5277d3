import type { AuctionPage, AuctionPlace, WantedAuctions } from "@moneta/ledger";
import type { Cursor } from "@moneta/protocol";
import { type Answer, type AskedList, listPage, PAGE } from "./answer.ts";

type Place = Cursor<string> | undefined;

/** Where a list goes on that is in the order of a number. */
export function numberIn(cursor: Place): number | undefined {
  return cursor && Number(cursor.last.split("_")[0]);
}

/** What is wanted of open auctions; undefined where a list is not of them alone. */
export function wantedAuctions(
  values: {
    readonly order: "new" | "end";
    readonly limit: number | undefined;
    readonly cursor: Place;
  },
  bidderNumber: number | undefined,
): WantedAuctions | undefined {
  const { order, limit = PAGE } = values;
  return order === "end" || bidderNumber !== undefined
    ? { order, bidderNumber, after: auctionPlaceIn(values.cursor), limit }
    : undefined;
}

/** A page of open auctions. Source: chain §10. */
export function auctionPage(list: AskedList, { items, next }: AuctionPage): Answer {
  return listPage(items, list, next && `${next.end}_${next.number}`);
}

export const NO_AUCTIONS: AuctionPage = { items: [], next: undefined };

/** Whether the filters of a list of listings let an open auction pass. */
export function mayBeOpenAuction({
  side,
  state,
}: {
  readonly side: string;
  readonly state: string;
}): boolean {
  return (side === "" || side === "auction") && (state === "open" || state === "all");
}

/** Where a list of open auctions goes on. */
function auctionPlaceIn(cursor: Place): AuctionPlace | undefined {
  const [end, number = "0"] = cursor?.last.split("_") ?? [];
  return end === undefined ? undefined : { end: Number(end), number: Number(number) };
}
