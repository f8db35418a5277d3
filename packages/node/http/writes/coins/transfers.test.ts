import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import {
  type KeyHolder,
  parsed,
  said,
  signatureOf,
  TestNode,
  transactionIdOf,
  withTokens,
} from "../../../testing/test-node.ts";

let node: TestNode;
let a: KeyHolder;
let b: KeyHolder;
let t: number;
before(async () => {
  node = await TestNode.start();
  await node.restart(withTokens(7));
});
after(() => node[Symbol.asyncDispose]());
beforeEach(async () => {
  a = await node.holder({ coins: 1000n });
  b = await node.holder();
  t = node.now;
  await node.pay(a, 100n, { token: "7" });
  await node.pay(a, 50n, { token: "7", unlockdate: t + 100 });
});

test("accounts §10 row 1: 300 to B with tag and memo", async () => {
  const height = await node.height();
  const params = await node.transfer(a, {
    to: b.address,
    amount: "300",
    tags: "rent",
    memo: "May",
  });
  const answer = await node.post("/transfer", params);
  const id = transactionIdOf(answer);
  assert.deepEqual(parsed(answer), { transaction_id: id });
  assert.equal(answer.headers.get("transaction-id"), id);
  assert.deepEqual(await node.balances(a, "0"), ["700"]);
  assert.deepEqual(await node.balances(b, "0"), ["300"]);

  const parameters = [a.address, b.address, "300", "0", params.signature, "0", "rent", "May"];
  const { db_id, ...transaction } = await node.transaction(id);
  assert.match(db_id, /^[0-9a-f]{64}$/);
  assert.deepEqual(transaction, {
    id,
    db_sn: String(height + 1),
    timestamp: node.now,
    type: "transfer",
    address: a.address,
    token: 0,
    parameters,
    values: {
      balance: [{ token: "0", balance: "700", unlockdate: 0 }],
      moved: [{ amount: "-300", token: "0" }],
    },
    validationCode: "0",
    effects: [
      {
        type: "receive",
        address: b.address,
        token: 0,
        parameters,
        values: {
          balance: [{ token: "0", balance: "300", unlockdate: 0 }],
          moved: [{ amount: "300", token: "0" }],
        },
      },
    ],
  });
});

test("accounts §10 row 5: wrong signature and too much: 2010", async () => {
  const params = await node.transfer(a, { to: b.address, amount: "1001" }, { by: b });
  assert.match(said(await node.post("/transfer", params)), /^401 2010/);
});

test("accounts §10 row 10: a form to /transfer/, a key of kind transfer, SHA-384 with P-384, DER in base64", async () => {
  const from = await node.holder({ coins: 5n, curve: "secp384r1" });
  const params = await node.transfer(
    from,
    { to: b.address, amount: "5", checkkey: await node.key(from, "transfer") },
    { digest: "sha384" },
  );
  assert.equal(said(await node.post("/transfer/", params)), "200");
});

test("accounts §10 row 11: signed over the fields in another order: 2010", async () => {
  const params = await node.transfer(a, { to: b.address, amount: "1" });
  const signature = signatureOf(`${a.address}|${b.address}|1|0|${params.checkkey}`, a);
  assert.match(said(await node.post("/transfer", { ...params, signature })), /^401 2010/);
});

for (const signature of ["abc!", "abc", "=", "AAAA", "MEQ=", "é", "A".repeat(10_000)]) {
  test(`accounts §10 row 11: signature ${signature.slice(0, 8)}: 2230`, async () => {
    const params = await node.transfer(a, { to: b.address, amount: "1" });
    assert.equal(
      said(await node.post("/transfer", { ...params, signature })),
      "401 2230 signature",
    );
    assert.equal(said(await node.post("/transfer", params)), "200");
  });
}
