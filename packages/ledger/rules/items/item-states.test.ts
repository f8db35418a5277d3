import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Answer } from "../../testing/answer.ts";
import type { Element } from "../../testing/trade/creations.ts";
import { AUCTION_MIN, type ItemShown, UNLISTED } from "../../testing/trade/item-terms.ts";
import { ItemTrade, traded } from "../../testing/trade/item-trade.ts";

// Which operation is allowed in which state, for each kind of `transferable`: mrc401 §2.3, §2.4.

let trade: ItemTrade;
let a: Address;
let b: Address;
let d: Address;
before(async () => {
  trade = await ItemTrade.open();
  ({ a, b, d } = trade.cast);
});
after(() => trade[Symbol.dispose]());

type Transferable = "Permanent" | "Temporary" | "Bound";

/** States of an X with reserve 40 and melt_fee 25, which A holds; the bid is B's of 100. */
const STATES: Readonly<Record<string, (transferable: Transferable) => Promise<string>>> = {
  idle: (transferable) => made(transferable, (terms) => trade.x(terms)),
  "on sale": (transferable) => made(transferable, (terms) => trade.onSale(terms)),
  open: (transferable) => made(transferable, (terms) => trade.onAuction(terms)),
  bid: (transferable) =>
    made(transferable, (terms) => trade.onAuction(terms, { bids: [[b, "100"]] })),
  "open, over": (transferable) => over(transferable, "open"),
  "bid, over": (transferable) => over(transferable, "bid"),
  async melted(transferable) {
    const x = await STATES["idle"]?.(transferable);
    assert.ok(x !== undefined && (await trade.melt(a, x)).code === "done");
    return x;
  },
};

async function made(
  transferable: Transferable,
  make: (terms: Element) => Promise<string>,
): Promise<string> {
  const terms = { initial_reserve: "40", melt_fee: "25" };
  if (transferable !== "Bound") {
    return make({ ...terms, transferable });
  }
  const x = await make({ ...terms, transferable: "Temporary" });
  await trade.bind(x);
  return x;
}

async function over(transferable: Transferable, state: string): Promise<string> {
  const x = await STATES[state]?.(transferable);
  assert.ok(x !== undefined);
  trade.untilEnd(x);
  return x;
}

/**
 * Columns as in `STATES`: `+` is done, `+7109` done unless Bound, `7202|7109` the latter if Bound.
 */
const ALLOWED: Readonly<Record<string, string>> = {
  transfer: "+7109 7108 7108 7108 7108 7108 7110",
  sell: "+7109 7108 7108 7108 7108 7108 7110",
  unsell: "7106 + 7106 7106 7106 7106 7106",
  buy: "7106 +7109 7106 7106 7106 7106 7110",
  melt: "+ 7108 7108 7108 7108 7108 7110",
  auction: "+7109 7108 7108 7108 7108 7108 7110",
  unauction: "7106 7106 + 7104 + 7104 7106",
  bid: "7106 7106 +7109 +7109 7202|7109 7202|7109 7110",
  auctionfinish: "7106 7106 7201 7201 + + 7106",
  update: "+ + + + + + 7110",
};

const ACTS: Readonly<Record<string, (x: string) => Promise<Answer>>> = {
  transfer: (x) => trade.transfer(a, x, d),
  sell: (x) => trade.sell(a, x),
  unsell: (x) => trade.unsell(a, x),
  buy: (x) => trade.buy(d, x),
  melt: (x) => trade.melt(a, x),
  auction: (x) => trade.auction(a, x),
  unauction: (x) => trade.unauction(a, x),
  bid: (x) => trade.bid(d, x, "105"),
  auctionfinish: (x) => trade.finish(x),
  update: (x) => trade.update(x, { groupid: "g" }),
};

/** What is different in an item afterwards, and who was paid. */
function done(word: string, state: string): { fields: Partial<ItemShown>; moved: string } {
  const { now } = trade;
  const isBid = state.startsWith("bid");
  switch (word) {
    case "transfer":
      return { fields: { owner: d, holder: d }, moved: "" };
    case "sell": {
      const sale = { sell_date: now, sell_price: "300", sell_token: "0", listing_fee: "10" };
      return { fields: sale, moved: "" };
    }
    case "buy":
      return { fields: traded(d, now, ["Sell", "300"]), moved: "o +30, a +270, d -300" };
    case "melt": {
      const fields = { owner: "MELTED", holder: "", melting_date: now };
      return { fields, moved: "o +10, a +30" };
    }
    case "auction": {
      const fields = {
        auction_date: now,
        auction_end: now + AUCTION_MIN,
        auction_bidding_unit: "5",
        auction_start_price: "100",
        auction_buynow_price: "502",
        listing_fee: "10",
      };
      return { fields, moved: "" };
    }
    case "bid": {
      const fields = { auction_current_price: "105", auction_current_bidder: d };
      return { fields, moved: isBid ? "b +100, d -105" : "d -105" };
    }
    case "auctionfinish":
      return isBid
        ? { fields: traded(b, now, ["Auction", "100"]), moved: "o +10, a +90" }
        : { fields: UNLISTED, moved: "" };
    case "update":
      return { fields: { groupid: "g" }, moved: "" };
    default:
      return { fields: UNLISTED, moved: "" };
  }
}

for (const [word, row] of Object.entries(ALLOWED)) {
  const cells = row.split(" ");
  for (const [at, [state, make]] of Object.entries(STATES).entries()) {
    for (const transferable of ["Permanent", "Temporary", "Bound"] as const) {
      const cell = cells[at] ?? "";
      const [free = "", bound = free] = cell.startsWith("+7")
        ? ["+", cell.slice(1)]
        : cell.split("|");
      const answer = transferable === "Bound" ? bound : free;
      test(`mrc401 §2.3: ${word} of an item that is ${state} and ${transferable}: ${answer === "+" ? "done" : answer}`, async () => {
        const x = await make(transferable);
        const item = trade.shown(x);
        const outcome = (await ACTS[word]?.(x))?.outcome;
        if (answer !== "+") {
          assert.equal(outcome, `409 ${answer}`);
          return;
        }
        const { fields, moved } = done(word, state);
        assert.equal(outcome, moved === "" ? "done" : `done: ${moved}`);
        assert.deepEqual(trade.shown(x), { ...item, ...fields });
      });
    }
  }
}
