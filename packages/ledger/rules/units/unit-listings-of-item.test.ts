import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Address, explain } from "@moneta/protocol";
import { TestLedger } from "../../testing/test-ledger.ts";
import { UnitMarket } from "../../testing/trade/unit-market.ts";

/** More listings of each side than anybody looked at before. */
const MANY = 1001;

/** Most documents that any of these operations needs. */
const FEW_READS = 30;

describe("mrc402 §2.7: what an item id means, of an item with more than 1,000 open listings of each side", () => {
  let ledger: TestLedger;
  let market: UnitMarket;
  let item: string;
  let busy: Address;
  let rare: Address;
  let buyer: Address;
  const sales: string[] = [];
  const lots: string[] = [];
  const terms = { amount: "1", token: "0" };
  const auction = { ...terms, auction_start_price: "5" };

  before(async () => {
    ledger = await TestLedger.begin({ supply: "1000000" });
    market = new UnitMarket(ledger);
    [busy, rare, buyer] = (await ledger.createAddresses(3)) as [Address, Address, Address];
    const from = ledger.treasury;
    const paid = [busy, rare, buyer].map((to) => ledger.transfer({ from, to, amount: "1000" }));
    await ledger.done(...paid);
    item = await market.creates(busy, "5000");
    await market.transfers(busy, rare, item, "10");
    for (let made = 0; made < MANY; made += 77) {
      const some = Array.from({ length: 77 }, (_, number) => [
        market.signed("sell", busy, { id: item, ...terms, price: "50" }),
        market.signed("auction", busy, {
          ...{ id: item, ...auction },
          auction_end_date: String(ledger.now + 90_000 + made + number),
        }),
      ]).flat();
      await ledger.done(...some.map(({ text }) => text));
      sales.push(...some.filter((_, index) => index % 2 === 0).map(({ dexid }) => dexid));
      lots.push(...some.filter((_, index) => index % 2 === 1).map(({ dexid }) => dexid));
    }
    assert.equal(sales.length, MANY);
  });
  after(() => ledger[Symbol.dispose]());

  /** The code that refuses an operation, and the listings that its problem names. */
  async function refusal(text: string): Promise<readonly [string, readonly string[]]> {
    const { outcomes } = await ledger.execute(text);
    const [outcome] = outcomes;
    assert(outcome?.kind === "refused", `it is ${outcome?.kind}`);
    assert.ok(ledger.ledger.state.documentsRead <= 100 + FEW_READS);
    const { code, listings = [] } = explain(outcome.fault);
    return [code, listings];
  }

  /** Does what is refused nothing and reads little; the listing that it was about. */
  async function does(text: string): Promise<string | undefined> {
    const [about] = await market.records(text);
    assert.ok(ledger.ledger.state.documentsRead <= FEW_READS);
    return about?.item;
  }

  const act = (word: "buy" | "bid", by: Address): string =>
    market.signed(word, by, { id: item, ...(word === "bid" ? { amount: "5" } : {}) }).text;

  for (const { word, own, by } of [
    { word: "buy", own: "sales", by: "busy" },
    { word: "bid", own: "auctions", by: "busy" },
  ] as const) {
    test(`${word}: 3004 for who has made all of the ${own}`, async () =>
      assert.equal((await refusal(act(word, by === "busy" ? busy : rare)))[0], "3004"));
  }

  test("buy and bid: 7107 with 100 of them for somebody else", async () => {
    for (const [word, all] of [
      ["buy", sales],
      ["bid", lots],
    ] as const) {
      const [code, named] = await refusal(act(word, buyer));
      assert.deepEqual([code, named.length], ["7107", 100]);
      assert.ok(named.every((id) => all.includes(id)));
    }
  });

  test("unsell and unauction: 7107 with 100 of them, also as the last of many elements", async () => {
    for (const word of ["unsell", "unauction"] as const) {
      const all = word === "unsell" ? sales : lots;
      const ids = [...all.slice(0, 40), item];
      const { text } = market.signed(word, busy, { itemdata: JSON.stringify(ids) });
      const { outcomes } = await ledger.execute(text);
      const [outcome] = outcomes;
      assert(outcome?.kind === "refused");
      const { code, listings, parameter } = explain(outcome.fault);
      assert.deepEqual([code, parameter, listings?.length], ["7107", "itemdata[40]", 100]);
    }
  });

  test("auctionfinish: 7201 while all of them are running", async () =>
    assert.equal((await refusal(market.finish(item)))[0], "7201"));

  test("buy and bid by who has made 1,001 listings mean the only one of somebody else", async () => {
    const sale = await market.lists("sell", rare, { id: item, ...terms, price: "5" });
    assert.equal(await does(act("buy", busy)), sale);
    const lot = await market.lists("auction", rare, { id: item, ...auction });
    assert.equal(await does(act("bid", busy)), lot);
    const { text } = market.signed("unsell", rare, { itemdata: JSON.stringify([item]) });
    assert.equal((await refusal(text))[0], "7106");
  });

  test("auctionfinish means an ended auction behind 1,001 running ones, then the next to end", async () => {
    const end = ledger.now + 3600;
    const short = await market.lists("auction", rare, {
      ...{ id: item, ...auction },
      auction_end_date: String(end),
    });
    ledger.now = end;
    assert.equal(await does(market.finish(item)), short);
    assert.equal((await refusal(market.finish(item)))[0], "7201");
    ledger.now = end + 100_000;
    const next = ledger.reading(() => ledger.reader.state.firstEndingAuction(item)?.dexid);
    assert.equal(await does(market.finish(item)), next);
  });
});
