import {
  type Address,
  type Amount,
  type Move,
  parseAddress,
  type RecordPart,
  Refused,
  refuse,
  type TokenId,
  type TransactionRecord,
  ZERO,
} from "@moneta/protocol";
import type { Change } from "../state/block-changes.ts";
import {
  GRANT,
  GRANT_PERIODS,
  type Grant,
  type GrantPeriods,
  type OpenGrant,
  periodsOf,
} from "../state/grant-entry.ts";
import { holderOf, ITEM, type Item } from "../state/item-entry.ts";
import { ITEM_OFFER, type ItemOffer, UNIT_OFFER, type UnitOffer } from "../state/offer-entry.ts";
import { heldToken, ORDER, type Order } from "../state/order-entry.ts";
import { POLICY, type PolicyEntry, PROJECT, type Project } from "../state/project-entry.ts";
import type { State, StateReader } from "../state/state.ts";
import { TOKEN, type TokenEntry } from "../state/token-entry.ts";
import { creatorOf, TOKEN_LISTING, type TokenListing } from "../state/token-listing-entry.ts";
import { HOLDING, type Holding, NO_UNITS, unitsOf } from "../state/units/holding-entry.ts";
import { UNIT_ITEM, type UnitItem } from "../state/units/unit-item-entry.ts";
import { UNIT_LISTING, type UnitListing } from "../state/units/unit-listing-entry.ts";
import { firstRefusal } from "./first-refusal.ts";

// An agent is bounded by effects on the state, not by parameters, so no operation can be forgotten.
// Source: authority §5.3.

interface UsedGrant {
  readonly grant: Grant;
  readonly parameter: string;
}

/** The id of a grant that a signer's request names. */
export interface NamedGrant {
  readonly id: string;
  readonly address: Address;
  readonly parameter: string;
}

/**
 * Refusals with 6014, 7209 and 7003 precede the operation's own checks; 7004 and 7005 follow.
 * `values` are its parameters. Source: authority §5.2, §5.3.
 */
export function boundedBy<R extends TransactionRecord>(
  state: State,
  {
    grants,
    name,
    values,
  }: {
    readonly grants: readonly NamedGrant[];
    readonly name: string;
    readonly values: Readonly<Record<string, unknown>>;
  },
  apply: () => R | Refused,
): R | Refused {
  const used: UsedGrant[] = [];
  for (const named of grants) {
    const grant = grantNamed(state, named);
    if (grant instanceof Refused) {
      return grant;
    }
    const one = { grant, parameter: named.parameter };
    const refused = refuseUse(state, one, name);
    if (refused !== undefined) {
      return refused;
    }
    used.push(one);
  }
  let record = apply();
  for (const one of used) {
    if (record instanceof Refused) {
      return record;
    }
    record = bound(state, one, values) ?? withGrant(record, one);
  }
  return record;
}

/** Refused with 6014 if the address has none of this id. Source: authority §5.2. */
export function grantNamed(
  state: StateReader,
  { id, address, parameter }: NamedGrant,
): Grant | Refused {
  const found = state.find(GRANT, id);
  return found === undefined || found.address !== address
    ? refuse({ code: "6014", parameter, given: id, address })
    : found;
}

/** Its time, or its address's keys. Source: authority §5.2. */
export function isOver(
  state: StateReader,
  address: Address,
  { until, version }: OpenGrant,
): boolean {
  return state.time > until || version < (state.keySet(address)?.grantsfrom ?? 0);
}

/** Refused with 7209 if a grant is over, with 7003 if it does not list the operation. */
function refuseUse(
  state: StateReader,
  { grant, parameter }: UsedGrant,
  operation: string,
): Refused | undefined {
  const { address, ended, grantid, operations } = grant;
  const reason =
    ended !== 0
      ? `was ended at ${ended}`
      : state.time > grant.until
        ? `ended at ${grant.until}`
        : `is over, because the keys of ${address} have changed since`;
  if (ended !== 0 || isOver(state, address, grant)) {
    return refuse({ code: "7209", parameter, reason: `${grantid} ${reason}` });
  }
  const others = `${grantid} allows ${operations.join(", ")}, but not ${operation}`;
  return operations.includes(operation)
    ? undefined
    : refuse({ code: "7003", parameter, reason: others });
}

/**
 * Refused with 7005 for the amount, 7004 for the payee or an item; else notes the spent amounts.
 * `values` are the operation's parameters. Source: authority §5.3.
 */
function bound(
  state: State,
  used: UsedGrant,
  values: Readonly<Record<string, unknown>>,
): Refused | undefined {
  return refusePayees(state, used, values) ?? refuseItems(state, used) ?? spend(state, used);
}

/** Adds the grant to the address's values. Source: authority §5.5. */
function withGrant<R extends TransactionRecord>(record: R, { grant }: UsedGrant): R {
  const shown = <P extends RecordPart>(part: P): P =>
    part.address === grant.address
      ? { ...part, values: { ...part.values, grant: grant.grantid } }
      : part;
  return { ...shown(record), effects: record.effects.map(shown) };
}

