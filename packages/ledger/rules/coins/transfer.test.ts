import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import { T, TestLedger } from "../../testing/test-ledger.ts";

/**
 * A ledger at the start of each case of accounts §10: A has 1000 of token 0, of token 7 100 free
 * and 50 at T+100.
 */
async function start(): Promise<{
  readonly ledger: TestLedger;
  readonly a: Address;
  readonly b: Address;
  readonly c: Address;
}> {
  const ledger = await TestLedger.begin({ supply: "1000" });
  const [b, c] = (await ledger.createAddresses(2)) as [Address, Address];
  const a = ledger.treasury;
  ledger.give(a, "7", [{ amount: "100" }, { amount: "50", unlockDate: T + 100 }]);
  return { ledger, a, b, c };
}

test("accounts §10 row 1: 300 of 0 to B, with tags and memo", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const [id] = await ledger.done(
    ledger.transfer({
      from: a,
      to: b,
      amount: "300",
      tags: "rent",
      memo: "May",
      signature: "c2ln",
    }),
  );
  const parameters = [a, b, "300", "0", "c2ln", "0", "rent", "May"];
  assert.deepEqual(ledger.record(id as string), {
    type: "transfer",
    address: a,
    token: 0,
    parameters,
    values: {
      balance: [{ token: "0", balance: "700", unlockdate: 0 }],
      moved: [{ amount: "-300", token: "0" }],
    },
    effects: [
      {
        type: "receive",
        address: b,
        token: 0,
        parameters,
        values: {
          balance: [{ token: "0", balance: "300", unlockdate: 0 }],
          moved: [{ amount: "300", token: "0" }],
        },
      },
    ],
  });
  assert.equal(ledger.held(a), "700");
  assert.equal(ledger.held(b), "300");
});

for (const { token, amount } of [
  { token: "0", amount: "1001" },
  { token: "7", amount: "101" },
  { token: "0", amount: `1${"0".repeat(40)}` },
]) {
  test(`accounts §10 row 3: ${amount} of ${token}: 5001, nothing changed`, async () => {
    const { ledger, a, b } = await start();
    using _ = ledger;
    const head = ledger.ledger.head;
    assert.equal(await ledger.refusal(ledger.transfer({ from: a, to: b, amount, token })), "5001");
    assert.equal(ledger.held(a, "7"), "100, 50 at +100");
    assert.equal(ledger.held(a), "1000");
    assert.equal(ledger.held(b, token), "0");
    assert.equal(ledger.ledger.head, head);
  });
}

test("accounts §10 row 4: existence is asked in the order from, to, token, before key and balance", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const unknown = ledger.drawAddress();
  const key = "abc";
  const amount = "5000";
  for (const { sent, answer } of [
    { sent: { from: unknown, to: ledger.drawAddress(), token: "99" }, answer: "3090 from" },
    { sent: { from: a, to: unknown, token: "99" }, answer: "3090 to" },
    { sent: { from: a, to: b, token: "99" }, answer: "4001 token" },
    { sent: { from: a, to: b, token: `1${"0".repeat(40)}` }, answer: "4001 token" },
    { sent: { from: a, to: b, token: "0" }, answer: "2020 checkkey" },
  ]) {
    assert.equal(await ledger.refusal(ledger.transfer({ ...sent, amount, key })), answer);
  }
  assert.equal(await ledger.refusal(ledger.transfer({ from: a, to: b, amount })), "5001");
});

test("accounts §10 row 6: what is locked until T+100 can be sent at T+100 and not at T+99", async () => {
  const { ledger, a, b, c } = await start();
  using _ = ledger;
  await ledger.done(
    ledger.transfer({ from: a, to: b, amount: "300", unlockdate: String(T + 100) }),
  );
  assert.equal(ledger.held(b), "0, 300 at +100");
  ledger.now = T + 99;
  assert.equal(await ledger.refusal(ledger.transfer({ from: b, to: c, amount: "1" })), "5001");
  ledger.now = T + 100;
  await ledger.done(ledger.transfer({ from: b, to: c, amount: "1" }));
  assert.equal(ledger.held(b), "299");
});

for (const { unlockdate, held } of [
  { unlockdate: T, held: "300" },
  { unlockdate: 0, held: "300" },
  { unlockdate: T + 1, held: "0, 300 at +1" },
  { unlockdate: 2147483647, held: `0, 300 at +${2147483647 - T}` },
]) {
  test(`accounts §10 row 7: unlock date ${unlockdate}: B has ${held}`, async () => {
    const { ledger, a, b } = await start();
    using _ = ledger;
    await ledger.done(
      ledger.transfer({ from: a, to: b, amount: "300", unlockdate: String(unlockdate) }),
    );
    assert.equal(ledger.held(b), held);
  });
}

for (const signed of [undefined, "full"] as const) {
  test(`accounts §10 row 8: the record has tags and memo cut, ${signed ?? "short"} signature`, async () => {
    const { ledger, a, b } = await start();
    using _ = ledger;
    const texts = { tags: "é".repeat(65), memo: "𝄞".repeat(2049) };
    const [id] = await ledger.done(
      ledger.transfer({ from: a, to: b, amount: "1", ...texts, ...(signed ? { signed } : {}) }),
    );
    const { parameters } = ledger.record(id as string);
    assert.deepEqual(parameters.slice(6), ["é".repeat(64), "𝄞".repeat(2048)]);
  });
}

test("accounts §10: two requests of 600 in one batch: one accepted, one 5001", async () => {
  const { ledger, a, b, c } = await start();
  using _ = ledger;
  assert.deepEqual(
    await ledger.outcomes(
      ledger.transfer({ from: a, to: b, amount: "600" }),
      ledger.transfer({ from: a, to: c, amount: "600" }),
    ),
    ["done", "5001"],
  );
  assert.deepEqual([ledger.held(a), ledger.held(b), ledger.held(c)], ["400", "600", "0"]);
});
