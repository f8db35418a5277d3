import {
  type Address,
  type Amount,
  isUnitListingId,
  NO_RATE,
  type Rate,
  type RecordType,
  Refused,
  rateText,
  refuse,
  type TokenId,
  ZERO,
} from "@moneta/protocol";
import type { FeeShare } from "../../market/fees.ts";
import { payOut } from "../../market/pay-out.ts";
import type { Movement } from "../../market/payments.ts";
import { platformOf } from "../../market/platform.ts";
import type { DatedAuction } from "../../state/auction.ts";
import type { Platform } from "../../state/platform.ts";
import type { State, StateReader } from "../../state/state.ts";
import { UNIT_ITEM, type UnitItem } from "../../state/unit-item-entry.ts";
import {
  UNIT_LISTING,
  type UnitAuction,
  type UnitListing,
  type UnitSale,
} from "../../state/unit-listing-entry.ts";
import { type EffectDraft, effectOn, effectOnEntry, type Signed } from "../rule.ts";
import { moveUnits, unitItemNamed } from "./unit-item.ts";

const WHOLE = 1_000_000n; // 100 %

/** The listing with an id, or 6004. */
export function unitListingNamed(
  state: StateReader,
  id: string,
  parameter: string,
): UnitListing | Refused {
  return state.find(UNIT_LISTING, id) ?? refuse({ code: "6004", parameter, given: id });
}

/** The item that an id means, be it the item's or that of a listing of it; or 6004. */
export function itemOfId(state: StateReader, id: string, parameter: string): UnitItem | Refused {
  if (!isUnitListingId(id)) {
    return unitItemNamed(state, id, parameter);
  }
  const listing = unitListingNamed(state, id, parameter);
  return listing instanceof Refused ? listing : unitItemNamed(state, listing.item, parameter);
}

/** Platform fields of a request; undefined for those that it does not have. */
interface PlatformValues {
  readonly platform_name: string;
  readonly platform_url: string;
  readonly platform_address: Address | undefined;
  readonly platform_commission: Rate | undefined;
}

/** The platform of a new listing: its own if it names any field of one, else its item's. Source: mrc402 §2.6. */
export function platformFor(item: UnitItem, values: PlatformValues): Platform {
  const { platform_name, platform_url, platform_address, platform_commission } = values;
  const namesNone =
    platform_name === "" &&
    platform_url === "" &&
    platform_address === undefined &&
    platform_commission === undefined;
  return namesNone
    ? item.platform
    : platformOf({ ...values, platform_commission: platform_commission ?? NO_RATE });
}

/** Refused with 3005 if what others get of a trade is more than all of it. Source: mrc402 §2.6. */
export function refuseRates(
  item: UnitItem,
  platform: Platform,
  parameter: string,
): Refused | undefined {
  const sum = sharesOf(item, { sellFee: item.sellFee, platform }).reduce(
    (total, { rate }) => total + rate,
    0n,
  );
  const reason = "and the other rates of the listing add up to more than 100 %";
  return sum > WHOLE ? refuse({ code: "3005", parameter, reason }) : undefined;
}

/** Who gets which part of a trade, in the order in which they are paid. Source: mrc402 §2.6. */
function sharesOf(
  { projectOwner, creator, creatorCommission, shareholders }: UnitItem,
  { sellFee, platform }: Pick<UnitListing, "sellFee" | "platform">,
): readonly FeeShare[] {
  return [
    ...(projectOwner === ""
      ? []
      : [{ payee: projectOwner, rate: sellFee, movement: "mrc402_recv_fee_owner" }]),
    { payee: creator, rate: creatorCommission, movement: "mrc402_recv_fee_creator" },
    ...(platform.address === ""
      ? []
      : [
          {
            payee: platform.address,
            rate: platform.commission,
            movement: "mrc402_recv_fee_platform",
          },
        ]),
    ...shareholders.map(({ address, rate }) => ({
      payee: address,
      rate,
      movement: "mrc402_recv_fee_shareholder",
    })),
  ];
}

/** Lists units that have been checked to be free. Answers the item, which counts its listings, and is yet to be stored. */
export function listUnits(
  state: State,
  item: UnitItem,
  given: {
    readonly id: string;
    readonly seller: Address;
    readonly agent: Address | "";
    readonly amount: Amount;
    readonly payToken: TokenId;
    readonly platform: Platform;
    readonly terms: UnitSale | UnitAuction;
    readonly recordType: RecordType;
  },
): { readonly item: UnitItem; readonly listing: UnitListing } {
  const { terms, ...others } = given;
  const { amount, seller } = given;
  const listing: UnitListing = {
    ...others,
    ...terms,
    item: item.id,
    itemOrder: item.order,
    projectOrder: item.projectOrder,
    state: "open",
    buyer: "",
    remaining: amount,
    sellFee: item.sellFee,
    listDate: state.time,
    sellDate: 0,
    cancelDate: 0,
  };
  state.put(UNIT_LISTING, listing);
  const moved = moveUnits(state, item, seller, {
    balance: -amount,
    ...(terms.side === "sell" ? { onSale: amount } : { onAuction: amount }),
  });
  return { item: counted(moved, terms.side, 1), listing };
}

/** An item that has so many more open listings of a side. */
function counted(item: UnitItem, side: UnitListing["side"], by: 1 | -1): UnitItem {
  return side === "sell"
    ? { ...item, openSales: item.openSales + by }
    : { ...item, openAuctions: item.openAuctions + by };
}