function moneyOf(state: State, address: Address): readonly Move[] {
  return (state.moves.of(address)?.moves ?? []).filter(({ kind }) => kind === "token");
}

/** Refused with 7005 if one is exceeded. */
function spend(state: State, { grant, parameter }: UsedGrant): Refused | undefined {
  const spent = moneyOf(state, grant.address).filter(({ amount }) => amount < 0n);
  if (spent.length === 0) {
    return undefined;
  }
  const before = periodsOf(state, grant);
  const periods = [...before.periods];
  for (const { id, amount } of spent) {
    const token = id as TokenId;
    const needed = -amount as Amount;
    const own = grant.limits.flatMap((limit, index) => (limit.token === token ? [index] : []));
    const after = own.map((index) => periodNow(state.time, before, grant, index));
    const left = after.map(
      (period, at) =>
        (grant.limits[own[at] as number] as Grant["limits"][number]).amount - period.spent,
    );
    const least = left.reduce((a, b) => (b < a ? b : a), left[0] ?? ZERO) as Amount;
    if (needed > least) {
      return refuse({ code: "7005", parameter, token, needed, left: least });
    }
    for (const [at, index] of own.entries()) {
      const period = after[at] as GrantPeriods["periods"][number];
      periods[index] = { ...period, spent: (period.spent + needed) as Amount };
    }
  }
  state.put(GRANT_PERIODS, { ...before, periods });
  return undefined;
}

/** A new one, if the last is over. */
function periodNow(
  time: number,
  { periods }: GrantPeriods,
  { limits }: Grant,
  index: number,
): GrantPeriods["periods"][number] {
  const last = periods[index] as GrantPeriods["periods"][number];
  const { period } = limits[index] as Grant["limits"][number];
  const isNew = last.since === 0 || (period > 0 && time >= last.since + period);
  return isNew ? { since: time, spent: ZERO } : last;
}

/** Refused with 7004 if others than the payees get something, or escrow holds more. */
function refusePayees(
  state: State,
  { grant, parameter }: UsedGrant,
  values: Readonly<Record<string, unknown>>,
): Refused | undefined {
  const { address, payees } = grant;
  if (payees.length === 0) {
    return undefined;
  }
  const allowed = new Set<string>([address, ...payees]);
  const stranger = [...state.moves.receivers(), ...addressesIn(values)].find(
    (each) => !allowed.has(each),
  );
  if (stranger !== undefined) {
    const reason = `allows payments to its payees alone, to which ${stranger} does not belong`;
    return refuse({ code: "7004", parameter, reason });
  }
  const held = moneyOf(state, address).find(
    ({ id, amount }) => amount < 0n && state.moves.inAll(id as TokenId) < 0n,
  );
  const reason = `allows payments to its payees alone, but this would take token ${held?.id} out of every balance: into escrow or a reserve, or for good`;
  return held === undefined ? undefined : refuse({ code: "7004", parameter, reason });
}

function* addressesIn(value: unknown): Iterable<Address> {
  if (typeof value === "string") {
    const found = parseAddress(value);
    if (found !== undefined) {
      yield found;
    }
  } else if (value instanceof Map) {
    yield* addressesIn([...value]);
  } else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) {
      yield* addressesIn(member);
    }
  }
}

interface Touched {
  /** Ids under which a grant may name it. */
  readonly names: readonly string[];
  /** Prices at which it is to be had from now on. */
  readonly prices?: readonly Price[];
  /** Whether it has left the address otherwise than for one of these prices. */
  readonly isGiven?: boolean;
}

/** For one item or unit. */
interface Price {
  readonly amount: Amount;
  readonly token: TokenId;
}

/** Refused with 7004 for an unnamed item, or a sale below its price. */
function refuseItems(state: State, { grant, parameter }: UsedGrant): Refused | undefined {
  const { address, items } = grant;
  const changes = [...state.operationChanges()];
  const accepted = acceptedOffers(address, changes);
  return firstRefusal(
    changes.flatMap((change) => touchedBy(state, { address, accepted }, change)),
    ({ names, prices = [], isGiven = false }) => {
      const named = items.filter(({ id }) => names.includes(id));
      if (named.length === 0) {
        const reason = `does not name ${names.join(" or ")} among its items`;
        return refuse({ code: "7004", parameter, reason });
      }
      // The more precise name counts where both are given.
      const { id, minprice, token } =
        named.find((each) => each.id === names[0]) ?? (named[0] as Grant["items"][number]);
      if (minprice === undefined) {
        return undefined;
      }
      const isCheap = prices.some((price) => price.token !== token || price.amount < minprice);
      const reason = `allows ${id} to leave for ${minprice} of token ${token} each, and for no less`;
      return isCheap || isGiven ? refuse({ code: "7004", parameter, reason }) : undefined;
    },
  );
}

