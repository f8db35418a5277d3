import {
  type Address,
  type Amount,
  type RecordValues,
  type Refused,
  refuse,
  type StateCode,
  type TokenId,
} from "@moneta/protocol";
import { endAfterBid } from "../../market/auction.ts";
import { type ListedTerms, listedPrices, nearestEnds } from "../../market/new-auction.ts";
import { type Bid, type SaleWindow, withHighest } from "../../state/auction.ts";
import {
  conditionOf,
  type Item,
  isEndedSale,
  type LastTrade,
  NOT_LISTED,
} from "../../state/item-entry.ts";
import type { State } from "../../state/state.ts";

export type Act = keyof typeof ALLOWED;

/** The chapter's picture; an auction is `open` before the first bid. Source: mrc401 §2.3. */
type Phase = "idle" | "onSale" | "open" | "bid" | "melted";

/**
 * Acts by state, or the refusing code; and whether a bound item allows them. Source: mrc401 §2.3,
 * §2.4.
 */
// biome-ignore format: it reads like a table.
const ALLOWED = {
  update:    { idle: true,   onSale: true,   open: true,   bid: true,   melted: "7110", bound: true },
  transfer:  { idle: true,   onSale: "7108", open: "7108", bid: "7108", melted: "7110", bound: false },
  sell:      { idle: true,   onSale: "7108", open: "7108", bid: "7108", melted: "7110", bound: false },
  unsell:    { idle: "7106", onSale: true,   open: "7106", bid: "7106", melted: "7106", bound: true },
  buy:       { idle: "7106", onSale: true,   open: "7106", bid: "7106", melted: "7110", bound: false },
  offer:     { idle: true,   onSale: true,   open: true,   bid: true,   melted: "7110", bound: false },
  accept:    { idle: true,   onSale: true,   open: "7108", bid: "7108", melted: "7110", bound: false },
  melt:      { idle: true,   onSale: "7108", open: "7108", bid: "7108", melted: "7110", bound: true },
  auction:   { idle: true,   onSale: "7108", open: "7108", bid: "7108", melted: "7110", bound: false },
  unauction: { idle: "7106", onSale: "7106", open: true,   bid: "7104", melted: "7106", bound: true },
  bid:       { idle: "7106", onSale: "7106", open: true,   bid: true,   melted: "7110", bound: false },
  finish:    { idle: "7106", onSale: "7106", open: true,   bid: true,   melted: "7106", bound: true },
} as const satisfies {
  readonly [act: string]: { readonly [phase in Phase]: true | StateCode } & { readonly bound: boolean };
};

/** Refused by the state of the item, then with 7109 if it is bound. */
export function refuseAct(act: Act, item: Item, parameter: string): Refused | undefined {
  return refusePhase(act, item, parameter) ?? refuseBound(act, item, parameter);
}

export function refusePhase(act: Act, item: Item, parameter: string): Refused | undefined {
  const allowed = ALLOWED[act][phaseOf(item)];
  const reason = `names an item that ${reasonFor(item)}`;
  return allowed === true ? undefined : refuse({ code: allowed, parameter, reason });
}

/** Refused with 7109 if the item is bound and the act would pass it on. */
export function refuseBound(act: Act, item: Item, parameter: string): Refused | undefined {
  const reason = "names an item that is Bound: it cannot be passed on";
  return item.transferable === "Bound" && !ALLOWED[act].bound
    ? refuse({ code: "7109", parameter, reason })
    : undefined;
}

function phaseOf(item: Item): Phase {
  switch (conditionOf(item)) {
    case "idle":
      return "idle";
    case "on sale":
      return "onSale";
    case "on auction":
      return item.auction_current_bidder === "" ? "open" : "bid";
    case "melted":
      return "melted";
  }
}

function reasonFor(item: Item): string {
  switch (phaseOf(item)) {
    case "idle":
      return "is neither on sale nor on auction";
    case "onSale":
      return "is on sale";
    case "open":
      return "is on auction";
    case "bid":
      return "is on auction and has a bid";
    case "melted":
      return "has been melted";
  }
}

export function putOnSale(
  item: Item,
  {
    price,
    token,
    time,
    sell_start,
    sell_end,
  }: SaleWindow & {
    readonly price: Amount;
    readonly token: TokenId;
    readonly time: number;
  },
): Item {
  return {
    ...item,
    ...{ sell_date: time, sell_price: price, sell_token: token, listing_fee: item.sell_fee },
    ...{ sell_start, sell_end },
  };
}

export type ItemAuction = Pick<
  Item,
  | "auction_start_price"
  | "auction_bidding_unit"
  | "auction_buynow_price"
  | "auction_end"
  | "auction_token"
  | "auction_extend"
  | "auction_latest_end"
>;

/** Source: mrc401 §14. */
export function newAuction(
  state: State,
  { token, ...terms }: ListedTerms & { readonly token: TokenId },
): ItemAuction {
  const { end, ...softClose } = nearestEnds(state, terms);
  return {
    ...listedPrices(terms),
    auction_end: end,
    auction_token: token,
    ...softClose,
  };
}

export function putOnAuction(item: Item, auction: ItemAuction, time: number): Item {
  return { ...item, ...auction, auction_date: time, listing_fee: item.sell_fee };
}

/** Parameters of the record, with defaults. Source: mrc401 §14. */
export function auctionTerms({
  auction_start_price,
  auction_token: token,
  auction_buynow_price,
  auction_bidding_unit,
}: ItemAuction): Pick<
  RecordValues<"mrc401_auction">,
  "auction_start_price" | "token" | "auction_buynow_price" | "auction_bidding_unit"
> {
  return { auction_start_price, token, auction_buynow_price, auction_bidding_unit };
}

/** Still with the same holder. */
export function takenOff(item: Item): Item {
  return { ...item, ...NOT_LISTED };
}

/** Other acts than unsell and buy leave it first. Source: mrc401 §2.3. */
export function withoutEndedSale(item: Item, time: number): Item {
  return isEndedSale(item, time) ? takenOff(item) : item;
}

export function withBid(item: Item, bid: Bid, time: number): Item {
  const auction_end = endAfterBid(item, { end: item.auction_end, bid, time });
  return { ...item, ...withHighest(bid), auction_end };
}

/** Source: mrc401 §2.2. */
export function passedOn(item: Item, owner: Address): Item {
  return { ...item, ...NOT_LISTED, owner };
}

export function tradedTo(item: Item, owner: Address, trade: LastTrade): Item {
  return { ...passedOn(item, owner), ...trade };
}

export function melted(item: Item, time: number): Item {
  return { ...item, ...NOT_LISTED, owner: "MELTED", melting_date: time };
}
