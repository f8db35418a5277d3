import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import { T, TestLedger } from "../../testing/test-ledger.ts";

/** A ledger at the start of each case of accounts §11: A has 1000 of token 0. */
async function start(): Promise<{
  readonly ledger: TestLedger;
  readonly a: Address;
  readonly b: Address;
  readonly c: Address;
}> {
  const ledger = await TestLedger.begin({ supply: "1000" });
  const [b, c] = (await ledger.createAddresses(2)) as [Address, Address];
  return { ledger, a: ledger.treasury, b, c };
}

const free = (balance: string): object => ({ token: "0", balance, unlockdate: 0 });
const moved = (amount: string): object => [{ amount, token: "0" }];

test("accounts §11 row 1: B 100, C 200: two receive", async () => {
  const { ledger, a, b, c } = await start();
  using _ = ledger;
  const key = ledger.key(a);
  const list = `[ {"address":"${b}","amount":"100","unlockdate":"0","tag":"rent"},\n{"address":"${c}","amount":200,"unlockdate":0,"memo":"caf\\u00e9"} ]`;
  const [id] = await ledger.done(ledger.multitransfer({ from: a, list, key, signature: "c2ln" }));
  assert.deepEqual(ledger.record(id as string), {
    type: "multi_transfer",
    address: a,
    token: 0,
    parameters: [a, list, "0", "c2ln", key],
    values: { balance: [free("700")], moved: moved("-300") },
    effects: [
      {
        type: "receive",
        address: b,
        token: 0,
        parameters: [a, b, "100", "0", "c2ln", "0", "rent", ""],
        values: { balance: [free("100")], moved: moved("100") },
      },
      {
        type: "receive",
        address: c,
        token: 0,
        parameters: [a, c, "200", "0", "c2ln", "0", "", "café"],
        values: { balance: [free("200")], moved: moved("200") },
      },
    ],
  });
  assert.deepEqual([ledger.held(a), ledger.held(b), ledger.held(c)], ["700", "100", "200"]);
});

test("accounts §11 row 2: B 100, B 200 at T+100, B 50: three receive, each with the final balance", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const [id] = await ledger.done(
    ledger.multitransfer({
      from: a,
      list: [
        { address: b, amount: "100" },
        { address: b, amount: "200", unlockdate: String(T + 100) },
        { address: b, amount: "50" },
      ],
    }),
  );
  assert.equal(ledger.held(b), "150, 200 at +100");
  const locked = { token: "0", balance: "200", unlockdate: T + 100 };
  const final = (amount: string): object => ({ balance: [free("150")], moved: moved(amount) });
  const ofLock = { balance: [free("150"), locked], moved: moved("200") };
  const { effects } = ledger.record(id as string);
  assert.deepEqual(
    effects.map(({ type, address, parameters, values }) => ({
      type,
      address,
      amount: parameters[2],
      unlockdate: parameters[5],
      values,
    })),
    [
      { type: "receive", address: b, amount: "100", unlockdate: "0", values: final("100") },
      { type: "receive", address: b, amount: "200", unlockdate: String(T + 100), values: ofLock },
      { type: "receive", address: b, amount: "50", unlockdate: "0", values: final("50") },
    ],
  );
});

test("accounts §11: 600 and 401 of 1000: 5001, none paid; 600 and 400: A has 0", async () => {
  const { ledger, a, b, c } = await start();
  using _ = ledger;
  const paying = (second: string): string =>
    ledger.multitransfer({
      from: a,
      list: [
        { address: b, amount: "600" },
        { address: c, amount: second },
      ],
    });
  assert.equal(await ledger.refusal(paying("401")), "5001");
  assert.deepEqual([ledger.held(a), ledger.held(b), ledger.held(c)], ["1000", "0", "0"]);
  const [id] = await ledger.done(paying("400"));
  assert.deepEqual([ledger.held(a), ledger.held(b), ledger.held(c)], ["0", "600", "400"]);
  assert.deepEqual(ledger.record(id as string).values, {
    balance: [free("0")],
    moved: moved("-1000"),
  });
});

test("a sum beyond 10^40 is insufficient like any other", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const list = Array(3).fill({ address: b, amount: `1${"0".repeat(40)}` });
  assert.equal(await ledger.refusal(ledger.multitransfer({ from: a, list })), "5001");
});

test("accounts §11 row 5: amount 0 with a memo leaves a record and moves nothing, also from who has nothing", async () => {
  const { ledger, a, b, c } = await start();
  using _ = ledger;
  for (const { from, to, values } of [
    { from: a, to: b, values: { balance: [free("1000")] } },
    { from: c, to: b, values: { balance: [free("0")] } },
  ]) {
    const [id] = await ledger.done(
      ledger.multitransfer({ from, list: [{ address: to, amount: "0", memo: "hi" }] }),
    );
    const record = ledger.record(id as string);
    assert.deepEqual(record.values, values);
    assert.deepEqual(record.effects, [
      {
        type: "receive",
        address: to,
        token: 0,
        parameters: [from, to, "0", "0", "MEQ=", "0", "", "hi"],
        values: { balance: [free("0")] },
      },
    ]);
  }
  assert.deepEqual([ledger.held(a), ledger.held(b), ledger.held(c)], ["1000", "0", "0"]);
});

test("accounts §11 row 5: amount 0 with an unlock date locks nothing", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const entry = { address: b, amount: "0", memo: "hi", unlockdate: String(T + 100) };
  await ledger.done(ledger.multitransfer({ from: a, list: [entry] }));
  assert.equal(ledger.held(b), "0");
});

test("accounts §11, check 3: from, then the addresses in order, then token, then key, then balance", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const unknown = ledger.drawAddress();
  const other = ledger.drawAddress();
  const amount = "5000";
  for (const { from, to, token, key, answer } of [
    { from: unknown, to: [other], token: "99", key: "abc", answer: "3090 from" },
    {
      from: a,
      to: [b, other, unknown],
      token: "99",
      key: "abc",
      answer: "3090 transferlist[1].address",
    },
    { from: a, to: [b], token: "99", key: "abc", answer: "4001 token" },
    { from: a, to: [b], token: "0", key: "abc", answer: "2020 checkkey" },
    { from: a, to: [b], token: "0", key: ledger.key(a), answer: "5001" },
  ]) {
    const list = to.map((address) => ({ address, amount }));
    assert.equal(await ledger.refusal(ledger.multitransfer({ from, list, token, key })), answer);
  }
});
