import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { type Address, AMOUNT_MAX } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import { TestClient } from "../../testing/test-client.ts";
import { createToken } from "../../testing/trade/creations.ts";
import { reserveOf, supplyOf } from "../../testing/trade/token-drafts.ts";

// Burning and increasing. Source: tokens §5.

let client: TestClient;
let o: Address;
let a: Address;
/** A token of O with 1000 units, all of them O's. */
let token: string;
beforeEach(async () => {
  client = await TestClient.open();
  ({ o, a } = await client.people(["o", "a"]));
  token = await createToken(client, o);
});
afterEach(() => client[Symbol.dispose]());

async function changing(op: string, change: Params = {}, by = o): Promise<string> {
  return (await client.send(op, by, { token, amount: "1", ...change })).code;
}

test("tokens §7 row 15: of 100 unlocked and 50 locked 120 cannot be burned, 100 can, and the locked stay", async () => {
  const date = client.now + 1000;
  token = await createToken(client, o, {
    ...{ totalsupply: "150", reserve: reserveOf([o, "50", date]) },
  });
  assert.equal(await changing("tokenburn", { amount: "0" }), "400 1206");
  assert.equal(await changing("tokenincrease", { amount: "0" }), "400 1206");
  assert.equal(await changing("tokenburn", { amount: "120" }), "400 5000");
  assert.equal(await changing("tokenburn", { amount: "100" }), "done");
  assert.equal(supplyOf(client, token), `150 issued, 100 burned, the owner has 0 + 50@${date}`);
  client.now = date - 1;
  assert.equal(await changing("tokenburn"), "400 5000");
  client.now = date;
  assert.equal(await changing("tokenburn", { amount: "50" }), "done");
  assert.equal(supplyOf(client, token), "150 issued, 150 burned, the owner has 0");
});

test("tokens §5: what is on sale cannot be burned", async () => {
  token = await createToken(client, o, { totalsupply: "100" });
  const sale = { mrc010id: token, amount: "30", price: "1", token: "0" };
  await client.done("mrc010sell", o, sale);
  assert.equal(await changing("tokenburn", { amount: "71" }), "400 5000");
  assert.equal(await changing("tokenburn", { amount: "70" }), "done");
  assert.equal(supplyOf(client, token), "100 issued, 70 burned, the owner has 0");
});

test("conventions §6.3: an owner can burn what is in no listing, and gets back what was in one", async () => {
  token = await createToken(client, o, { totalsupply: "100" });
  const sale = { mrc010id: token, amount: "30", token: "0", price: "1" };
  const dexid = await client.make("mrc010sell", o, sale);
  assert.equal(await changing("tokenburn", { amount: "71" }), "400 5000");
  assert.equal(await changing("tokenburn", { amount: "70" }), "done");
  assert.equal((await client.send("mrc010unsell", o, { dexid })).code, "done");
  assert.equal(client.held(o, token), "30");
});

for (const { op, record, effect, left } of [
  { op: "tokenburn", record: "tokenBurning", effect: "ownerBurning", left: "700" },
  { op: "tokenincrease", record: "tokenIncrease", effect: "ownerIncrease", left: "1300" },
]) {
  for (const { memo, kept } of [
    { memo: "", kept: [] },
    { memo: "😀".repeat(2049), kept: ["😀".repeat(2048)] },
  ]) {
    test(`tokens §5: ${op} with a memo of ${[...memo].length}: its records`, async () => {
      const answer = await client.done(op, o, { token, amount: "300", memo });
      const parameters = [token, "300", answer.signature, ...kept];
      assert.deepEqual(
        answer.parts,
        [record, effect].map((type) => [type, o, Number(token), parameters]),
      );
    });
  }

  test(`tokens §5: ${op} of 300 leaves ${left}, and what others have`, async () => {
    await client.pay(a, 100n, { token, from: o });
    const answer = await client.send(op, o, { token, amount: "300" });
    const change = op === "tokenburn" ? "-300" : "+300";
    assert.equal(answer.outcome, `done: o ${change} of ${token}`);
    const supply = op === "tokenburn" ? "1000 issued, 300 burned" : "1300 issued, 0 burned";
    const remain = Number(left) - 100;
    assert.equal(supplyOf(client, token), `${supply}, the owner has ${remain}`);
  });

  test(`tokens §5: ${op} refuses in the order of its checks`, async () => {
    await client.mending(op, { by: o, stranger: a }, [
      [{ signature: "" }, "400 1000 token"],
      [{ token: "x" }, "400 1000 amount"],
      [{ amount: "x" }, "400 1000 signature"],
      [{ signature: "MEQ=" }, "400 1101 token"],
      ...["x", "01", "-1", "1.0", "1e3", " 1", String(AMOUNT_MAX + 1n)].map(
        (amount) => [{ token: "0", amount }, "400 1101 amount"] as const,
      ),
      [{ amount: "0", token: "01" }, "400 1101 token"],
      [{ token: "999999" }, "400 1206 amount"],
      [{ amount: String(AMOUNT_MAX) }, "404 4001 token"],
      [{ token: "0" }, "403 7001"],
      [{ token }, "key"],
      [{}, op === "tokenburn" ? "400 5000" : "400 1101"],
      [{ amount: "1" }, "done"],
    ]);
  });
}

test("tokens §2: the native coin without an owner is not burned, increased or updated: 7001 for every signer", async () => {
  const { treasury } = client.ledger;
  const texts = { url: "https://a.b/", info: "i", image: "ipfs://i" };
  for (const [op, change] of [
    ["tokenburn", { amount: "1" }],
    ["tokenincrease", { amount: "1" }],
    ["tokenupdate", texts],
    ["tokenburn", { amount: "1", tkey: "x" }],
    ["tokenupdate", { ...texts, tkey: "x" }],
  ] as const) {
    const sent = { token: "0", ...change };
    assert.equal((await client.send(op, treasury, sent)).code, "403 7001");
  }
});

test("tokens §3: a token saved without totalsupply has none, until its owner increases it", async () => {
  token = await createToken(client, o, { totalsupply: "" });
  assert.equal(supplyOf(client, token), "0 issued, 0 burned, the owner has 0");
  assert.equal(await changing("tokenincrease", { amount: "5" }), "done");
  assert.equal(supplyOf(client, token), "5 issued, 0 burned, the owner has 5");
});

test("tokens §5: above 10^40 nothing can be issued, what was burned counts, too", async () => {
  token = await createToken(client, o, { totalsupply: String(AMOUNT_MAX - 1n) });
  assert.equal(await changing("tokenincrease", { amount: String(2n) }), "400 1101");
  assert.equal(await changing("tokenincrease", { amount: String(AMOUNT_MAX) }), "400 1101");
  assert.equal(await changing("tokenincrease", { amount: String(1n) }), "done");
  assert.equal(await changing("tokenincrease", { amount: String(1n) }), "400 1101");
  assert.equal(await changing("tokenburn", { amount: String(10n) }), "done");
  assert.equal(await changing("tokenincrease", { amount: String(1n) }), "400 1101");
  const left = AMOUNT_MAX - 10n;
  assert.equal(supplyOf(client, token), `${AMOUNT_MAX} issued, 10 burned, the owner has ${left}`);
  assert.equal(await changing("tokenburn", { amount: String(left) }), "done");
});
