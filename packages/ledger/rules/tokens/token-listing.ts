import {
  type Address,
  type Amount,
  type Rate,
  type RecordType,
  Refused,
  refuse,
  refuseRest,
  type TokenId,
  ZERO,
} from "@moneta/protocol";
import type { FeeShare } from "../../market/fees.ts";
import { refuseUnlessOpen } from "../../market/listing.ts";
import { payOut } from "../../market/pay-out.ts";
import type { Movement } from "../../market/payments.ts";
import { platformOf } from "../../market/platform.ts";
import { derivedId } from "../../state/derived-id.ts";
import type { Platform } from "../../state/platform.ts";
import type { State, StateReader } from "../../state/state.ts";
import { TOKEN_LISTING, type TokenListing } from "../../state/token-listing-entry.ts";
import { mustExist, tokenMustExist } from "../existence.ts";
import { type EffectDraft, effectOn, effectOnEntry, type Signed } from "../rule.ts";

/** What every listing of tokens is made from. Source: tokens §9. */
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

/** The creator of a new listing, or which of what it names does not exist. Source: tokens §9, check 3. */
export function lister(
  state: StateReader,
  { address, mrc010id, token, platform_address }: ListingValues,
): Address | Refused {
  return (
    mustExist(state, "address", address) ??
    tokenMustExist(state, mrc010id, "mrc010id") ??
    tokenMustExist(state, token) ??
    mustExist(state, "platform_address", platform_address) ??
    address
  );
}

/** What the sides of a new listing have in common. */
export function newListing(
  state: State,
  values: ListingValues,
  unit: Amount,
  recordType: RecordType,
): Omit<TokenListing, "side"> {
  return {
    id: derivedId("DEX010", values.address, values.tkey),
    state: "open",
    creator: values.address,
    taker: "",
    token: values.mrc010id,
    payToken: values.token,
    amount: values.amount,
    remaining: values.amount,
    unit,
    platform: platformOf(values),
    listDate: state.time,
    sellDate: 0,
    cancelDate: 0,
    recordType,
  };
}

/** Who created the listing that a request names, or 6004. */
export function creatorOf(state: StateReader, dexid: string): Address | Refused {
  const listing = listingNamed(state, dexid);
  return listing instanceof Refused ? listing : listing.creator;
}

function listingNamed(state: StateReader, dexid: string): TokenListing | Refused {
  return (
    state.find(TOKEN_LISTING, dexid) ?? refuse({ code: "6004", parameter: "dexid", given: dexid })
  );
}

/** Who trades with a listing: refused with 6004 without the listing, with 3090 without the address. Source: tokens §11, check 2. */
export function taker(
  state: StateReader,
  { dexid, address }: { readonly dexid: string; readonly address: Address },
): Address | Refused {
  const creator = creatorOf(state, dexid);
  return creator instanceof Refused ? creator : (mustExist(state, "address", address) ?? address);
}

/** The listing that a request names, if it is of a side and open. Source: tokens §10, check 4. */
export function openListing<S extends TokenListing["side"]>(
  state: StateReader,
  dexid: string,
  side: S,
): Listing<S> | Refused {
  const listing = listingNamed(state, dexid);
  return listing instanceof Refused
    ? listing
    : (refuseUnlessOpen(listing, side) ?? (listing as Listing<S>));
}

/** The same for whoever trades with it, refused with 3004 if that is its creator. Source: tokens §11, checks 4 and 5. */
export function openListingForTaker<S extends TokenListing["side"]>(
  state: StateReader,
  { dexid, address }: { readonly dexid: string; readonly address: Address },
  side: S,
): Listing<S> | Refused {
  const reason = `is ${address}, who made the listing: nobody trades with oneself`;
  return creatorOf(state, dexid) === address
    ? refuse({ code: "3004", parameter: "address", reason })
    : openListing(state, dexid, side);
}

type Listing<S> = Extract<TokenListing, { readonly side: S }>;

/** Refused if a quantity cannot be traded: 3005 unless it is a multiple of the unit, 3004 if it is more than remains. Source: tokens §11, check 6. */
export function refuseQuantity(listing: TokenListing, amount: Amount): Refused | undefined {
  const reason = `is ${amount} but only ${listing.remaining} remain`;
  return (
    refuseRest(amount, listing.unit) ??
    (amount > listing.remaining ? refuse({ code: "3004", parameter: "amount", reason }) : undefined)
  );
}

