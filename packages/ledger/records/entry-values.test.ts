import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import { TestLedger } from "../testing/test-ledger.ts";
import { UnitMarket } from "../testing/trade/unit-market.ts";

const LONG = "i".repeat(40_960);

async function marketOf(ledger: TestLedger): Promise<{
  readonly market: UnitMarket;
  readonly seller: Address;
  readonly buyer: Address;
  readonly other: Address;
}> {
  const [seller, buyer, other] = (await ledger.createAddresses(3)) as [Address, Address, Address];
  const from = ledger.treasury;
  await ledger.done(
    ...[seller, buyer, other].map((to) => ledger.transfer({ from, to, amount: "1000" })),
  );
  return { market: new UnitMarket(ledger), seller, buyer, other };
}

test("conventions §8.4: values of an item are all of it when it is made, then the members that have changed", async () => {
  using ledger = await TestLedger.begin({ supply: "10000" });
  const { market, seller } = await marketOf(ledger);
  const { text, item } = market.signed("create", seller, {
    ...{ name: "Print", url: "https://a.example/", imageurl: "https://a.example/i.png" },
    ...{ totalsupply: "10", information: LONG },
  });
  const [made] = await market.records(text);
  assert.equal(made?.values["information"], LONG);
  assert.equal(made?.values["owner"], seller);
  assert.equal(made?.values["holders"], 1);

  const minted = market.signed("mint", seller, { mrc402id: item, amount: "5", memo: "" });
  const [mint] = await market.records(minted.text);
  assert.deepEqual(mint?.values, { totalsupply: "15" });
});

test("conventions §8.4: values of a listing are all of it when it is made, then the members that have changed, whatever else happens to it in its block", async () => {
  using ledger = await TestLedger.begin({ supply: "10000" });
  const { market, seller, buyer, other } = await marketOf(ledger);
  const item = await market.creates(seller, "10", { information: LONG });
  const sale = market.signed("sell", seller, { id: item, amount: "3", price: "30", token: "0" });
  const [sold] = await market.records(sale.text);
  assert.equal(sold?.values["dexid"], sale.dexid);
  assert.equal(sold?.values["remain_amount"], "3");
  assert.equal(Object.keys(sold?.values ?? {}).length, 29);

  // Two purchases in one block: the second shows what it has changed itself.
  const buys = [buyer, other].map((by) =>
    market.signed("buy", by, { id: sale.dexid, amount: "1" }),
  );
  const ids = await ledger.done(...buys.map(({ text }) => text));
  assert.deepEqual(
    ids.map((id) => ledger.record(id).effects.find(({ item: of }) => of === sale.dexid)?.values),
    [
      { buyer, job_type: "mrc402_buy", remain_amount: "2" },
      { buyer: other, remain_amount: "1" },
    ],
  );
  const last = market.signed("buy", other, { id: sale.dexid, amount: "1" });
  const [end] = await market.records(last.text);
  assert.deepEqual(end?.values, { remain_amount: "0", sell_date: ledger.now, state: "sold" });

  const lot = await market.lists("auction", seller, {
    ...{ id: item, amount: "2", auction_start_price: "10", token: "0" },
  });
  const bid = market.signed("bid", buyer, { id: lot, amount: "10" });
  const [bidden] = await market.records(bid.text);
  assert.deepEqual(bidden?.values, {
    auction_bid_count: 1,
    auction_current_bidder: buyer,
    auction_current_price: "10",
    job_type: "mrc402_auctionbid",
  });
});
