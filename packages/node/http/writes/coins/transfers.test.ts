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

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";
const MAX = 10n ** 40n;

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

type Change = Readonly<Record<string, string>>;

/** The answer to a transfer of 1 coin from A to B, with some parameters changed. */
async function transferring(change: Change = {}): Promise<string> {
  const params = await node.transfer(a, { to: b.address, amount: "1", ...change });
  return said(await node.post("/transfer", params));
}

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

for (const { amount, answer } of [
  ...["0", "01", "+1", "-1", "1.0", "1e3", " 1", "1 ", "0x1", "", String(MAX + 1n)].map(
    (amount) => ({ amount, answer: amount === "" ? "400 1000 amount" : "400 1101 amount" }),
  ),
  { amount: String(MAX), answer: "400 5001" },
]) {
  test(`accounts §10 row 3: amount ${JSON.stringify(amount)}: ${answer}`, async () => {
    assert.equal(await transferring({ amount }), answer);
    const json = await node.transfer(a, { to: b.address, amount });
    assert.equal(said(await node.postJson("/transfer", json)), answer);
  });
}

for (const { what, change, answer } of [
  { what: "a malformed to", change: { to: "MTBob" }, answer: "400 3190 to" },
  { what: "an unknown to", change: { to: UNKNOWN }, answer: "404 3090 to" },
  { what: "token 99", change: { token: "99" }, answer: "404 4001 token" },
  { what: "token x", change: { token: "x" }, answer: "400 1101 token" },
  { what: "a token above 10^40", change: { token: String(MAX + 1n) }, answer: "400 1101 token" },
  { what: "a huge token", change: { token: String(MAX) }, answer: "404 4001 token" },
  { what: "a token of 2^53 + 7", change: { token: "9007199254740999" }, answer: "404 4001 token" },
]) {
  test(`accounts §10 row 4: ${what}: ${answer}`, async () =>
    assert.equal(await transferring(change), answer));
}

test("accounts §10 row 4: to itself: 3201", async () => {
  const params = await node.transfer(a, { to: a.address, amount: "1" });
  assert.match(said(await node.post("/transfer", params)), /^400 3201/);
});

test("accounts §10 row 5: unknown from and unknown to: 3090 for from", async () => {
  const params = await node.transfer(a, { to: UNKNOWN, amount: "1" });
  const from = "MTBob0000000000000000000000000005f59bcba";
  assert.equal(said(await node.post("/transfer", { ...params, from })), "404 3090 from");
});

test("accounts §10 row 5: unknown to and wrong signature: 3090", async () => {
  const params = await node.transfer(a, { to: UNKNOWN, amount: "1" }, { by: b });
  assert.equal(said(await node.post("/transfer", params)), "404 3090 to");
});

test("accounts §10 row 5: wrong signature and too much: 2010", async () => {
  const params = await node.transfer(a, { to: b.address, amount: "1001" }, { by: b });
  assert.match(said(await node.post("/transfer", params)), /^401 2010/);
});

for (const unlockdate of ["2147483648", "x", "-1", "01", "1.5"]) {
  test(`accounts §10 row 7: unlock date ${unlockdate}: 1102`, async () =>
    assert.equal(await transferring({ unlockdate }), "400 1102 unlockdate"));
}

test("accounts §10 row 8: a full signature over the cut texts does not fit the whole ones", async () => {
  const cut = await node.fullTransfer(a, { to: b.address, amount: "1", tags: "t".repeat(64) });
  const answer = await node.post("/transfer", { ...cut, tags: "t".repeat(65) });
  assert.match(said(answer), /^401 2010/);
});

test("accounts §10 row 9: numbers in a JSON body mean their decimal text", async () => {
  const params = await node.transfer(a, { to: b.address, amount: "300" });
  const answer = await node.postJson("/transfer", { ...params, token: 0, amount: 300 });
  const { parameters } = await node.transaction(transactionIdOf(answer));
  assert.deepEqual(parameters.slice(2, 4), ["300", "0"]);
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

test("accounts §10 row 11: signed by B: 2010", async () => {
  const params = await node.transfer(a, { to: b.address, amount: "1" }, { by: b });
  assert.match(said(await node.post("/transfer", params)), /^401 2010/);
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

test("accounts §10 row 12: of two requests of 600 at the same time one is accepted", async () => {
  const two = [
    await node.transfer(a, { to: b.address, amount: "600" }),
    await node.transfer(a, { to: b.address, amount: "600" }),
  ];
  const answers = await Promise.all(two.map((params) => node.post("/transfer", params)));
  assert.deepEqual(answers.map(said).sort(), ["200", "400 5001"]);
  assert.deepEqual(await node.balances(a, "0"), ["400"]);
});

test("accounts §10 checks: the order in which parameters are refused", async () => {
  let params: Record<string, string> = {};
  const answered = async (change: Change): Promise<string> => {
    params = { ...params, ...change };
    return said(await node.post("/transfer", params));
  };
  assert.equal(await answered({ tags: "\u0000", unlockdate: "x" }), "400 1000 from");
  assert.equal(await answered({ from: "x" }), "400 1000 to");
  assert.equal(await answered({ to: "x" }), "400 1000 token");
  assert.equal(await answered({ token: "x" }), "400 1000 amount");
  assert.equal(await answered({ amount: "x" }), "400 1000 checkkey");
  assert.equal(await answered({ checkkey: "x" }), "400 1000 signature");
  assert.equal(await answered({ signature: "x" }), "400 3190 from");
  assert.equal(await answered({ from: a.address }), "400 3190 to");
  assert.equal(await answered({ to: UNKNOWN }), "400 1101 token");
  assert.equal(await answered({ token: "99" }), "400 1101 amount");
  assert.equal(await answered({ amount: "1001" }), "400 1006 tags");
  assert.equal(await answered({ tags: "" }), "400 1102 unlockdate");
  assert.equal(await answered({ unlockdate: "" }), "404 3090 to");
  assert.equal(await answered({ to: b.address }), "404 4001 token");
  assert.equal(await answered({ token: "0" }), "401 2020 checkkey");
  assert.equal(await answered({ checkkey: await node.key(a) }), "401 2230 signature");
  const { signature } = await node.transfer(a, { to: b.address, amount: "1001" }, { by: b });
  assert.match(await answered({ signature }), /^401 2010/);
  const right = await node.transfer(a, {
    to: b.address,
    amount: "1001",
    checkkey: params["checkkey"] as string,
  });
  assert.equal(await answered({ signature: right.signature }), "400 5001");
});

test("accounts §10: names in brackets are accepted, and two different values of one are 1005", async () => {
  const { checkkey, ...params } = await node.transfer(a, { to: b.address, amount: "1" });
  const both = { ...params, checkkey, tkey: `${checkkey}x` };
  assert.equal(said(await node.post("/transfer", both)), "400 1005 checkkey");
  const answer = await node.post("/transfer", { ...params, tkey: checkkey, tag: "hello" });
  const { parameters } = await node.transaction(transactionIdOf(answer));
  assert.equal(parameters[6], "hello");
});
