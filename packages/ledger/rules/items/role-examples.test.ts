import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Params } from "../../testing/admitted.ts";
import { TestClient } from "../../testing/test-client.ts";
import type { Role } from "../../testing/trade/cast.ts";
import type { Element } from "../../testing/trade/creations.ts";
import { ItemTrade } from "../../testing/trade/item-trade.ts";

// Roles at work: given, exchanged and withdrawn, in several columns of mrc401 §2.5.

let client: TestClient;
let trade: ItemTrade;
before(async () => {
  client = await TestClient.open();
});
after(() => client[Symbol.dispose]());
beforeEach(async () => {
  trade = await ItemTrade.on(client, 1000n);
});

async function create(role: Role, ...itemdata: readonly Element[]): Promise<string> {
  const { q, [role]: by } = trade.cast;
  return (await trade.send("mrc401create", by, { mrc400id: q, itemdata })).code;
}

async function change(role: Role, id: string, fields: Element): Promise<string> {
  const itemdata = [{ id, ...fields }];
  return (await trade.send("mrc401update", trade.cast[role], { mrc400id: trade.cast.q, itemdata }))
    .code;
}

function elements(ids: readonly string[], price = "300"): Element[] {
  return ids.map((id) => ({ id, price, start: price, token: "0" }));
}

type Listing = "sell" | "unsell" | "auction" | "unauction";

function listing(word: Listing, ids: readonly string[], price?: string): Params {
  return { itemdata: word.startsWith("un") ? ids : elements(ids, price) };
}

async function list(word: Listing, role: Role, ...ids: readonly string[]): Promise<string> {
  return (await trade.send(`mrc401${word}`, trade.cast[role], listing(word, ids))).code;
}

/** A new item that O has created, and in turn those it was given to. */
async function itemOf(...holders: readonly Role[]): Promise<string> {
  const id = await trade.item(trade.cast.q, trade.cast.o);
  let from = trade.cast.o;
  for (const role of holders) {
    await trade.give(id, from, trade.cast[role]);
    from = trade.cast[role];
  }
  return id;
}

let edition = 1;

async function setRoles(roles: Partial<Record<Role, string>>): Promise<void> {
  const partner = Object.fromEntries(
    Object.entries(roles).map(([role, name]) => [trade.cast[role as Role], name]),
  );
  const description = `Edition ${edition++}`;
  await trade.done("mrc400update", trade.cast.o, { mrc400id: trade.cast.q, partner, description });
}

const ROLES = { p: "partner", s: "seller", c: "creator" } as const;

test("mrc401 §2.5: S sells F1 at 100, D buys: O +100; S sells F1 again: 7001", async () => {
  const { o, s, d } = trade.cast;
  const id = await trade.item(trade.cast.q, o, { sell_fee: "10" });
  const itemdata = JSON.stringify(elements([id], "100"));
  const answer = await trade.done("mrc401sell", s, { itemdata });
  assert.deepEqual(answer.notified, [`mrc401sell ${o}`]);
  await trade.done("mrc401buy", d, { mrc401id: id });
  assert.deepEqual([trade.client.held(o), trade.client.held(d)], ["1100", "900"]);
  assert.equal(trade.client.held(s), "1000");
  assert.equal(await list("sell", "s", id), "403 7001");
});

test("mrc401 §2.5: O sells F1, P unsells it: accepted; C sells it: 7001", async () => {
  const id = await itemOf();
  assert.equal(await list("sell", "o", id), "done");
  assert.equal(await list("unsell", "p", id), "done");
  assert.equal(await list("sell", "c", id), "403 7001");
});

test("mrc401 §2.5: F1 to A and back to O: S may not sell it; O sells it, and pays no fee", async () => {
  const { o, b } = trade.cast;
  const id = await trade.item(trade.cast.q, o, { sell_fee: "10" });
  await trade.give(id, o, trade.cast.a);
  await trade.give(id, trade.cast.a, o);
  const { owner, holder } = trade.shown(id);
  assert.deepEqual([owner, holder], [o, o]);
  assert.equal(await list("sell", "s", id), "403 7001");
  assert.equal(await list("sell", "o", id), "done");
  const bought = await trade.done("mrc401buy", b, { mrc401id: id });
  assert.deepEqual([trade.client.held(o), trade.client.held(b)], ["1300", "700"]);
  const { effects } = bought;
  assert.deepEqual(
    effects.map(({ type }) => type),
    ["receive_mrc401sell", "mrc401_buy"],
  );
});

test("mrc401 §2.5: P holds an item that was traded: it sells it as its holder, without a record for O", async () => {
  const { o, p } = trade.cast;
  const id = await trade.item(trade.cast.q, o, { sell_price: "300" });
  await trade.done("mrc401buy", p, { mrc401id: id });
  const answer = await trade.done("mrc401sell", p, listing("sell", [id]));
  const { effects } = answer;
  assert.deepEqual(
    effects.map(({ type, address }) => [type, address]),
    [["mrc401_sell", ""]],
  );
});

test("mrc401 §2.5: what counts is the role when the operation is applied: withdrawn, exchanged, given back", async () => {
  const ownOf = {
    p: await trade.item(trade.cast.q, trade.cast.p),
    c: await trade.item(trade.cast.q, trade.cast.c),
  };
  let group = 0;
  const rights = async (role: "p" | "c"): Promise<string[]> => {
    const fresh = await itemOf();
    return [
      await create(role, {}),
      await create(role, { auction_start_price: "1" }),
      await change(role, ownOf[role], { groupid: String(group++) }),
      await list("auction", role, fresh),
    ];
  };
  const none = ["403 7002", "403 7002", "403 7002", "403 7001"];
  const creators = ["done", "403 7002", "done", "403 7001"];
  const sellers = ["403 7002", "done", "403 7002", "done"];
  const partners = ["done", "done", "done", "done"];
  for (const [roles, p, c] of [
    [ROLES, partners, creators],
    [{}, none, none],
    [{ p: "seller", c: "partner" }, sellers, partners],
    [{ p: "creator", c: "seller" }, creators, sellers],
    [ROLES, partners, creators],
  ] as const) {
    await setRoles(roles);
    assert.deepEqual([await rights("p"), await rights("c")], [p, c], JSON.stringify(roles));
  }
});

test("mrc401 §2.5: sales and auctions made by role stay open when the role is withdrawn", async () => {
  const [sold, auctioned, kept] = [await itemOf(), await itemOf(), await itemOf()];
  assert.equal(await list("sell", "s", sold, kept), "done");
  assert.equal(await list("auction", "s", auctioned), "done");
  const sale = await trade.item(trade.cast.q, trade.cast.s, { sell_price: "50" });
  await setRoles({});
  assert.equal(await list("unsell", "s", kept), "403 7001");
  assert.equal(await list("unauction", "s", auctioned), "403 7001");
  const { a, o } = trade.cast;
  for (const mrc401id of [sold, sale]) {
    await trade.done("mrc401buy", a, { mrc401id });
  }
  assert.deepEqual([trade.client.held(a), trade.client.held(o)], ["650", "1350"]);
  assert.equal(await list("unsell", "o", kept), "done");
  assert.equal(await list("unauction", "o", auctioned), "done");
});
