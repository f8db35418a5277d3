import { ALICE, PROJECT, SHIELD_NUMBER, SWORD_NUMBER } from "../../description/examples.ts";
import { type Refused, refuse } from "../../description/faults.ts";
import { signedOperation } from "../../description/operation.ts";
import { aliased, optional, type ValuesOf } from "../../description/parameter.ts";
import { amount } from "../../description/parameters/amounts.ts";
import { expireDate, movedAuctionEnd } from "../../description/parameters/dates.ts";
import { address, recordId, tokenId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { itemsResult } from "../../description/results.ts";
import { AMOUNT_MAX, NATIVE_COIN, ZERO } from "../../text/amount.ts";
import { refuseBuyNow, softClose } from "../listing-times.ts";
import {
  itemDataList,
  itemNameMembers,
  itemNumberOf,
  newItemMembers,
  newSaleMembers,
  refuseItemName,
  refuseListedFor,
} from "./item-data.ts";
import { refuseAttributeCount, refuseFrozenWithoutUrls } from "./metadata.ts";
import { HOLDER_CHANGE_REFUSALS } from "./policy.ts";

const members = {
  ...itemNameMembers,
  ...newItemMembers,
  expiredate: optional(aliased(expireDate(), "melting_date"), 0),
  ...newSaleMembers,
  auction_start_price: optional(amount({ min: 0n, of: "auction_token" }), ZERO),
  auction_token: optional(tokenId()),
  auction_bidding_unit: optional(amount({ min: 1n, of: "auction_token" })),
  auction_buynow_price: optional(amount({ min: 0n, of: "auction_token" }), ZERO),
  auction_end: optional(movedAuctionEnd(), 0n),
  auction_extend: softClose,
} as const;

export type NewItem = ValuesOf<typeof members>;

/** Source: mrc401 §7. */
export const mrc401Create = signedOperation({
  name: "mrc401create",
  title: "Create items",
  route: "POST /mrc401/{mrc400id}",
  about:
    "Creates 1 to 100 items of a project, all or none. Whoever creates them pays their reserves; they belong to the owner of the project, or to the address that `to` of their element names.",
  parameters: {
    mrc400id: recordId("a project"),
    creator: optional(aliased(address(), "owner", "address")),
    itemdata: itemDataList(members, {
      identity: itemNumberOf,
      checkEntry: (item, parameter, { mrc400id }) =>
        refuseItemName(item, parameter, mrc400id) ??
        refuseListings(item, parameter) ??
        refuseListedFor(item, parameter) ??
        refuseFrozenWithoutUrls(item, `${parameter}.frozen`),
    }),
    tkey: temporaryKey(),
  },
  example: {
    mrc400id: PROJECT,
    creator: ALICE,
    itemdata: JSON.stringify([
      {
        item_id: SWORD_NUMBER,
        item_url: "https://rpg.example/sword/1",
        item_image_url: "https://rpg.example/sword/1.png",
        groupid: "swords",
        attributes: { level: 20 },
        initial_reserve: "5",
        initial_token: "0",
        sell_fee: "1.5",
        melt_fee: "2",
        transferable: "Permanent",
        expiredate: "0",
      },
      { item_id: SHIELD_NUMBER },
    ]),
  },
  actor: "creator",
  signed: ["mrc400id", "itemdata", "tkey"],
  check: ({ itemdata }) =>
    refuseReserves(itemdata.entries) ?? refuseAttributeCount(itemdata.entries),
  refusals: ["6004", "3090", "4001", "7002", "7111", "7109", ...HOLDER_CHANGE_REFUSALS, "5000"],
  result: itemsResult,
});

function refuseListings(item: NewItem, parameter: string): Refused | undefined {
  const { sell_price, auction_start_price: start, auction_buynow_price: buyNow } = item;
  if (sell_price > 0n && start > 0n) {
    const reason = "puts the item on auction, while sell_price puts it on sale: use one of them";
    return refuse({ code: "3005", parameter: `${parameter}.auction_start_price`, reason });
  }
  const buyNowParameter = `${parameter}.auction_buynow_price`;
  return start > 0n
    ? refuseBuyNow({ start, buyNow }, buyNowParameter, "auction_start_price")
    : undefined;
}

/** 1101 if reserves of one token are together above the largest amount. */
function refuseReserves(items: readonly NewItem[]): Refused | undefined {
  const sums = new Map<string, bigint>();
  for (const [index, { initial_reserve, initial_token = NATIVE_COIN }] of items.entries()) {
    const sum = (sums.get(initial_token) ?? 0n) + initial_reserve;
    if (sum > AMOUNT_MAX) {
      const parameter = `itemdata[${index}].initial_reserve`;
      const wanted = "such that the reserves of one token are together at most 10^40";
      return refuse({ code: "1101", parameter, given: String(initial_reserve), wanted });
    }
    sums.set(initial_token, sum);
  }
  return undefined;
}
