import {
  type Address,
  type Amount,
  feeOf,
  ONE,
  type Policy,
  type Refused,
  refuse,
  type TokenId,
} from "@moneta/protocol";
import type { Auction } from "../state/auction.ts";
import type { Item } from "../state/item-entry.ts";
import { HELD, policyNumbered } from "../state/project-entry.ts";
import type { State } from "../state/state.ts";
import type { UnitItem } from "../state/units/unit-item-entry.ts";

type Goods = Item | UnitItem;

export type HolderChangeWay = "transfer" | "sale" | "auction" | "purchase" | "bid" | "offer";

/** By an operation, or by a listing or a bid later. */
export interface HolderChange {
  readonly way: HolderChangeWay;
  readonly from: Address;
  /** Undefined for listings. */
  readonly to: Address | undefined;
  /** Held more by `to` afterwards, including earlier ones of the operation; 0 for a raise. */
  readonly units: bigint;
  /** Unix seconds: now, or the end of an auction. */
  readonly at: number;
  /** Asked or paid prices. */
  readonly prices?: readonly { readonly amount: Amount; readonly parameter: string }[];
  readonly token?: TokenId;
  readonly pricedUnits?: Amount;
  readonly parameter: string;
}

/**
 * Every operation that can change a holder calls this: 7124, 7120, 3022 or 7122, then 7206, 7207 or
 * 7208. Without a policy it costs one comparison. Source: policies §3.
 */
export function refuseHolderChange(
  state: State,
  goods: Goods,
  change: HolderChange,
): Refused | undefined {
  if (goods.policy_number === 0) {
    return undefined;
  }
  const policy = policyNumbered(state, goods.mrc400, goods.policy_number);
  const isOfIssuer =
    isIssuer(goods, change.from) || (change.to !== undefined && isIssuer(goods, change.to));
  return (
    refuseInGroup(policy, change, state.isInGroup) ??
    refuseWay(policy, change, isOfIssuer) ??
    refusePrices(policy, goods, change) ??
    refuseHeld(state, policy, goods, change) ??
    (isOfIssuer ? undefined : refuseTime(policy, goods, change, state.time))
  );
}

/** Bids do not move its end past the policy's closing time. Source: market §3.2, policies §6. */
export function withinPolicy<A extends Pick<Auction, "auction_extend" | "auction_latest_end">>(
  state: State,
  goods: Goods,
  seller: Address,
  auction: A,
): A {
  if (auction.auction_extend === 0 || goods.policy_number === 0 || isIssuer(goods, seller)) {
    return auction;
  }
  const { closes } = policyNumbered(state, goods.mrc400, goods.policy_number);
  return closes === 0
    ? auction
    : { ...auction, auction_latest_end: Math.min(auction.auction_latest_end, closes) };
}

/** The owner of the project; of units also their creator. Source: policies §2. */
function isIssuer(goods: Goods, address: Address | ""): boolean {
  return address === goods.projectOwner || ("totalsupply" in goods && address === goods.creator);
}

/**
 * Buyer and seller could settle the rest of the price beside the market, each sure of the other.
 * Source: policies §4.
 */
function refuseInGroup(
  { transfers, maxprice }: Policy,
  { way, parameter }: HolderChange,
  isInGroup: boolean,
): Refused | undefined {
  const reason =
    "names an item whose policy bounds its trade: it is listed, bought and bid for outside of groups only";
  return isInGroup && way !== "transfer" && (transfers !== "free" || maxprice > 0n)
    ? refuse({ code: "7124", parameter, reason })
    : undefined;
}

function refuseWay(
  { transfers }: Policy,
  { way, parameter }: HolderChange,
  isOfIssuer: boolean,
): Refused | undefined {
  const isTrade = way !== "transfer";
  const isAllowed =
    transfers === "free" ||
    (transfers === "market" && (isTrade || isOfIssuer)) ||
    (transfers === "issuer" && !isTrade && isOfIssuer);
  const allowed = {
    free: "",
    market: "sold, auctioned, or transferred from or to its issuer",
    issuer: "transferred from or to its issuer",
    none: "melted",
  }[transfers];
  const reason = `names an item that by its policy can only be ${allowed}`;
  return isAllowed ? undefined : refuse({ code: "7120", parameter, reason });
}

/** Source: policies §5. */
function refusePrices(
  { maxprice }: Policy,
  { face_price, face_token }: Goods,
  { prices = [], token, pricedUnits = ONE, parameter }: HolderChange,
): Refused | undefined {
  if (maxprice === 0n || prices.length === 0) {
    return undefined;
  }
  const most = feeOf(face_price, maxprice) * pricedUnits;
  const high = prices.find(({ amount }) => amount > most);
  if (token === face_token && high === undefined) {
    return undefined;
  }
  const bound = `by its policy the item costs at most ${most} of token ${face_token}`;
  return high === undefined
    ? refuse({ code: "3022", parameter, reason: `is traded for token ${token} but ${bound}` })
    : refuse({ code: "3022", parameter: high.parameter, reason: `is ${high.amount} but ${bound}` });
}

/** Source: policies §7. */
function refuseHeld(
  state: State,
  { maxheld }: Policy,
  goods: Goods,
  { to, units, parameter }: HolderChange,
): Refused | undefined {
  if (maxheld === 0 || to === undefined || units === 0n || isIssuer(goods, to)) {
    return undefined;
  }
  const held = heldBy(state, goods, to);
  const reason = `names an item of which an address holds at most ${maxheld} by its policy: ${to} has ${held}, bids included`;
  return BigInt(held) + units > BigInt(maxheld)
    ? refuse({ code: "7122", parameter, reason })
    : undefined;
}

/** Source: policies §6. */
function refuseTime(
  { opens, closes, cooldown }: Policy,
  goods: Goods,
  { way, at, parameter }: HolderChange,
  time: number,
): Refused | undefined {
  if (way !== "sale" && at < opens) {
    const reason = `names an item whose holder by its policy may change from ${opens} on`;
    return refuse({ code: "7206", parameter, reason });
  }
  // An auction is always settled: it must end in time.
  if (closes !== 0 && (way === "auction" || way === "bid" ? at > closes : at >= closes)) {
    const reason = `names an item whose holder by its policy may change before ${closes} only`;
    return refuse({ code: "7207", parameter, reason });
  }
  const since = "held_since" in goods ? goods.held_since : 0;
  const reason = `names an item that has its holder since ${since} and by its policy stays for ${cooldown} s`;
  return since !== 0 && time < since + cooldown
    ? refuse({ code: "7208", parameter, reason })
    : undefined;
}

function heldBy(state: State, { mrc400, policy_number }: Goods, address: Address): number {
  return state.find(HELD, `${address}/${mrc400}/${policy_number}`)?.count ?? 0;
}

/** Counts what an address holds of a policy, with its highest bids. Source: policies §7. */
export function noteHeld(state: State, goods: Goods, address: Address | "", more: bigint): void {
  if (
    more === 0n ||
    address === "" ||
    isIssuer(goods, address) ||
    policyNumbered(state, goods.mrc400, goods.policy_number).maxheld === 0
  ) {
    return;
  }
  const { mrc400, policy_number: number } = goods;
  const count = heldBy(state, goods, address) + Number(more);
  state.put(HELD, { address, mrc400, number, count });
}
