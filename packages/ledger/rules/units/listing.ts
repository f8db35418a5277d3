import {
  type Address,
  type Amount,
  isUnitListingId,
  NO_RATE,
  type Rate,
  type RecordType,
  type RecordValues,
  Refused,
  rateText,
  refuse,
  type TokenId,
} from "@moneta/protocol";
import type { FeeShare } from "../../market/fees.ts";
import { platformOf } from "../../market/platform.ts";
import type { Signed } from "../../records/record.ts";
import type { Platform } from "../../state/platform.ts";
import type { State, StateReader } from "../../state/state.ts";
import { UNIT_ITEM, type UnitItem } from "../../state/unit-item-entry.ts";
import {
  UNIT_LISTING,
  type UnitAuction,
  type UnitListing,
  type UnitSale,
} from "../../state/unit-listing-entry.ts";
import { itemOrder } from "../items/item-order.ts";
import { moveUnits, unitItemNamed } from "./unit-item.ts";

const WHOLE = 1_000_000n; // 100 %

/** The listing with an id, or 6004. */
export function unitListingNamed(
  state: StateReader,
  id: string,
  parameter: string,
): UnitListing | Refused {
  return (
    state.find(UNIT_LISTING, id) ??
    refuse({ code: "6004", what: "a listing", parameter, given: id })
  );
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

/**
 * The platform of a new listing: its own if it names any field of one, else its item's.
 * Source: mrc402 §2.6.
 */
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
export function sharesOf(
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

/**
 * Lists units that have been checked to be free. Returns the listing, and the item, which counts its
 * listings; both are yet to be stored.
 */
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
    /** Its place among those that the transaction lists. */
    readonly index: number;
  },
): { readonly item: UnitItem; readonly listing: UnitListing } {
  const { terms, index, ...others } = given;
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
    order: itemOrder(state.transactionNumber, index),
  };
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

/** An item with one open listing of a side less. */
export function closed(item: UnitItem, side: UnitListing["side"]): UnitItem {
  return counted(item, side, -1);
}

/** Gives what is left of a listing back to its seller, and counts it as closed. */
export function giveBack(state: State, listing: UnitListing): void {
  const { seller, remaining, side } = listing;
  const moved = moveUnits(state, itemOf(state, listing), seller, {
    balance: remaining,
    ...(side === "sell" ? { onSale: -remaining } : { onAuction: -remaining }),
  });
  state.put(UNIT_ITEM, closed(moved, side));
}

/** The item of a listing. */
export function itemOf(state: StateReader, listing: UnitListing): UnitItem {
  return state.find(UNIT_ITEM, listing.item) as UnitItem;
}

/** Parameters of the record of a new offer, with the values that apply. Source: mrc402 §11. */
export function offerValues(
  listing: UnitListing & UnitSale,
  by: Signed,
): RecordValues<"mrc402_sell"> {
  return { ...listedValues(listing, by), price: listing.price };
}

/** Parameters of the record of a new auction, with the values that apply. Source: mrc402 §14. */
export function lotValues(
  listing: UnitListing & UnitAuction,
  by: Signed,
): RecordValues<"mrc402_auction"> {
  const { startPrice, bidUnit, buyNowPrice, startDate, endDate } = listing.auction;
  return {
    ...listedValues(listing, by),
    ...{ auction_start_price: startPrice, auction_bidding_unit: bidUnit },
    ...{ auction_buynow_price: buyNowPrice },
    ...{ auction_start_date: startDate, auction_end_date: endDate },
  };
}

function listedValues(
  { id: dexid, seller, amount, item, payToken: token, platform }: UnitListing,
  { signature, tkey }: Signed,
): Omit<RecordValues<"mrc402_sell">, "price"> {
  return {
    ...{ dexid, seller, amount, item, token, signature, tkey },
    ...{ platform_name: platform.name, platform_url: platform.url },
    ...{ platform_address: platform.address, platform_commission: rateText(platform.commission) },
  };
}
