import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  type KeyHolder,
  parsed,
  START,
  summaryOf,
  TestNode,
  withTokens,
} from "../../testing/test-node.ts";

let node: TestNode;
let payee: KeyHolder;
before(async () => {
  node = await TestNode.start();
  await node.restart(withTokens(7, 8, 9, 10));
  payee = await node.holder();
});
after(() => node[Symbol.asyncDispose]());

interface Held {
  readonly free?: bigint;
  readonly locked?: readonly (readonly [seconds: number, amount: bigint])[];
}

/** An address with these amounts of token 7, at T. */
async function holding({ free, locked = [] }: Held): Promise<{ a: KeyHolder; t: number }> {
  const a = await node.holder();
  const t = node.now;
  if (free !== undefined) {
    await node.pay(a, free, { token: "7" });
  }
  for (const [seconds, amount] of locked) {
    await node.pay(a, amount, { token: "7", unlockdate: t + seconds });
  }
  return { a, t };
}

async function send(from: KeyHolder, amount: bigint): Promise<string> {
  const params = { to: payee.address, token: "7", amount: String(amount) };
  return summaryOf(await node.post("/transfer", await node.transfer(from, params)));
}

/** Row 2 of the table. */
const DATE = 1_767_312_000;

async function inThreeTokens(): Promise<KeyHolder> {
  assert.ok(node.now < DATE);
  const a = await node.holder();
  await node.pay(a, 5n, { token: "10" });
  await node.pay(a, 3n, { token: "9", unlockdate: DATE });
  await node.pay(a, 4n, { token: "9" });
  return a;
}

test("accounts §9 row 5: with limit=2 the first two and a Link, which leads to the rest", async () => {
  const a = await inThreeTokens();
  const all = parsed<object[]>(await node.get(`/balance/${a.address}`));
  const first = await node.get(`/balance/${a.address}?limit=2`);
  assert.deepEqual(parsed(first), all.slice(0, 2));
  const next = /^<(.*)>; rel="next"$/.exec(first.headers.get("link") ?? "")?.[1];
  assert.ok(next !== undefined);
  const second = await node.get(new URL(next, node.url).href.slice(node.url.length));
  assert.deepEqual(parsed(second), all.slice(2));
  assert.equal(second.headers.get("link"), null);
  const other = await node.get(`/balance/${a.address}?limit=2&after=9:0`);
  assert.deepEqual(parsed(other), all.slice(2));
});

test("accounts §1.5: a GET uses the ledger time, not a clock that was set back", async () => {
  const { a, t } = await holding({ locked: [[100, 50n]] });
  node.now = t + 100;
  await node.pay(payee, 1n);
  node.now = t;
  assert.deepEqual(await node.balances(a, "7"), ["50"]);
  assert.equal(await send(a, 50n), "200");
  node.now = t + 100;
  assert.ok(node.now >= START);
});
