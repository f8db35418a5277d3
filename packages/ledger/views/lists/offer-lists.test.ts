import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { listNamed, listPage, listPages, type Query } from "../../testing/list-pages.ts";
import { createItems } from "../../testing/trade/creations.ts";
import { ItemTrade } from "../../testing/trade/item-trade.ts";

interface Shown {
  readonly offerid: string;
  readonly price: string;
}

const LIST = listNamed("mrc401Offers");

let trade: ItemTrade;
before(async () => {
  trade = await ItemTrade.open({ tokens: 2 });
});
after(() => trade[Symbol.dispose]());

async function offer(buyer: Address, id: string, price: number, more: Query = {}): Promise<void> {
  const end = String(trade.now + 86_400);
  const terms = { id, price: String(price), token: "0", end, ...more };
  await trade.client.done("mrc401offer", buyer, terms);
}

function prices(query: Query): readonly number[] {
  return listPages<Shown>(trade.client.ledger, LIST, query)
    .flat()
    .map(({ price }) => Number(price));
}

test("offers §7: by price an item has its own offers and those for its project and group in one order, in pages of every size", async () => {
  const { q, b, d } = trade.cast;
  const sword = await trade.x({ groupid: "swords" });
  const other = await trade.x();
  trade.now += 1;
  for (const [index, price] of [5, 90, 17, 17, 300, 42].entries()) {
    await offer(index % 2 === 0 ? b : d, sword, price);
    await offer(b, q, price + 1);
    await offer(d, q, price + 2, { groupid: "swords" });
    await offer(d, q, 999, { groupid: "axes" });
    await offer(d, other, 998);
  }
  const own = [5, 90, 17, 17, 300, 42].flatMap((price) => [price, price + 1, price + 2]);
  const best = own.toSorted((x, y) => y - x);
  for (const limit of ["1", "2", "7", "100"]) {
    const query = { id: sword, token: "0", order: "price", limit };
    assert.deepEqual(prices(query), best);
  }
  const ofB = { id: sword, token: "0", order: "price", buyer: b };
  assert.deepEqual(prices(ofB), [301, 300, 91, 43, 18, 18, 17, 6, 5]);
  assert.deepEqual(prices({ id: q, token: "0", order: "price" }), [301, 91, 43, 18, 18, 6]);
  assert.deepEqual(prices({ id: sword, token: "1", order: "price" }), []);
  assert.deepEqual(prices({ id: sword, token: "0", order: "price", state: "ended" }), []);
});

test("offers §7: a page by price examines 1,000 offers, although the item came too late for all of them", async () => {
  const { q, b } = trade.cast;
  for (const name of ["first", "second"]) {
    const buyer = await trade.newcomer(name, 1_000_000n);
    const end = String(trade.now + 86_400);
    const terms = { id: q, price: "700", token: "0", end };
    for (let count = 0; count < 6; count += 1) {
      const requests = Array.from({ length: 100 }, () => ["mrc401offer", buyer, terms] as const);
      await trade.client.block(requests);
    }
  }
  trade.now += 1;
  const late = await trade.x();
  trade.now += 1;
  await offer(b, late, 3);
  const query = { id: late, token: "0", order: "price" };
  const { items, cursor } = listPage<Shown>(trade.client.ledger, LIST, query);
  assert.deepEqual([items.length, cursor === undefined], [0, false]);
  assert.deepEqual(prices(query), [3]);
});

test("offers §7: a holder's offers are those for its 250 newest items", async () => {
  const { q, o, d } = trade.cast;
  const ids: string[] = [];
  for (const count of [100, 100, 51]) {
    const created = Array.from({ length: count }, () => ({}));
    ids.push(...(await createItems(trade.client, q, o, ...created)));
  }
  trade.now += 1;
  for (const [index, id] of ids.slice(0, 2).entries()) {
    await offer(d, id, index + 1);
  }
  assert.deepEqual(prices({ holder: o, buyer: d }), [2]);
});
