import assert from "node:assert/strict";
import { test } from "node:test";
import { assertRecords } from "./shown/expected-records.ts";
import { TestClient } from "./test-client.ts";
import {
  createItems,
  createProject,
  createToken,
  createUnitItems,
  createUnits,
} from "./trade/creations.ts";

test("a client names who got and gave what", async () => {
  using client = await TestClient.open({ tokens: 2 });
  const funds = { coins: 1000n, tokens: { 2: 50n } };
  const { a, b } = await client.people(["a", "b"], funds);
  const sent = await client.send("transfer", a, { to: b, token: "2", amount: "20" });
  assert.equal(sent.outcome, "done: a -20 of 2, b +20 of 2");
  const parameters = [a, b, "20", "2", "MEQ=", "0", "", ""];
  assertRecords(
    client,
    sent,
    [
      { type: "transfer", of: a, parameters, moved: ["2"] },
      { type: "receive", of: b, parameters, moved: ["2"] },
    ],
    "2",
  );
  assert.equal(client.held(b, "2"), "70");
  const units = await createUnits(client, a, { totalsupply: "10" });
  const given = { mrc402id: units, toAddr: b, amount: "3" };
  const moved = await client.send("mrc402transfer", a, given);
  assert.equal(moved.outcome, "done: a -3 units, b +3 units");
  const dexid = await client.make("mrc402sell", b, {
    id: units,
    amount: "2",
    price: "7",
    token: "0",
  });
  assert.equal(client.units(b, units), "1 + 2 on sale");
  const bought = await client.send("mrc402buy", a, { id: dexid, amount: "2" });
  assert.equal(bought.outcome, "done: a -14, b +14, a +2 units, b -2 on sale");
});

test("the example of the client does what it says", async () => {
  using client = await TestClient.open();
  const { s, b } = await client.people(["s", "b"], { coins: 1000n });
  const gold = await createToken(client, s);
  const terms = { mrc010id: gold, amount: "10", price: "3", token: "0" };
  const dexid = await client.make("mrc010sell", s, terms);
  const answer = await client.send("mrc010buy", b, { dexid, amount: "10" });
  assert.equal(answer.outcome, `done: s +30, b -30, b +10 of ${gold}`);
  client.assertEntry(dexid, { state: "sold" });
  assert.equal((await client.send("mrc010unsell", s, { dexid })).said, "409 7102 dexid");
});

test("a client is refused by forms, by actor, by key, by what it has signed, and by the rule, and repeats are found", async () => {
  using client = await TestClient.open();
  const { a, b, stranger } = await client.people(["a", "b", "stranger"], { coins: 1000n });
  await client.mending("transfer", { by: a, stranger }, [
    [{ to: b, token: "77", amount: "01" }, "400 1101 amount"],
    [{ amount: "2000" }, "404 4001 token"],
    [{ token: "0" }, "key"],
    [{}, "400 5001"],
    [{ amount: "1000" }, "done"],
    [{}, "repeat"],
  ]);
  assert.equal((await client.send("tokencreate", a)).said, "404 6010");
  const gold = await createToken(client, a);
  const draft = await client.done("tokensave", a, { symbol: "S", name: "Silver" });
  const create = ["tokencreate", a, { tkey: client.ledger.key(a) }] as const;
  assert.equal((await client.send(...create, { decided: { name: "Gold" } })).code, "401 2010");
  assert.equal((await client.send(...create, { decided: { name: "Silver" } })).said, "done");
  assert.equal((await client.send(...create, { decided: { name: "Silver" } })).said, "repeat");
  assert.equal((await client.send(...create, { decided: { name: "Gold" } })).said, "409 2021 tkey");
  assert.notEqual(draft.id, "");
  assert.equal(client.held(a, gold), "1000");
});

test("a client makes what tests need: projects, items, listings, several in one block", async () => {
  using client = await TestClient.open();
  const { o, s, a, b } = await client.people(["o", "s", "a", "b"], { coins: 1000n });
  const project = await createProject(client, o, { seller: [s] });
  const [first, second] = await createItems(client, project, o, {}, { sell_fee: "10" });
  const [unit, sale] = await createUnitItems(client, project, o, { sell_price: "5" });
  assert.match(unit as string, /^MRC400_/);
  assert.match(sale as string, /^DEX402_/);
  client.assertEntry(second as string, { sell_fee: "10", creator: o });
  for (const id of [first, second]) {
    await client.done("mrc401sell", o, { itemdata: [{ id, price: "300", token: "0" }] });
  }
  const answers = await client.block([
    ["mrc401buy", a, { mrc401id: first as string }],
    ["mrc401buy", b, { mrc401id: first as string }],
    ["mrc401buy", b, { mrc401id: second as string }],
  ]);
  assert.deepEqual(
    answers.map(({ code }) => code),
    ["done", "409 7106", "done"],
  );
  client.assertEntry(first as string, { owner: a, last_trade_amount: "300" });
});
