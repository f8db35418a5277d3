import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import { T, TestLedger } from "../testing/test-ledger.ts";
import type { TotalView } from "./totals.ts";

function totals(ledger: TestLedger, ...span: Parameters<TotalView["list"]>): unknown {
  return ledger.reader.totals.list(...span).map((text) => JSON.parse(text) as unknown);
}

const GENESIS = { "Chaincode Install or Update": 1, NewWallet: 1, tokenRegister: 1 };

test("minutes and hours have as many transactions of each type as were stored in them", async () => {
  using ledger = await TestLedger.begin();
  const { treasury } = ledger;
  const pay = (to: Address): string => ledger.transfer({ from: treasury, to, amount: "1" });
  const [b] = (await ledger.createAddresses(1)) as [Address];
  ledger.now = T + 59;
  await ledger.done(pay(b), pay(b));
  ledger.now = T + 60;
  await ledger.done(pay(b), ledger.addressOperation(ledger.drawAddress()), pay(b));
  ledger.now = T + 3599;
  await ledger.done(pay(b));
  ledger.now = T + 3600;
  await ledger.done(pay(b));

  const expected = {
    minute: [
      { time: T, count: 6, types: { ...GENESIS, NewWallet: 2, transfer: 2 } },
      { time: T + 60, count: 3, types: { NewWallet: 1, transfer: 2 } },
      { time: T + 3540, count: 1, types: { transfer: 1 } },
      { time: T + 3600, count: 1, types: { transfer: 1 } },
    ],
    hour: [
      { time: T, count: 10, types: { ...GENESIS, NewWallet: 3, transfer: 5 } },
      { time: T + 3600, count: 1, types: { transfer: 1 } },
    ],
  };
  assert.deepEqual(totals(ledger, "minute", 0, T + 7200), expected.minute);
  assert.deepEqual(totals(ledger, "hour", 0, T + 7200), expected.hour);
  assert.deepEqual(totals(ledger, "minute", T + 1, T + 3540), expected.minute.slice(1, 3));
  assert.deepEqual(totals(ledger, "minute", T + 61, T + 3539), []);

  ledger.rebuild();
  assert.deepEqual(totals(ledger, "minute", 0, T + 7200), expected.minute);
  assert.deepEqual(totals(ledger, "hour", 0, T + 7200), expected.hour);
});

test("a day is an hour and the 23 before it, with the addresses that made its operations, each once", async () => {
  using ledger = await TestLedger.begin();
  const { treasury } = ledger;
  const [a, b] = (await ledger.createAddresses(2)) as [Address, Address];
  const pay = (from: Address, to: Address): string => ledger.transfer({ from, to, amount: "1" });
  const day = (until: number): unknown => JSON.parse(ledger.reader.totals.day(until) || "null");
  ledger.now = T + 3600;
  await ledger.done(pay(treasury, a), pay(treasury, b), pay(a, b));
  const hours = 23 * 3600;
  ledger.now = T + 3600 + hours;
  await ledger.done(pay(b, treasury), pay(treasury, b));
  await ledger.done(pay(b, treasury));
  const types = { transfer: 6 };
  const expected = { time: T + 3600, count: 6, types, addresses: 3 };
  assert.deepEqual(day(ledger.now + 3599), expected);
  assert.deepEqual(day(ledger.now + 3600), {
    ...{ time: T + 7200, count: 3, types: { transfer: 3 }, addresses: 2 },
  });
  assert.equal(day(ledger.now + 24 * 3600), null);
  ledger.rebuild();
  assert.deepEqual(day(ledger.now + 3599), expected);
});

test("what is refused is not counted, nor what a block held that could not be stored", async () => {
  using ledger = await TestLedger.begin();
  const { treasury } = ledger;
  const [b] = (await ledger.createAddresses(1)) as [Address];
  const pay = (amount: string): string => ledger.transfer({ from: treasury, to: b, amount });
  const before = totals(ledger, "minute", 0, T);
  await ledger.refusal(pay("1001"));
  ledger.database.exec(
    "CREATE TEMP TRIGGER full BEFORE INSERT ON main.block BEGIN SELECT raise(ABORT, 'full'); END",
  );
  await assert.rejects(ledger.execute(pay("1")), /full/);
  ledger.database.exec("DROP TRIGGER full");
  assert.deepEqual(totals(ledger, "minute", 0, T), before);
  await ledger.done(pay("1"));
  assert.deepEqual(totals(ledger, "hour", 0, T), [
    { time: T, count: 5, types: { ...GENESIS, NewWallet: 2, transfer: 1 } },
  ]);
});
