import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { type Address, AMOUNT_MAX } from "@moneta/protocol";
import { TestClient } from "../../testing/test-client.ts";
import { createToken } from "../../testing/trade/creations.ts";
import { supplyOf } from "../../testing/trade/token-drafts.ts";

// What of increasing is not as burning is; the rest is in token-burn.test.ts.

let client: TestClient;
let o: Address;
beforeEach(async () => {
  client = await TestClient.open();
  ({ o } = await client.people(["o"]));
});
afterEach(() => client[Symbol.dispose]());

async function sending(op: string, token: string, amount: bigint): Promise<string> {
  return (await client.send(op, o, { token, amount: String(amount) })).code;
}

test("tokens §7 row 5: a token saved without totalsupply has none, until its owner increases it", async () => {
  const token = await createToken(client, o, { totalsupply: "" });
  assert.equal(supplyOf(client, token), "0 issued, 0 burned, the owner has 0");
  assert.equal(await sending("tokenincrease", token, 5n), "done");
  assert.equal(supplyOf(client, token), "5 issued, 0 burned, the owner has 5");
});

test("tokens §7 row 18: above 10^40 nothing can be issued, what was burned counts, too", async () => {
  const token = await createToken(client, o, { totalsupply: String(AMOUNT_MAX - 1n) });
  assert.equal(await sending("tokenincrease", token, 2n), "400 1101");
  assert.equal(await sending("tokenincrease", token, AMOUNT_MAX), "400 1101");
  assert.equal(await sending("tokenincrease", token, 1n), "done");
  assert.equal(await sending("tokenincrease", token, 1n), "400 1101");
  assert.equal(await sending("tokenburn", token, 10n), "done");
  assert.equal(await sending("tokenincrease", token, 1n), "400 1101");
  const left = AMOUNT_MAX - 10n;
  assert.equal(supplyOf(client, token), `${AMOUNT_MAX} issued, 10 burned, the owner has ${left}`);
  assert.equal(await sending("tokenburn", token, left), "done");
});

test("tokens §5: of two increases in one block that together go above 10^40 the second is 1101", async () => {
  const token = await createToken(client, o, { totalsupply: "" });
  const increase = [
    "tokenincrease",
    o,
    { token, amount: String((AMOUNT_MAX * 6n) / 10n) },
  ] as const;
  const answers = await client.block([increase, increase]);
  assert.deepEqual(
    answers.map(({ code }) => code),
    ["done", "400 1101"],
  );
});
