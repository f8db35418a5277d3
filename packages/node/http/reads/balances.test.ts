import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  type Answered,
  type KeyHolder,
  parsed,
  START,
  said,
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
  return said(await node.post("/transfer", await node.transfer(from, params)));
}

const THREE: Held = {
  free: 100n,
  locked: [
    [100, 50n],
    [200, 30n],
  ],
};

test("accounts §8 row 3: at T+100 a GET shows the matured amount as free without any operation", async () => {
  const { a, t } = await holding(THREE);
  node.now = t + 99;
  assert.deepEqual(await node.balances(a, "7"), ["100", `50@${t + 100}`, `30@${t + 200}`]);
  node.now = t + 100;
  assert.deepEqual(await node.balances(a, "7"), ["150", `30@${t + 200}`]);
  assert.deepEqual(await node.balances(a), ["0: 0", "7: 150", `7: 30@${t + 200}`]);
  const { balance } = parsed<{ balance: object[] }>(await node.get(`/address/${a.address}`));
  assert.deepEqual(balance[1], { token: "7", balance: "150", unlockdate: 0 });
});

test("accounts §9 row 1: a new address has one entry", async () => {
  const { address } = await node.holder();
  const answer = await node.get(`/balance/${address}`);
  assert.equal(answer.headers.get("content-type"), "application/json");
  assert.deepEqual(parsed(answer), [{ token: "0", balance: "0", unlockdate: 0 }]);
});

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

test("accounts §9 row 2: entries stand by token as a number, the free one before the locked ones", async () => {
  const a = await inThreeTokens();
  assert.deepEqual(parsed(await node.get(`/balance/${a.address}/`)), [
    { token: "0", balance: "0", unlockdate: 0 },
    { token: "9", balance: "4", unlockdate: 0 },
    { token: "9", balance: "3", unlockdate: DATE },
    { token: "10", balance: "5", unlockdate: 0 },
  ]);
});

test("accounts §9 row 3: of one token its entries, the free one always", async () => {
  const a = await inThreeTokens();
  assert.deepEqual(parsed(await node.get(`/balance/${a.address}/9`)), [
    { token: "9", balance: "4", unlockdate: 0 },
    { token: "9", balance: "3", unlockdate: DATE },
  ]);
  assert.deepEqual(parsed(await node.get(`/balance/${a.address}/8`)), [
    { token: "8", balance: "0", unlockdate: 0 },
  ]);
  assert.deepEqual(parsed(await node.get(`/balance/${a.address}/0`)), [
    { token: "0", balance: "0", unlockdate: 0 },
  ]);
});

test("accounts §9 row 4: a token that does not exist is 404 4001, none at all 400 1101", async () => {
  const { address } = payee;
  assert.equal(said(await node.get(`/balance/${address}/99`)), "404 4001 token");
  for (const token of ["x", "01", "-1", "1.0", "%201", "1e1"]) {
    assert.equal(said(await node.get(`/balance/${address}/${token}`)), "400 1101 token", token);
  }
});

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

for (const limit of [1, 2, 3]) {
  test(`accounts §9: Links of pages of ${limit} lead through all entries once, in both forms`, async () => {
    const { a, t } = await holding({
      free: 1n,
      locked: [
        [5000, 2n],
        [5001, 3n],
        [5002, 4n],
      ],
    });
    await node.pay(a, 5n, { token: "10", unlockdate: t + 5000 });
    await node.pay(a, 6n);
    for (const path of [`/balance/${a.address}`, `/balance/${a.address}/7`]) {
      const all = parsed<object[]>(await node.get(path));
      const found: object[] = [];
      let next: string | undefined = `${path}?limit=${limit}`;
      while (next !== undefined) {
        const page: Answered = await node.get(next);
        assert.equal(page.status, 200, page.text);
        found.push(...parsed<object[]>(page));
        next = /^<(.*)>; rel="next"$/.exec(page.headers.get("link") ?? "")?.[1];
      }
      assert.deepEqual(found, all);
    }
  });
}

test("accounts §9: form first, address before token", async () => {
  const unknown = "MTAlice00000000000000000000000005dc33c90";
  assert.equal(said(await node.get("/balance/x/x?limit=0&after=x")), "400 3190 address");
  assert.equal(said(await node.get(`/balance/${unknown}/x?limit=0`)), "400 1101 token");
  assert.equal(said(await node.get(`/balance/${unknown}/99?limit=0&after=x`)), "400 1101 limit");
  assert.equal(said(await node.get(`/balance/${unknown}/99?after=x`)), "400 3005 after");
  assert.equal(said(await node.get(`/balance/${unknown}/99`)), "404 3090 address");
  assert.equal(said(await node.get(`/balance/${unknown}`)), "404 3090 address");
  assert.equal(said(await node.get(`/balance/${payee.address}?limit=10001`)), "400 1101 limit");
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
