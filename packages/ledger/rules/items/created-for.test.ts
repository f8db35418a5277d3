import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { TestClient } from "../../testing/test-client.ts";
import { type Cast, createCast } from "../../testing/trade/cast.ts";
import { ART, createItems, createUnits } from "../../testing/trade/creations.ts";
import { NOBODY } from "../../testing/trade/item-terms.ts";

let client: TestClient;
let cast: Cast;
before(async () => {
  client = await TestClient.open({ tokens: 9 });
  cast = await createCast(client, { coins: 1_000_000n });
});
after(() => client[Symbol.dispose]());

test("policies §9: 100 Bound items, each for another address: held as named, not transferred, melted", async () => {
  const { o, q, b } = cast;
  const names = Array.from({ length: 100 }, (_, n) => `holder ${n}`);
  const holders = Object.values(await client.people(names)) as Address[];
  const bound = { transferable: "Bound", initial_reserve: "2" };
  const ids = await createItems(client, q, o, ...holders.map((to) => ({ ...bound, to })));
  for (const [n, id] of ids.entries()) {
    client.assertEntry(id, { owner: holders[n], holder: holders[n], creator: o });
  }
  const [first, last] = [ids[0], ids[99]] as [string, string];
  const moved = await client.send("mrc401transfer", holders[0] as Address, {
    mrc401id: first,
    toAddr: b,
  });
  assert.equal(moved.summary, "409 7109 mrc401id");
  const melted = await client.done("mrc401melt", holders[99] as Address, { mrc401id: last });
  assert.match(melted.outcome, /holder 99 \+2/);
});

// biome-ignore format: a line for each case
for (const { what, by, element, answer } of [
  { what: "unknown", by: "o", element: { to: NOBODY }, answer: "404 3090 itemdata[0].to" },
  { what: "malformed", by: "o", element: { to: "MTb" }, answer: "400 3190 itemdata[0].to" },
  { what: "with sell_price", by: "o", element: { to: "b", sell_price: "5" }, answer: "400 3005 itemdata[0].to" },
  { what: "by partner, not bound", by: "p", element: { to: "b" }, answer: "403 7002 itemdata[0]" },
  { what: "by partner, bound", by: "p", element: { to: "b", transferable: "Bound" }, answer: "done" },
  { what: "by creator, not bound", by: "c", element: { to: "c" }, answer: "403 7002 itemdata[0]" },
  { what: "by creator, bound", by: "c", element: { to: "b", transferable: "Bound" }, answer: "done" },
  { what: "by seller, bound", by: "s", element: { to: "b", transferable: "Bound" }, answer: "403 7002 itemdata[0]" },
] as const) {
  for (const op of ["mrc401create", "mrc402create"]) {
    test(`policies §9: ${op} with to ${what}: ${answer}`, async () => {
      const { b, q, [by]: actor } = cast;
      const to = element.to === "b" ? b : element.to === "c" ? actor : element.to;
      const itemdata = [{ ...element, to }];
      assert.equal((await client.send(op, actor, { mrc400id: q, itemdata })).summary, answer);
    });
  }
}

test("policies §9: an item on auction is not created for another address", async () => {
  const itemdata = [{ to: cast.b, auction_start_price: "5" }];
  const { summary: reported } = await client.send("mrc401create", cast.o, {
    mrc400id: cast.q,
    itemdata,
  });
  assert.equal(reported, "400 3005 itemdata[0].to");
});

test("policies §9.1: mint 5 to B with a short signature: 2010 naming signed=full", async () => {
  const { a, b } = cast;
  const prints = await createUnits(client, a);
  const refused = await client.send("mrc402mint", a, { mrc402id: prints, amount: "5", to: b });
  assert.equal(refused.summary, "401 2010 to");
  assert.match(refused.problem?.detail ?? "", /signed=full/);
});

test("policies §9.1: mint 5 to B with a full signature: B has 5, the creator paid the reserve", async () => {
  const { a, b } = cast;
  const prints = await createUnits(client, a, { initialreserve: { "0": "3" } });
  const sent = { mrc402id: prints, amount: "5", memo: "prize", to: b, signed: "full" };
  const answer = await client.done("mrc402mint", a, sent);
  assert.equal(answer.outcome, "done: a -15, b +5 units");
  assert.deepEqual(answer.notified, [`receive_mrc402 ${b}`]);
  const unknown = { mrc402id: prints, amount: "5", to: NOBODY, signed: "full" };
  assert.equal((await client.send("mrc402mint", a, unknown)).summary, "404 3090 to");
});

test("policies §9: units that stand alone are created for another address, with a full signature only", async () => {
  const { a, b } = cast;
  const terms = { ...ART, totalsupply: "4", initialreserve: { "0": "2" }, to: b };
  assert.equal((await client.send("mrc402create", a, terms)).summary, "401 2010 to");
  const unknown = { ...terms, to: NOBODY, signed: "full" };
  assert.equal((await client.send("mrc402create", a, unknown)).summary, "404 3090 to");
  const answer = await client.done("mrc402create", a, { ...terms, signed: "full" });
  const [id] = answer.made as [string];
  assert.equal(answer.outcome, "done: a -8, b +4 units");
  client.assertEntry(id, { owner: b, creator: a });
  assert.deepEqual(answer.notified, [`receive_mrc402 ${b}`]);
});

test("policies §9: items and classes of a project for another address: records and holders", async () => {
  const { o, b, q } = cast;
  const items = await client.done("mrc401create", o, { mrc400id: q, itemdata: [{ to: b }, {}] });
  const [mine, fresh] = items.made as [string, string];
  client.assertEntry(mine, { owner: b, holder: b });
  client.assertEntry(fresh, { owner: "", holder: o });
  assert.deepEqual(items.notified, [`receive_mrc401 ${b}`]);
  const units = { mrc400id: q, itemdata: [{ to: b, totalsupply: "7" }] };
  const answer = await client.done("mrc402create", o, units);
  assert.equal(answer.outcome, "done: b +7 units");
  const beside = { ...units, to: b, signed: "full" };
  assert.equal((await client.send("mrc402create", o, beside)).summary, "400 3005 to");
});
