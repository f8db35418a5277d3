import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ItemTrade } from "../testing/trade/item-trade.ts";
import { TokenMarket } from "../testing/trade/token-market.ts";
import { UnitTrade } from "../testing/trade/unit-trade.ts";

const HOUR = 3600;
let items: ItemTrade;
let units: UnitTrade;
let tokens: TokenMarket;
before(async () => {
  items = await ItemTrade.open();
  units = await UnitTrade.open();
  tokens = await TokenMarket.open();
});
after(() => {
  items[Symbol.dispose]();
  units[Symbol.dispose]();
  tokens[Symbol.dispose]();
});

/** So many seconds from now; `0` for none. */
function at(market: { readonly now: number }, seconds: number): string {
  return seconds === 0 ? "0" : String(market.now + seconds);
}

for (const [goods, send] of [
  [
    "units",
    async () => {
      const { a } = units.cast;
      const x = await units.x({}, { a: 60 });
      return units.lists("sell", "quantity", a, x, { sell_end: at(units, HOUR) });
    },
  ],
  [
    "tokens",
    async () => {
      const parties = await tokens.parties();
      const change = { sell_end: at(tokens, HOUR) };
      return tokens.send("mrc010sell", parties.s, tokens.listing1(parties, change));
    },
  ],
] as const) {
  test(`market §2.1: the end of a sale of ${goods} needs a full signature where the signed string lacks it`, async () => {
    assert.equal((await send()).code, "401 2010");
  });
}

for (const act of ["sell", "auction", "transfer", "melt"] as const) {
  test(`market §2.2: ${act} of an item while its sale is open: 7108; once it has ended: done, and the sale is left`, async () => {
    const { a, d } = items.cast;
    const x = await items.onSale({}, { sell_end: at(items, HOUR) });
    const acts = {
      sell: () => items.sell(a, x, { price: "7" }),
      auction: () => items.auction(a, x),
      transfer: () => items.transfer(a, x, d),
      melt: () => items.melt(a, x),
    };
    const end = items.now + HOUR;
    items.now = end - 1;
    assert.equal((await acts[act]()).code, "409 7108");
    items.now = end;
    assert.equal((await acts[act]()).code, "done");
    const isSold = act === "sell";
    items.assertItem(x, { sell_price: isSold ? "7" : "0", sell_date: isSold ? end : 0 });
    assert.equal(items.shown(x).sell_end, 0);
  });
}
