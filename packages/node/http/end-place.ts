import type { EndPlace } from "@moneta/ledger";
import type { Cursor } from "@moneta/protocol";
import { type Answer, type AskedList, listPage } from "./answer.ts";

type Place = Cursor<string> | undefined;

/** Where a list goes on that is in the order of a number. */
export function numberIn(cursor: Place): number | undefined {
  return cursor && Number(cursor.last.split("_")[0]);
}

/** Where a list goes on that is in the order of the ends of auctions. */
export function endPlaceIn(cursor: Place): EndPlace | undefined {
  const [end, number = "0"] = cursor?.last.split("_") ?? [];
  return end === undefined ? undefined : { end: Number(end), number: Number(number) };
}

/** A page of auctions in the order of their ends. Source: chain §10. */
export function endingPage(
  list: AskedList,
  { items, next }: { readonly items: readonly string[]; readonly next: EndPlace | undefined },
): Answer {
  return listPage(items, list, next && `${next.end}_${next.number}`);
}

export const NO_AUCTIONS = { items: [], next: undefined };

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
