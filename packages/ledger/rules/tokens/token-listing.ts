import {
  type Address,
  type Amount,
  type LedgerOperation,
  PLATFORM_FIELDS,
  type Rate,
  type Refused,
  refuse,
  refuseRest,
  type TokenId,
  type TransactionRecord,
  ZERO,
} from "@moneta/protocol";
import { refuseMoreThanRemains, refuseUnlessOpen } from "../../market/listing.ts";
import { platformOf } from "../../market/platform.ts";
import { done, record, type Signed, sent, signatureOf } from "../../records/record.ts";
import { named } from "../../state/entries.ts";
import { derivedId } from "../../state/ids/derived-id.ts";
import type { State, StateReader } from "../../state/state.ts";
import {
  creatorOf,
  NO_TERMS,
  type Offer,
  payTokenOf,
  TOKEN_LISTING,
  type TokenAuction,
  type TokenListing,
  type TokenRequest,
} from "../../state/token-listing-entry.ts";
import { mustExist, tokenMustExist } from "../existence.ts";
import { type Acting, acting, actingOn } from "../rule.ts";
import { putListing } from "./goods.ts";

type Act = "sell" | "reqsell" | "auction";

/** The parameters that every new listing of tokens has. Source: tokens §9. */
interface ListingValues {
  readonly mrc010id: TokenId;
  readonly address: Address;
  readonly amount: Amount;
  readonly token: TokenId;
  readonly platform_name: string;
  readonly platform_url: string;
  readonly platform_commission: Rate;
  readonly platform_address: Address | undefined;
  readonly tkey: string;
}

/** Refuses missing objects. Source: tokens §9, check 2. */
export function lister(
  state: StateReader,
  { address, mrc010id, token, platform_address }: ListingValues,
): Acting<undefined> | Refused {
  return acting(
    mustExist(state, "address", address) ??
      tokenMustExist(state, mrc010id, "mrc010id") ??
      tokenMustExist(state, token) ??
      mustExist(state, "platform_address", platform_address) ??
      address,
  );
}

/** Its records have the sent terms and platform. Source: tokens §9, §12. */
export function list(
  act: Act,
  state: State,
  values: ListingValues,
  {
    unit,
    terms,
    operation,
  }: {
    readonly unit: Amount;
    readonly terms: Offer | TokenRequest | TokenAuction;
    readonly operation: LedgerOperation;
  },
): TransactionRecord {
  const { mrc010id: token, amount } = values;
  const listing: TokenListing = {
    ...NO_TERMS,
    ...platformOf(values),
    dexid: derivedId("DEX010", values.address, values.tkey),
    mrc010: token,
    state: "open",
    amount,
    remain_amount: amount,
    min_trade_unit: unit,
    regdate: state.time,
    sell_date: 0,
    cancel_date: 0,
    job_type: `mrc010_${act}`,
    order: state.operationNumber,
    ...terms,
  };
  const filing = { token };
  const signed = { signature: signatureOf(operation), ...sent(operation, "tkey") };
  const offered = {
    ...sent(operation, "address", "amount", "mrc010id", "token", ...PLATFORM_FIELDS),
    ...{ dexid: listing.dexid, ...signed },
  };
  if (act === "auction") {
    const lot = {
      ...{ ...offered, ...sent(operation, "auction_start_price", "auction_bidding_unit") },
      ...sent(operation, "auction_buynow_price", "auction_start_date", "auction_end_date"),
    };
    const listed = putListing(state, listing, "mrc010_auction", lot);
    return done(state, record("mrc010auction", lot, filing), [listed]);
  }
  const offer = { ...offered, ...sent(operation, "price", "min_trade_unit") };
  const listed = putListing(state, listing, `mrc010_${act}`, offer);
  return done(state, record(`mrc010${act}`, offer, filing), [listed]);
}

/** Its creator; refused with 6004 without the listing. Source: tokens §10. */
export function canceller(
  state: StateReader,
  { dexid }: { readonly dexid: string },
): Acting<TokenListing> | Refused {
  return actingOn(named(state, TOKEN_LISTING, dexid, "dexid"), creatorOf);
}

/** Refused with 6004 without the listing, 3090 without the address. Source: tokens §11. */
export function taker(
  state: StateReader,
  { dexid, address }: { readonly dexid: string; readonly address: Address },
): Acting<TokenListing> | Refused {
  return actingOn(
    named(state, TOKEN_LISTING, dexid, "dexid"),
    () => mustExist(state, "address", address) ?? address,
  );
}

type Listing<S> = Extract<TokenListing, { readonly side: S }>;

/** The listing, if it is of a side and open. Source: market §1.5. */
export function ifOpen<S extends TokenListing["side"]>(
  listing: TokenListing,
  side: S,
): Listing<S> | Refused {
  return refuseUnlessOpen(listing, side) ?? (listing as Listing<S>);
}

/** Refused with 3004 if the taker is its creator. Source: market §2.4. */
export function ifOpenTo<S extends TokenListing["side"]>(
  taker: Address,
  listing: TokenListing,
  side: S,
): Listing<S> | Refused {
  const reason = `is ${taker}, who made the listing: an address cannot trade with itself`;
  return creatorOf(listing) === taker
    ? refuse({ code: "3004", parameter: "address", reason })
    : ifOpen(listing, side);
}

/**
 * Refused with 3005 unless a multiple of the unit, 3004 if more than remains. Source: market §2.4.
 */
export function refuseQuantity(listing: TokenListing, amount: Amount): Refused | undefined {
  return refuseRest(amount, listing.min_trade_unit) ?? refuseMoreThanRemains(listing, amount);
}

/** Cancels a listing and returns its escrow to the creator. Source: tokens §10, §12. */
export function cancel(
  act: "unsell" | "unreqsell" | "unauction",
  state: State,
  listing: TokenListing,
  {
    escrow,
    units,
    price,
    by,
  }: {
    readonly escrow: { readonly token: TokenId; readonly amount: Amount };
    readonly units: Amount;
    readonly price: Amount;
    readonly by: Signed;
  },
): TransactionRecord {
  const { dexid, mrc010: token } = listing;
  const creator = creatorOf(listing);
  state.balances.credit(creator, escrow.token, escrow.amount);
  const cancelled: TokenListing = {
    ...listing,
    state: "cancelled",
    cancel_date: state.time,
    ...(listing.side === "buy" ? { buy_price_total: ZERO } : {}),
  };
  const values = {
    ...{ dexid, creator, seller: creator, amount: units, mrc010id: token },
    ...{ token: payTokenOf(listing) },
    ...{ price, refund: price, auction_start_price: price },
    ...{ signature: by.signature, tkey: by.tkey },
  };
  return done(state, record(`mrc010${act}`, values, { token }), [
    putListing(state, cancelled, `mrc010_${act}`, values),
  ]);
}