/** A listing of which a part, or the last of it, has been traded. Source: tokens §11. */
export function traded<L extends TokenListing>(
  listing: L,
  taker: Address,
  amount: Amount,
  { time, recordType }: { readonly time: number; readonly recordType: RecordType },
): L {
  const remaining = (listing.remaining - amount) as Amount;
  return {
    ...listing,
    taker,
    remaining,
    recordType,
    ...(remaining === ZERO ? { state: "sold", sellDate: time } : {}),
  };
}

/** A listing that has been taken back. Source: tokens §10. */
export function cancelled<L extends TokenListing>(
  listing: L,
  { time, recordType }: { readonly time: number; readonly recordType: RecordType },
): L {
  return { ...listing, state: "cancelled", cancelDate: time, recordType };
}

/** What the seller's part of a payment is called, as a movement and in the record of it. */
const SELLER_PARTS = {
  sale: { movement: "mrc010_recv_sell", record: "receive_mrc010sell" },
  auction: { movement: "mrc010_recv_auction", record: "receive_mrc010auction" },
} as const;

/** Pays for a sale, from what was held or debited before: the platform its commission, the seller the rest. Source: tokens §8, §11, §12. */
export function paySeller(
  state: State,
  listing: TokenListing,
  payment: Amount,
  { kind, by }: { readonly kind: keyof typeof SELLER_PARTS; readonly by: Signed },
): { readonly movements: readonly Movement[]; readonly effects: readonly EffectDraft[] } {
  const { id, creator: seller, payToken: token, platform } = listing;
  const parts = SELLER_PARTS[kind];
  const { fees, rest, movements } = payOut(state, payment, {
    from: id,
    token,
    shares: platformShares(platform),
    payee: seller,
    movement: parts.movement,
  });
  const effects = [
    effectOn(seller, parts.record, receipt(listing, seller, { paid: rest }, by)),
    ...fees.map(({ payee, amount }) => feeReceived(listing, payee, amount, by)),
  ];
  return { movements, effects };
}

function platformShares({ address, commission }: Platform): FeeShare[] {
  return address === "" ? [] : [{ payee: address, rate: commission, movement: PLATFORM_MOVEMENT }];
}

/** What a platform's part of a payment is called. */
export const PLATFORM_MOVEMENT = "mrc010_recv_fee_platform";

/** The record A of a platform's commission. */
export function feeReceived(
  listing: TokenListing,
  platform: Address,
  fee: Amount,
  by: Signed,
): EffectDraft {
  return effectOn(platform, "receive_mrc010fee", receipt(listing, platform, { paid: fee }, by));
}

/** Stores a listing as it is now and makes its record L, which is of the type that the listing names. */
export function putListing(
  state: State,
  listing: TokenListing,
  parameters: readonly string[],
): EffectDraft {
  state.put(TOKEN_LISTING, listing);
  return effectOnEntry(TOKEN_LISTING, listing, listing.recordType, parameters);
}

/** Money of a listing's payment token, and units of its token; 0 where absent. */
interface Moved {
  readonly paid?: Amount;
  readonly units?: Amount;
}

/** Parameters of the record of who received something from a listing. Source: tokens §11, §12. */
export function receipt(
  listing: TokenListing,
  payee: Address,
  moved: Moved,
  by: Signed,
): readonly string[] {
  return [listing.id, payee, ...movedParameters(listing, moved, by)];
}

/** Parameters of the record of who gave something for a listing. Source: tokens §11, §12. */
export function expense(
  listing: TokenListing,
  payer: Address,
  moved: Moved,
  by: Signed,
): readonly string[] {
  return [payer, listing.id, ...movedParameters(listing, moved, by)];
}

function movedParameters(
  { payToken, token }: TokenListing,
  { paid = ZERO, units = ZERO }: Moved,
  { signature, tkey }: Signed,
): readonly string[] {
  return [String(paid), payToken, signature, "0", String(units), token, tkey];
}
