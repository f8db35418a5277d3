import assert from "node:assert/strict";
import { test } from "node:test";
import { type Amount, addressAround, NO_RATE, type TokenId } from "@moneta/protocol";
import { priceText } from "./price-text.ts";
import { NO_TERMS, UNIT_LISTING, type UnitListing } from "./unit-listing-entry.ts";

const [seller, bidder] = [addressAround("s".repeat(30)), addressAround("b".repeat(30))];
const item = `MRC402_${"0".repeat(33)}`;
const price = 12n as Amount;

function listing(side: "sell" | "auction", state: UnitListing["state"]): UnitListing {
  const common = {
    ...NO_TERMS,
    ...{ dexid: "DEX402_x", mrc402: item, state, seller, order: 9 },
    agent: "",
    buyer: "",
    ...{ itemOrder: 8, projectOrder: undefined, amount: price, remain_amount: price },
    ...{ sell_token: "3" as TokenId, sell_fee: NO_RATE, regdate: 1, sell_date: 0, cancel_date: 0 },
    platform_name: "",
    platform_url: "",
    platform_address: "",
    platform_commission: NO_RATE,
    job_type: "mrc402_sell",
  } as const;
  const lot = { auction_end_date: 77, auction_current_bidder: bidder } as const;
  return side === "sell"
    ? { ...common, side, sell_price: price }
    : { ...common, ...lot, side, auction_current_price: price };
}

for (const side of ["sell", "auction"] as const) {
  for (const state of ["open", "sold", "cancelled", "failed"] as const) {
    test(`mrc402 §2.7: only while it is open a listing is found by its item, seller, end and price: ${side}, ${state}`, () => {
      const { columns } = UNIT_LISTING.table;
      const one = listing(side, state);
      const isOpen = state === "open";
      assert.deepEqual(
        Object.fromEntries(Object.entries(columns).map(([name, { of }]) => [name, of(one)])),
        {
          ...{ side, state, seller, pay_token: 3, item: 8, project: undefined },
          open_of_item: isOpen ? `${item} ${side}` : undefined,
          auction_end: isOpen && side === "auction" ? 77 : undefined,
          price: isOpen && side === "sell" ? priceText(price) : undefined,
          bidder: isOpen && side === "auction" ? bidder : "",
          sell_end: undefined,
        },
      );
    });
  }
}
