import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  type KeyHolder,
  parsed,
  summaryOf,
  TestNode,
  transactionIdOf,
} from "../../testing/test-node.ts";

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";
/** Form of a key. Source: accounts §7.2. */
const KEY = /^K[0-9A-Za-z]{45}$/;

let node: TestNode;
let alice: KeyHolder;
let bob: KeyHolder;
before(async () => {
  node = await TestNode.start();
  alice = await node.holder({ coins: 1_000_000n });
  bob = await node.holder();
});
after(() => node[Symbol.asyncDispose]());

test("accounts §7.4: a repeat is recognised after defaults and cuts, and with a signature that fits nothing", async () => {
  const memo = "m".repeat(2049);
  const params = await node.transfer(alice, {
    to: bob.address,
    amount: "3",
    memo,
    unlockdate: "0",
    tags: "",
  });
  const id = transactionIdOf(await node.post("/transfer", params));
  for (const change of [
    { memo: "m".repeat(2048) },
    { memo: "m".repeat(3000) },
    { signature: "AAAA" },
  ]) {
    const answer = await node.post("/transfer", { ...params, ...change });
    assert.equal(summaryOf(answer), "200", JSON.stringify(change).slice(0, 80));
    assert.equal(transactionIdOf(answer), id);
  }
  const { unlockdate: _, ...without } = params;
  assert.equal(transactionIdOf(await node.post("/transfer", without)), id);
});

for (const path of ["/nonce/", "/getkey/transfer/"]) {
  for (const { count, keys } of [
    { count: "3", keys: 3 },
    { count: "1", keys: 1 },
    { count: "1000", keys: 1000 },
  ]) {
    test(`accounts §7 row 8: ${path} with count=${count}: an array of ${keys}`, async () => {
      const answer = await node.get(`${path}${alice.address}?count=${count}`);
      assert.equal(answer.headers.get("content-type"), "application/json");
      const all = parsed<string[]>(answer);
      assert.equal(new Set(all).size, keys);
      for (const key of all) {
        assert.match(key, KEY);
      }
    });
  }

  for (const valid of ["1", "86400"]) {
    test(`accounts §7: a key of ${path} with valid=${valid} is valid for so long`, async () => {
      const [inTime, late] = parsed<[string, string]>(
        await node.get(`${path}${alice.address}?count=2&valid=${valid}`),
      );
      const [serves, misses] = await Promise.all(
        [inTime, late].map((checkkey) =>
          node.transfer(alice, { to: bob.address, amount: "1", checkkey }),
        ),
      );
      node.now += Number(valid);
      const id = transactionIdOf(await node.post("/transfer", serves ?? {}));
      node.now += 1;
      assert.equal(summaryOf(await node.post("/transfer", misses ?? {})), "401 2020 checkkey");
      node.now += 86_399;
      assert.equal(transactionIdOf(await node.post("/transfer", serves ?? {})), id);
      node.now += 1;
      assert.equal(summaryOf(await node.post("/transfer", serves ?? {})), "401 2020 checkkey");
    });
  }

  test(`accounts §7 row 9: ${path} of an unknown address is 400 3090, of a malformed one 400 3190`, async () => {
    assert.equal(summaryOf(await node.get(path + UNKNOWN)), "400 3090 address");
    assert.equal(summaryOf(await node.get(`${path}${UNKNOWN.slice(1)}`)), "400 3190 address");
    assert.equal(summaryOf(await node.get(`${path}x?count=x`)), "400 3190 address");
    assert.equal(summaryOf(await node.get(`${path}${UNKNOWN}?count=x`)), "400 1101 count");
  });

  test(`accounts §7: ${path} answers the key alone, as text, not to be stored`, async () => {
    const height = await node.height();
    const answer = await node.get(path + alice.address);
    assert.match(answer.text, KEY);
    assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.equal(await node.height(), height);
  });
}

test("conventions §5.3: ten equal requests at the same time move the amount once and get one answer", async () => {
  const carol = await node.holder();
  const params = await node.transfer(alice, { to: carol.address, amount: "5" });
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => node.post("/transfer", params)),
  );
  assert.equal(new Set(answers.map(transactionIdOf)).size, 1);
  assert.deepEqual(await node.balances(carol), ["0: 5"]);
});

test("conventions §5.2: a key used before a restart stays used, and its repeat is still known", async () => {
  const params = await node.transfer(alice, { to: bob.address, amount: "7" });
  const unused = await node.key(alice);
  const id = transactionIdOf(await node.post("/transfer", params));
  await node.restart();
  assert.equal(transactionIdOf(await node.post("/transfer", params)), id);
  const { checkkey } = params;
  const other = await node.transfer(alice, { to: bob.address, amount: "8", checkkey });
  assert.equal(summaryOf(await node.post("/transfer", other)), "409 2021 checkkey");
  const next = await node.transfer(alice, { to: bob.address, amount: "9", checkkey: unused });
  assert.equal(summaryOf(await node.post("/transfer", next)), "200");
});
