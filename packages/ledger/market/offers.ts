import {
  type Address,
  type Amount,
  OFFER_SECONDS,
  OPEN_OFFERS_MAX,
  type RecordType,
  type RecordValues,
  type Refused,
  refuse,
  type TokenId,
  type TransactionRecord,
  ZERO,
} from "@moneta/protocol";
import { done, effectOnEntry, record, type Signed } from "../records/record.ts";
import type { DocumentKind } from "../state/entries.ts";
import { type Offer, OPEN_OFFERS } from "../state/offer-entry.ts";
import type { State, StateReader } from "../state/state.ts";
import { refuseUnaffordable } from "./balances.ts";
import { distribute, type FeeShare } from "./fees.ts";

// Common to offers for items and for units. Source: offers.

/**
 * Refused with 7125 for too many open offers, 1102 for its end, 5000 for its payment.
 * Source: offers §2.
 */
export function refuseNewOffer(
  state: State,
  {
    buyer,
    token,
    end,
    held: amount,
  }: {
    readonly buyer: Address;
    readonly token: TokenId;
    readonly end: bigint;
    readonly held: Amount;
  },
): Refused | undefined {
  const reason = `is ${buyer}, which has ${OPEN_OFFERS_MAX} open offers, the most there can be: withdraw one`;
  if (openOffers(state, buyer) >= OPEN_OFFERS_MAX) {
    return refuse({ code: "7125", parameter: "buyer", reason });
  }
  const [min, max] = [state.time + OFFER_SECONDS.min, state.time + OFFER_SECONDS.max];
  const wanted = `a time in Unix seconds from ${min} to ${max}`;
  return end < min || end > max
    ? refuse({ code: "1102", parameter: "end", given: String(end), wanted })
    : refuseUnaffordable(state, { address: buyer, token, amount });
}

export function makeOffer<O extends Offer, T extends RecordType>(
  state: State,
  kind: DocumentKind<O>,
  offer: O,
  recorded: { readonly type: T; readonly values: RecordValues<T> },
): TransactionRecord {
  const { buyer, token, held } = offer;
  state.balances.debit(buyer, token, held);
  putOffer(state, kind, offer);
  const { type, values } = recorded;
  return done(state, record(type, values, { token }), [effectOnEntry(type, values, kind, offer)]);
}

/** Refused with 7106 if accepted or withdrawn, 7202 if closed at its end. */
export function refuseClosedOffer({ state, end }: Offer): Refused | undefined {
  switch (state) {
    case "open":
      return undefined;
    case "ended":
      return refuse({ code: "7202", parameter: "offerid", reason: endedAt(end) });
    case "accepted":
    case "withdrawn": {
      const reason = `names an offer that has been ${state}`;
      return refuse({ code: "7106", parameter: "offerid", reason });
    }
  }
}

/** Refused with 7202. */
export function refuseEndedOffer({ end }: Offer, time: number): Refused | undefined {
  return time >= end
    ? refuse({ code: "7202", parameter: "offerid", reason: endedAt(end) })
    : undefined;
}

function endedAt(end: number): string {
  return `names an offer that ended at ${end}`;
}

/** Refused with 3004. Source: offers §3. */
export function refuseOwnOffer({ buyer }: Offer, seller: Address): Refused | undefined {
  const reason = `is ${seller}, who made the offer: an address cannot trade with itself`;
  return buyer === seller ? refuse({ code: "3004", parameter: "seller", reason }) : undefined;
}

/** Refused with 7112 if fees leave the seller less than it asks. Source: offers §3. */
export function refuseLess(
  payment: Amount,
  shares: readonly FeeShare[],
  atLeast: Amount | undefined,
): Refused | undefined {
  const { rest } = distribute(payment, shares);
  const reason = `is ${atLeast} but the fees of now leave ${rest} of ${payment}`;
  return atLeast !== undefined && rest < atLeast
    ? refuse({ code: "7112", parameter: "atleast", reason })
    : undefined;
}

/** Refused with 7001 for others than the buyer; 7106 unless open. Source: offers §4. */
export function refuseWithdrawal(offer: Offer, buyer: Address): Refused | undefined {
  const reason = `${offer.offerid} is an offer of ${offer.buyer}, who alone can withdraw it.`;
  return offer.buyer === buyer
    ? refuseNotOpen(offer)
    : refuse({ code: "7001", parameter: "buyer", reason });
}

/** Refused with 7106 unless open, 7201 before its end. Source: offers §5. */
export function refuseClosing(offer: Offer, time: number): Refused | undefined {
  const reason = `names an offer that runs until ${offer.end}`;
  return (
    refuseNotOpen(offer) ??
    (time < offer.end ? refuse({ code: "7201", parameter: "offerid", reason }) : undefined)
  );
}

function refuseNotOpen({ state }: Offer): Refused | undefined {
  const reason = `names an offer that is not open: it is ${state}`;
  return state === "open" ? undefined : refuse({ code: "7106", parameter: "offerid", reason });
}

/** Source: offers §4, §5. */
export function returnOffer<O extends Offer>(
  state: State,
  kind: DocumentKind<O>,
  offer: O,
  {
    as,
    type,
    by: { signature, tkey },
  }: {
    readonly as: "withdrawn" | "ended";
    readonly type: "mrc401unoffer" | "mrc401offerfinish" | "mrc402unoffer" | "mrc402offerfinish";
    readonly by: Signed;
  },
): TransactionRecord {
  const { offerid, buyer, token, held: refund } = offer;
  state.balances.credit(buyer, token, refund);
  const closed = { ...offer, state: as, held: ZERO, close_date: state.time };
  putOffer(state, kind, closed);
  const values = { offerid, buyer, refund, token, signature, tkey };
  return done(state, record(type, values, { token }), [effectOnEntry(type, values, kind, closed)]);
}

export function putOffer<O extends Offer>(state: State, kind: DocumentKind<O>, offer: O): void {
  const { buyer } = offer;
  const wasOpen = state.find(kind, offer.offerid)?.state === "open" ? 1 : 0;
  const isOpen = offer.state === "open" ? 1 : 0;
  state.put(kind, offer);
  if (isOpen !== wasOpen) {
    const open = openOffers(state, buyer) + isOpen - wasOpen;
    state.put(OPEN_OFFERS, { address: buyer, open });
  }
}

function openOffers(state: StateReader, buyer: Address): number {
  return state.find(OPEN_OFFERS, buyer)?.open ?? 0;
}
