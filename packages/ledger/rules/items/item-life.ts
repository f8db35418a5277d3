import {
  type Address,
  type Amount,
  type RecordValues,
  type Refused,
  refuse,
  type StateCode,
  type TokenId,
} from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import type { Auction, Bid } from "../../state/auction.ts";
import {
  IDLE,
  type Item,
  type ItemTrade,
  type OnAuction,
  type OnSale,
} from "../../state/item-entry.ts";

/** What can be done to an item that is there. */
export type Act = keyof typeof ALLOWED;

/**
 * The states of the chapter's picture; an auction is `open` until somebody has bid.
 * Source: mrc401 §2.3.
 */
type Phase = "idle" | "onSale" | "open" | "bid" | "melted";

/**
 * Whether an act is allowed in a state, or which code refuses it; and whether it is allowed for an
 * item that is bound. Source: mrc401 §2.3, §2.4.
 */
// biome-ignore format: it reads like a table.
const ALLOWED = {
  update:    { idle: true,   onSale: true,   open: true,   bid: true,   melted: "7110", bound: true },
  transfer:  { idle: true,   onSale: "7108", open: "7108", bid: "7108", melted: "7110", bound: false },
  sell:      { idle: true,   onSale: "7108", open: "7108", bid: "7108", melted: "7110", bound: false },
  unsell:    { idle: "7106", onSale: true,   open: "7106", bid: "7106", melted: "7106", bound: true },
  buy:       { idle: "7106", onSale: true,   open: "7106", bid: "7106", melted: "7110", bound: false },
  melt:      { idle: true,   onSale: "7108", open: "7108", bid: "7108", melted: "7110", bound: true },
  auction:   { idle: true,   onSale: "7108", open: "7108", bid: "7108", melted: "7110", bound: false },
  unauction: { idle: "7106", onSale: "7106", open: true,   bid: "7104", melted: "7106", bound: true },
  bid:       { idle: "7106", onSale: "7106", open: true,   bid: true,   melted: "7110", bound: false },
  finish:    { idle: "7106", onSale: "7106", open: true,   bid: true,   melted: "7106", bound: true },
} as const satisfies {
  readonly [act: string]: { readonly [phase in Phase]: true | StateCode } & { readonly bound: boolean };
};

/**
 * Refused if the state of an item forbids an act, then with 7109 if the item is bound and the act
 * would pass it on.
 */
export function refuseAct(act: Act, item: Item, parameter: string): Refused | undefined {
  return refusePhase(act, item, parameter) ?? refuseBound(act, item, parameter);
}

/** Refused if the item is listed, is not listed or has been melted, and the act needs another state. */
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

function phaseOf({ condition }: Item): Phase {
  switch (condition.is) {
    case "idle":
      return "idle";
    case "on sale":
      return "onSale";
    case "on auction":
      return condition.auction.bid === undefined ? "open" : "bid";
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

/** The sale of an item that `refuseAct` has found to be on sale. */
export function saleOf({ condition }: Item): OnSale {
  invariant(condition.is === "on sale", "the item's state has been checked");
  return condition;
}

/** The auction of an item that `refuseAct` has found to be on auction. */
export function auctionOf({ condition }: Item): OnAuction {
  invariant(condition.is === "on auction", "the item's state has been checked");
  return condition;
}

export function putOnSale(
  item: Item,
  {
    price,
    token,
    time,
  }: { readonly price: Amount; readonly token: TokenId; readonly time: number },
): Item {
  return {
    ...item,
    condition: { is: "on sale", date: time, price, token, listingFee: item.sellFee },
  };
}

export function putOnAuction(
  item: Item,
  {
    auction,
    token,
    time,
  }: { readonly auction: Auction; readonly token: TokenId; readonly time: number },
): Item {
  return {
    ...item,
    condition: { is: "on auction", date: time, token, listingFee: item.sellFee, auction },
  };
}

/** What the record of an auction says of its terms, defaults filled in. Source: mrc401 §14. */
export function auctionTerms(
  { startPrice, buyNowPrice, bidUnit }: Auction,
  token: TokenId,
): Pick<
  RecordValues<"mrc401_auction">,
  "auction_start_price" | "token" | "auction_buynow_price" | "auction_bidding_unit"
> {
  return {
    ...{ auction_start_price: startPrice, token },
    ...{ auction_buynow_price: buyNowPrice, auction_bidding_unit: bidUnit },
  };
}

/** Off sale or auction, still with the same holder. */
export function takenOff(item: Item): Item {
  return { ...item, condition: IDLE };
}

export function withBid(item: Item, bid: Bid): Item {
  const condition = auctionOf(item);
  return { ...item, condition: { ...condition, auction: { ...condition.auction, bid } } };
}

/** Given to somebody; from then on it is not fresh. Source: mrc401 §2.2. */
export function passedOn(item: Item, owner: Address): Item {
  return { ...item, owner, condition: IDLE };
}

/** Bought or won. */
export function tradedTo(item: Item, owner: Address, trade: ItemTrade): Item {
  return { ...passedOn(item, owner), lastTrade: trade };
}

export function melted(item: Item, time: number): Item {
  return { ...item, condition: { is: "melted", date: time } };
}