/** Gives back what is left of a listing, which is then closed as `closed` says. */
export function giveBack(
  state: State,
  listing: UnitListing,
  closed: Partial<UnitListing>,
): UnitListing {
  const { seller, remaining, side } = listing;
  const item = itemOf(state, listing);
  const moved = moveUnits(state, item, seller, {
    balance: remaining,
    ...(side === "sell" ? { onSale: -remaining } : { onAuction: -remaining }),
  });
  state.put(UNIT_ITEM, counted(moved, side, -1));
  const after = { ...listing, ...closed } as UnitListing;
  state.put(UNIT_LISTING, after);
  return after;
}

/** Gives units of a listing to who buys or wins them, and what they pay, which is held, to everybody who gets a part. Source: mrc402 §2.6. */
export function trade(
  state: State,
  listing: UnitListing,
  deal: {
    readonly buyer: Address;
    readonly amount: Amount;
    readonly payment: Amount;
    readonly by: Signed;
    readonly recordType: RecordType;
    /** What is different of an auction afterwards. */
    readonly auction?: DatedAuction;
  },
): {
  readonly listing: UnitListing;
  readonly movements: readonly Movement[];
  readonly effects: readonly EffectDraft[];
} {
  const { buyer, amount, payment, by, recordType, auction } = deal;
  const { id, seller, side, payToken: token } = listing;
  const item = itemOf(state, listing);
  const parts = SELLER_PARTS[side];
  const { fees, rest, movements } = payOut(state, payment, {
    from: id,
    token,
    shares: sharesOf(item, listing),
    payee: seller,
    movement: parts.movement,
  });

  const taken = side === "sell" ? { onSale: -amount } : { onAuction: -amount };
  const moved = moveUnits(state, moveUnits(state, item, seller, taken), buyer, { balance: amount });
  const remaining = (listing.remaining - amount) as Amount;
  const type = side === "sell" ? ("Sell" as const) : ("Auction" as const);
  const traded: UnitItem = {
    ...moved,
    hasChangedHands: true,
    lastTrade: { date: state.time, amount: payment, token, type },
  };
  state.put(UNIT_ITEM, remaining === ZERO ? counted(traded, side, -1) : traded);
  const after = {
    ...listing,
    buyer,
    remaining,
    recordType,
    ...(remaining === ZERO ? { state: "sold", sellDate: state.time } : {}),
    ...(auction === undefined ? {} : { auction }),
  } as UnitListing;
  state.put(UNIT_LISTING, after);

  const effects = [
    ...fees.map(({ payee, amount: fee }) =>
      effectOn(payee, "receive_mrc402fee", unitReceipt(listing, payee, { paid: fee }, by)),
    ),
    ...(rest > 0n
      ? [effectOn(seller, parts.record, unitReceipt(listing, seller, { paid: rest }, by))]
      : []),
  ];
  return { listing: after, movements, effects };
}

/** What the seller's part of a payment is called, as a movement and in the record of it. */
const SELLER_PARTS = {
  sell: { movement: "mrc402_recv_sell", record: "receive_mrc402sell" },
  auction: { movement: "mrc402_recv_auction", record: "receive_mrc402auction" },
} as const;

/** The item of a listing. */
export function itemOf(state: StateReader, listing: UnitListing): UnitItem {
  return state.find(UNIT_ITEM, listing.item) as UnitItem;
}

/** The record L of a listing, of the type that the listing names. */
export function unitListingRecord(
  listing: UnitListing,
  parameters: readonly string[],
): EffectDraft {
  return effectOnEntry(UNIT_LISTING, listing, listing.recordType, parameters);
}

/** Money of a listing's payment token; and how many units, `""` where the record says nothing of them. */
interface Moved {
  readonly paid: Amount;
  readonly units?: string;
}

/** Parameters of the record of who received money from a listing. Source: mrc402 §13, §17. */
export function unitReceipt(
  listing: UnitListing,
  payee: Address,
  moved: Moved,
  by: Signed,
): readonly string[] {
  return [listing.id, payee, ...movedParameters(listing, moved, by)];
}

/** Parameters of the record of who paid money for a listing. Source: mrc402 §13, §16. */
export function unitExpense(
  listing: UnitListing,
  payer: Address,
  moved: Moved,
  by: Signed,
): readonly string[] {
  return [payer, listing.id, ...movedParameters(listing, moved, by)];
}

function movedParameters(
  { payToken, item }: UnitListing,
  { paid, units = "" }: Moved,
  { signature, tkey }: Signed,
): readonly string[] {
  return [String(paid), payToken, signature, "0", units, item, tkey];
}

/** What a listing's record says when it is made, with the values that apply. Source: mrc402 §11, §14. */
export function listedParameters(
  listing: UnitListing,
  { signature, tkey }: Signed,
): readonly string[] {
  const { platform } = listing;
  return [
    listing.id,
    listing.seller,
    String(listing.amount),
    listing.item,
    ...(listing.side === "sell"
      ? [String(listing.price), listing.payToken]
      : [
          String(listing.auction.startPrice),
          listing.payToken,
          String(listing.auction.bidUnit),
          String(listing.auction.buyNowPrice),
          String(listing.auction.startDate),
          String(listing.auction.endDate),
        ]),
    platform.name,
    platform.url,
    platform.address,
    rateText(platform.commission),
    signature,
    tkey,
  ];
}
