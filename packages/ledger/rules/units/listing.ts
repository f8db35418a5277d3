import {
  type Address,
  isUnitListingId,
  NO_RATE,
  type Rate,
  type RecordValues,
  Refused,
  rateText,
  refuse,
} from "@moneta/protocol";
import type { FeeShare } from "../../market/fees.ts";
import { type Platform, platformOf } from "../../market/platform.ts";
import type { Signed } from "../../records/record.ts";
import { itemOrder } from "../../state/ids/item-order.ts";
import type { State, StateReader } from "../../state/state.ts";
import { UNIT_ITEM, type UnitItem } from "../../state/units/unit-item-entry.ts";
import {
  NO_TERMS,
  UNIT_LISTING,
  type UnitAuction,
  type UnitListing,
  type UnitSale,
} from "../../state/units/unit-listing-entry.ts";
import { finderOf } from "../existence.ts";
import { moveUnits } from "./unit-item.ts";

const WHOLE = 1_000_000n; // 100 %

/** By the item's id or a listing's; refused with 6004 without it. */
export function itemOfId(state: StateReader, id: string, parameter: string): UnitItem | Refused {
  const find = itemFinder(state, id, parameter);
  return find instanceof Refused ? find : find();
}

/** Reads the item of `itemOfId` if it is called. */
export function itemFinder(
  state: StateReader,
  id: string,
  parameter: string,
): (() => UnitItem) | Refused {
  if (!isUnitListingId(id)) {
    return finderOf(state, UNIT_ITEM, id, parameter);
  }
  const listing = finderOf(state, UNIT_LISTING, id, parameter);
  return listing instanceof Refused ? listing : () => itemOf(state, listing());
}

interface PlatformValues {
  readonly platform_name: string;
  readonly platform_url: string;
  readonly platform_address: Address | undefined;
  readonly platform_commission: Rate | undefined;
}

/** Its own if it names any field, else its item's. Source: mrc402 §2.6. */
export function platformFor(item: UnitItem, values: PlatformValues): Platform {
  const { platform_name, platform_url, platform_address, platform_commission } = values;
  const namesNone =
    platform_name === "" &&
    platform_url === "" &&
    platform_address === undefined &&
    platform_commission === undefined;
  return namesNone
    ? platformOf(item)
    : platformOf({ ...values, platform_commission: platform_commission ?? NO_RATE });
}

/** Refused with 3005 above 100 %. Source: mrc402 §2.6. */
export function refuseRates(
  item: UnitItem,
  platform: Platform,
  parameter: string,
): Refused | undefined {
  const sum = sharesOf(item, { sell_fee: item.sell_fee, ...platform }).reduce(
    (total, { rate }) => total + rate,
    0n,
  );
  const reason = "and the other rates of the listing add up to more than 100 %";
  return sum > WHOLE ? refuse({ code: "3005", parameter, reason }) : undefined;
}

/** In order of payment. Source: mrc402 §2.6. */
export function sharesOf(
  { projectOwner, creator, creatorcommission, shareholder }: UnitItem,
  { sell_fee, platform_address, platform_commission }: Pick<UnitListing, "sell_fee"> & Platform,
): readonly FeeShare[] {
  return [
    ...(projectOwner === ""
      ? []
      : [{ payee: projectOwner, rate: sell_fee, movement: "mrc402_recv_fee_owner" }]),
    { payee: creator, rate: creatorcommission, movement: "mrc402_recv_fee_creator" },
    ...(platform_address === ""
      ? []
      : [
          {
            payee: platform_address,
            rate: platform_commission,
            movement: "mrc402_recv_fee_platform",
          },
        ]),
    ...Object.entries(shareholder).map(([address, rate]) => ({
      payee: address as Address,
      rate,
      movement: "mrc402_recv_fee_shareholder",
    })),
  ];
}

/** The units are known to be free. Listing and item are yet to be stored. */
export function listUnits(
  state: State,
  item: UnitItem,
  given: Pick<UnitListing, "dexid" | "seller" | "agent" | "amount" | "sell_token" | "job_type"> &
    Platform & {
      readonly terms: UnitSale | UnitAuction;
      readonly index: number;
    },
): { readonly item: UnitItem; readonly listing: UnitListing } {
  const { terms, index, ...others } = given;
  const { amount, seller } = given;
  const listing: UnitListing = {
    ...NO_TERMS,
    ...others,
    ...terms,
    mrc402: item.id,
    itemOrder: item.order,
    projectOrder: item.projectOrder,
    state: "open",
    buyer: "",
    remain_amount: amount,
    sell_fee: item.sell_fee,
    regdate: state.time,
    sell_date: 0,
    cancel_date: 0,
    order: itemOrder(state.operationNumber, index),
  };
  const moved = moveUnits(state, item, seller, {
    balance: -amount,
    ...(terms.side === "sell" ? { saleamount: amount } : { auctionamount: amount }),
  });
  return { item: counted(moved, terms.side, 1), listing };
}

function counted(item: UnitItem, side: UnitListing["side"], by: 1 | -1): UnitItem {
  return side === "sell"
    ? { ...item, openSales: item.openSales + by }
    : { ...item, openAuctions: item.openAuctions + by };
}

export function closed(item: UnitItem, side: UnitListing["side"]): UnitItem {
  return counted(item, side, -1);
}

export function giveBack(state: State, listing: UnitListing): void {
  const { seller, remain_amount: remaining, side } = listing;
  const moved = moveUnits(state, itemOf(state, listing), seller, {
    balance: remaining,
    ...(side === "sell" ? { saleamount: -remaining } : { auctionamount: -remaining }),
  });
  state.put(UNIT_ITEM, closed(moved, side));
}

export function itemOf(state: StateReader, listing: UnitListing): UnitItem {
  return state.find(UNIT_ITEM, listing.mrc402) as UnitItem;
}

/** Parameters of the record, with the values that apply. Source: mrc402 §11. */
export function offerValues(
  listing: UnitListing & UnitSale,
  by: Signed,
): RecordValues<"mrc402_sell"> {
  return { ...listedValues(listing, by), price: listing.sell_price };
}

/** Parameters of the record, with the values that apply. Source: mrc402 §14. */
export function lotValues(
  listing: UnitListing & UnitAuction,
  by: Signed,
): RecordValues<"mrc402_auction"> {
  const { auction_start_price, auction_bidding_unit, auction_buynow_price } = listing;
  const { auction_start_date, auction_end_date } = listing;
  return {
    ...listedValues(listing, by),
    ...{ auction_start_price, auction_bidding_unit, auction_buynow_price },
    ...{ auction_start_date, auction_end_date },
  };
}

function listedValues(
  { dexid, seller, amount, mrc402: item, sell_token: token, ...platform }: UnitListing,
  { signature, tkey }: Signed,
): Omit<RecordValues<"mrc402_sell">, "price"> {
  const { platform_name, platform_url, platform_address } = platform;
  return {
    ...{ dexid, seller, amount, item, token, signature, tkey },
    ...{ platform_name, platform_url, platform_address },
    platform_commission: rateText(platform.platform_commission),
  };
}
