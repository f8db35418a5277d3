import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import { TestClient } from "../testing/test-client.ts";
import { T, type TestLedger } from "../testing/test-ledger.ts";
import { createItems, createProject, createUnitItems } from "../testing/trade/creations.ts";

/**
 * A ledger on which auctions of items and of coins, for units of a token, end at so many seconds
 * behind T.
 */
class Auctions implements Disposable {
  readonly client: TestClient;
  readonly owner: Address;
  readonly bidder: Address;
  readonly #project: string;
  /** What the test calls each, by kind and id. */
  readonly #names: Map<string, string> = new Map();

  static async open(): Promise<Auctions> {
    const client = await TestClient.open({ tokens: 1 });
    const funds = { coins: 1000n, tokens: { "1": 1000n } };
    const { owner, bidder } = await client.people(["owner", "bidder"], funds);
    return new Auctions(client, owner, bidder, await createProject(client, owner));
  }

  private constructor(client: TestClient, owner: Address, bidder: Address, project: string) {
    this.client = client;
    this.owner = owner;
    this.bidder = bidder;
    this.#project = project;
  }

  get ledger(): TestLedger {
    return this.client.ledger;
  }

  async item(name: string, seconds: number): Promise<string> {
    const terms = { auction_start_price: "5", auction_end: String(T + seconds) };
    const [id = ""] = await createItems(this.client, this.#project, this.owner, terms);
    this.#names.set(`item ${id}`, name);
    return id;
  }

  /** Sales of an item, coins and units, which are no auctions. */
  async withoutEnds(): Promise<void> {
    const { client, owner } = this;
    await createItems(client, this.#project, owner, { sell_price: "5" });
    const sale = { token: "1", amount: "10", price: "5" };
    await client.done("mrc010sell", owner, { mrc010id: "0", ...sale });
    const [id = ""] = await createUnitItems(client, this.#project, owner, { totalsupply: "50" });
    await client.done("mrc402sell", owner, { ...sale, id });
  }

  /** Puts coins on auction and returns the listing's id. */
  async coins(name: string, seconds: number): Promise<string> {
    const id = await this.client.make("mrc010auction", this.owner, {
      mrc010id: "0",
      token: "1",
      amount: "10",
      auction_start_price: "5",
      auction_end_date: String(T + seconds),
    });
    this.#names.set(`token listing ${id}`, name);
    return id;
  }

  /** Names of those that are due at so many seconds behind T, in their order. */
  due(seconds: number, limit = 100): string {
    return this.ledger.reading(() =>
      this.ledger.reader.dueAuctions
        .list(T + seconds, limit)
        .map(({ kind, id }) => this.#names.get(`${kind} ${id}`) ?? id)
        .join(" "),
    );
  }

  [Symbol.dispose](): void {
    this.client[Symbol.dispose]();
  }
}

test("auctions are due from their end on, those of each kind that have been for longest first", async () => {
  using auctions = await Auctions.open();
  await auctions.withoutEnds();
  assert.equal(auctions.due(1_000_000), "");
  await auctions.item("later", 5000);
  await auctions.coins("late", 7000);
  await auctions.item("first", 4000);
  await auctions.coins("early", 6000);
  await auctions.item("last", 9000);
  for (const { seconds, due } of [
    { seconds: 3999, due: "" },
    { seconds: 4000, due: "first" },
    { seconds: 4001, due: "first" },
    { seconds: 5999, due: "first later" },
    { seconds: 6000, due: "early first later" },
    { seconds: 8999, due: "early late first later" },
    { seconds: 9000, due: "early late first later last" },
  ]) {
    assert.equal(auctions.due(seconds), due, `at +${seconds}`);
  }
});

test("so many of each kind are listed at once, and a ledger that is opened anew lists the same", async () => {
  using auctions = await Auctions.open();
  for (const seconds of [4003, 4001, 4002]) {
    await auctions.item(`item${seconds}`, seconds);
    await auctions.coins(`coins${seconds}`, seconds);
  }
  assert.equal(auctions.due(9000, 0), "");
  const two = "coins4001 coins4002 item4001 item4002";
  assert.equal(auctions.due(9000, 2), two);
  auctions.ledger.restart();
  assert.equal(auctions.due(9000, 2), two);
});

for (const { how, close } of [
  {
    how: "closed without a bid",
    close: async ({ client, ledger }, item, dexid) => {
      ledger.now = T + 4000;
      await client.done("mrc401auctionfinish", "", { mrc401id: item });
      await client.done("mrc010auctionfinish", "", { dexid });
    },
  },
  {
    how: "closed with a winner",
    close: async ({ client, ledger, bidder }, item, dexid) => {
      await client.done("mrc401bid", bidder, { mrc401id: item, amount: "5" });
      await client.done("mrc010bid", bidder, { dexid, amount: "5" });
      ledger.now = T + 4000;
      await client.done("mrc401auctionfinish", "", { mrc401id: item });
      await client.done("mrc010auctionfinish", "", { dexid });
    },
  },
  {
    how: "cancelled",
    close: async ({ client, owner }, item, dexid) => {
      await client.done("mrc401unauction", owner, { itemdata: [item] });
      await client.done("mrc010unauction", owner, { dexid });
    },
  },
] satisfies {
  how: string;
  close(auctions: Auctions, item: string, dexid: string): Promise<void>;
}[]) {
  test(`an auction that was ${how} is not due any more, others are`, async () => {
    using auctions = await Auctions.open();
    const [item, dexid] = [await auctions.item("item", 4000), await auctions.coins("coins", 4000)];
    await auctions.item("other item", 4100);
    await auctions.coins("other coins", 4100);
    assert.equal(auctions.due(4200), "coins other coins item other item");
    await close(auctions, item, dexid);
    assert.equal(auctions.due(4200), "other coins other item");
  });
}

test("what was bought now is not due, what was put on auction once more is due once", async () => {
  using auctions = await Auctions.open();
  const { client, owner, bidder } = auctions;
  const id = await auctions.item("item", 4000);
  await client.done("mrc401unauction", owner, { itemdata: [id] });
  const lot = { id, start: "5", token: "0", buynow: "9", end: String(T + 5000) };
  await client.done("mrc401auction", owner, { itemdata: [lot] });
  assert.deepEqual([auctions.due(4999), auctions.due(5000)], ["", "item"]);
  await client.done("mrc401bid", bidder, { mrc401id: id, amount: "9" });
  assert.equal(auctions.due(5000), "");
});