interface Acted {
  readonly address: Address;
  readonly accepted: ReadonlyMap<string, Price>;
}

function acceptedOffers(address: Address, changes: readonly Change[]): ReadonlyMap<string, Price> {
  const prices = new Map<string, Price>();
  for (const { kind, after } of changes) {
    const isOfItem = (kind as unknown) === ITEM_OFFER;
    if (isOfItem || (kind as unknown) === UNIT_OFFER) {
      const { buyer, price: amount, token, id } = after as ItemOffer | UnitOffer;
      if (buyer !== address) {
        prices.set(isOfItem ? (after as ItemOffer).mrc401 : id, { amount, token });
      }
    }
  }
  return prices;
}

/** Except items that it acquires or bids for. */
function touchedBy(
  state: State,
  acted: Acted,
  { kind, before, after }: Change,
): readonly Touched[] {
  const { address } = acted;
  switch (kind as unknown) {
    case ITEM:
      return touchedItem(acted, before as Item | undefined, after as Item);
    case HOLDING:
      return touchedHolding(
        state,
        acted,
        before as Holding | undefined,
        after as Holding | undefined,
      );
    case UNIT_ITEM:
      return touchedClass(before as UnitItem | undefined, after as UnitItem);
    case UNIT_LISTING:
      return touchedUnits(state, address, before as UnitListing | undefined, after as UnitListing);
    case TOKEN_LISTING: {
      const listing = after as TokenListing;
      const token = listing.side === "buy" ? listing.buy_token : listing.mrc010;
      return creatorOf(listing) === address ? [{ names: [`token:${token}`] }] : [];
    }
    case ORDER: {
      const order = after as Order;
      return order.owner === address ? [{ names: [`token:${heldToken(order)}`] }] : [];
    }
    case TOKEN:
      return [{ names: [`token:${(after as TokenEntry).id}`] }];
    case PROJECT:
      return [{ names: [(after as Project).id] }];
    case POLICY:
      return [{ names: [(after as PolicyEntry).mrc400] }];
    default:
      return [];
  }
}

function touchedItem(
  { address, accepted }: Acted,
  before: Item | undefined,
  after: Item,
): readonly Touched[] {
  const { id, mrc400, sell_date, auction_date } = after;
  const [from, to] = [before && holderOf(before), holderOf(after)];
  const bids =
    after.auction_current_bidder === address &&
    after.auction_current_price !== before?.auction_current_price;
  if (before !== undefined && from !== address && (to === address || bids)) {
    return [];
  }
  const { sell_price, sell_token, auction_token: token } = after;
  const asked = [
    ...(sell_date === 0 ? [] : [{ amount: sell_price, token: sell_token }]),
    // A buy-now price is never below it.
    ...(auction_date === 0 ? [] : [{ amount: after.auction_start_price, token }]),
  ];
  const sold = accepted.get(id);
  const isGiven = from === address && to !== address && sold === undefined;
  return [{ names: [id, mrc400], prices: sold === undefined ? asked : [sold], isGiven }];
}

function touchedHolding(
  state: State,
  { address, accepted }: Acted,
  before: Holding | undefined,
  after: Holding | undefined,
): readonly Touched[] {
  const { item, address: holder } = (after ?? before) as Holding;
  const fewer = (before?.balance ?? ZERO) > (after?.balance ?? ZERO);
  if (holder !== address || !fewer) {
    return [];
  }
  const leaves = unitsOf(before ?? NO_UNITS) > unitsOf(after ?? NO_UNITS);
  const sold = leaves ? accepted.get(item) : undefined;
  const prices = sold === undefined ? [] : [sold];
  return [{ names: namesOfUnits(state, item), prices, isGiven: leaves && sold === undefined }];
}

/** A trade alone, which changes its last one, does not touch a class. */
function touchedClass(before: UnitItem | undefined, after: UnitItem): readonly Touched[] {
  const { id, mrc400 } = after;
  const changed =
    before === undefined ? [id] : Object.keys(UNIT_ITEM.changes?.(before, after) ?? {});
  return changed.every((name) => name.startsWith("last_trade_"))
    ? []
    : [{ names: mrc400 === "" ? [id] : [id, mrc400] }];
}

function touchedUnits(
  state: State,
  address: Address,
  before: UnitListing | undefined,
  listing: UnitListing,
): readonly Touched[] {
  if (listing.seller !== address) {
    return [];
  }
  const { side, sell_price, sell_token: token, mrc402, amount: units } = listing;
  // A buy-now price is never below the start price.
  const start = (listing.auction_start_price / units) as Amount;
  const asked = { amount: side === "sell" ? sell_price : start, token };
  const prices = before === undefined ? [asked] : [];
  return [{ names: namesOfUnits(state, mrc402), prices }];
}

function namesOfUnits(state: State, id: string): readonly string[] {
  const project = state.find(UNIT_ITEM, id)?.mrc400 ?? "";
  return project === "" ? [id] : [id, project];
}
