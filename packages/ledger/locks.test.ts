import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type Address, type Amount, explain, NATIVE_COIN } from "@moneta/protocol";
import { assertLocksSummedUp, assertReplaysAlike, T, TestLedger } from "./testing/test-ledger.ts";

const DAY = 86_400;

/** A ledger with an address that is to get locked amounts, and one to pay. */
async function start(): Promise<{
  readonly ledger: TestLedger;
  readonly treasury: Address;
  readonly a: Address;
  readonly b: Address;
}> {
  const ledger = await TestLedger.begin({ supply: "100000000" });
  const [a, b] = (await ledger.createAddresses(2)) as [Address, Address];
  return { ledger, treasury: ledger.treasury, a, b };
}

/** Pays amounts in one block, by seconds behind T, 0 being at once. */
async function pay(
  { ledger, treasury, a }: Awaited<ReturnType<typeof start>>,
  amounts: readonly (readonly [amount: number, seconds: number])[],
): Promise<void> {
  const list = amounts.map(([amount, seconds]) => ({
    address: a,
    amount: String(amount),
    unlockdate: seconds === 0 ? "0" : String(T + seconds),
  }));
  const operations: string[] = [];
  for (let first = 0; first < list.length; first += 100) {
    const some = list.slice(first, first + 100);
    operations.push(ledger.multitransfer({ from: treasury, list: some }));
  }
  await ledger.done(...operations);
}

/** Locked amounts of 1, by so many dates from a number of seconds behind T on. */
function ones(count: number, from: number): readonly (readonly [number, number])[] {
  return Array.from({ length: count }, (_, index) => [1, from + index]);
}

/** What `by` has in the tables: the free entry as it is stored, and the number of lock entries. */
function stored(ledger: TestLedger, by: Address): string {
  const row = ledger.database
    .prepare(
      "SELECT free, locks FROM balance JOIN address ON number = balance.address WHERE address.address = ? AND token = 0",
    )
    .get(by);
  return row === undefined ? "none" : `${row["free"]} free, ${row["locks"]} locked`;
}

// biome-ignore format: a line for each case
for (const { paid, at = 0, sent = [], held, stores } of [
  { paid: "100@0 50@100 30@200", at: 99, sent: ["101 5001"], held: "100, 50 at +100, 30 at +200" },
  { paid: "100@0 50@100 30@200", at: 99, sent: ["100 done"], held: "0, 50 at +100, 30 at +200" },
  { paid: "100@0 50@100 30@200", at: 100, sent: ["101 done"], held: "49, 30 at +200", stores: "49 free, 1 locked" },
  { paid: "100@0 50@100 30@200", at: 100, held: "150, 30 at +200", stores: "100 free, 2 locked" },
  { paid: "50@100 20@100", held: "0, 70 at +100" },
  { paid: "50@100 20@101", held: "0, 50 at +100, 20 at +101" },
  { paid: "50@100 20@99", held: "0, 20 at +99, 50 at +100" },
  { paid: "5@0 20@0", held: "25", stores: "25 free, 0 locked" },
  { paid: "5@0 20@-1", held: "25", stores: "25 free, 0 locked" },
  { paid: "30@200", at: 100, sent: ["1 5001"], held: "0, 30 at +200" },
  { paid: "10@0", sent: ["10 done"], held: "0", stores: "none" },
] as readonly {
  paid: string;
  at?: number;
  sent?: readonly string[];
  held: string;
  stores?: string;
}[]) {
  test(`accounts §8: ${paid}, at T+${at} ${sent.join() || "nothing"} sent: ${held}`, async () => {
    const started = await start();
    const { ledger, a, b } = started;
    using _ = ledger;
    for (const one of paid.split(" ")) {
      const [amount, seconds] = one.split("@").map(Number) as [number, number];
      await pay(started, [[amount, seconds]]);
    }
    ledger.now = T + at;
    for (const one of sent) {
      const [amount = "", answer] = one.split(" ");
      const outcomes = await ledger.outcomes(ledger.transfer({ from: a, to: b, amount }));
      assert.deepEqual(outcomes, [answer]);
    }
    assert.equal(ledger.held(a), held);
    assert.equal(stored(ledger, a), stores ?? stored(ledger, a));
  });
}

test("accounts §8 row 8: 10,000 matured amounts of 1: a debit merges 100, then as many as it needs up to 2,000", async () => {
  const started = await start();
  const { ledger, a, b } = started;
  using _ = ledger;
  await pay(started, ones(10_000, 100));
  ledger.now = T + DAY;
  assert.equal(ledger.held(a), "10000");

  await ledger.done(ledger.transfer({ from: a, to: b, amount: "5" }));
  assert.equal(stored(ledger, a), "95 free, 9900 locked");
  assert.equal(ledger.held(a), "9995");

  const { outcomes } = await ledger.execute(ledger.transfer({ from: a, to: b, amount: "2096" }));
  const [outcome] = outcomes;
  assert(outcome?.kind === "refused");
  assert.deepEqual(outcome.fault, {
    code: "5001",
    token: "0",
    needed: 2096n,
    spendable: 2095n,
    isMoreMatured: true,
  });
  assert.match(
    explain(outcome.fault).detail,
    /can spend only 2095 at once: more has been unlocked/,
  );
  assert.equal(stored(ledger, a), "95 free, 9900 locked");

  await ledger.done(ledger.transfer({ from: a, to: b, amount: "2095" }));
  assert.equal(stored(ledger, a), "0 free, 7900 locked");
  assert.equal(ledger.held(a), "7900");
  assertLocksSummedUp(ledger.database);
});

test("accounts §8.3: each of 100 credits of a multitransfer merges 10", async () => {
  const started = await start();
  const { ledger, treasury } = started;
  using _ = ledger;
  const payees = await ledger.createAddresses(100);
  // The last of them is paid a date each that is yet to come.
  for (let date = 1; date <= 15; date += 1) {
    const list = payees.map((address) => ({ address, amount: "1", unlockdate: String(T + date) }));
    await ledger.done(ledger.multitransfer({ from: treasury, list }));
  }
  ledger.now = T + 12;
  const list = payees.map((address) => ({ address, amount: "1" }));
  await ledger.done(ledger.multitransfer({ from: treasury, list }));
  for (const payee of payees) {
    assert.equal(stored(ledger, payee), "11 free, 5 locked");
    assert.match(ledger.held(payee), /^13, 1 at \+13, /);
  }
  assertLocksSummedUp(ledger.database);
  assertReplaysAlike(ledger);
});

test("accounts §8 row 10: with 10,000 dates ahead a new date is 7118, an old one and no date are added", async () => {
  const started = await start();
  const { ledger, treasury, a } = started;
  using _ = ledger;
  await pay(started, ones(10_000, DAY));
  const to = (seconds: number, amount = "1") =>
    ledger.transfer({
      ...{ from: treasury, to: a, amount },
      unlockdate: seconds === 0 ? "0" : String(T + seconds),
    });
  assert.equal(await ledger.refusal(to(DAY + 10_000)), "7118 unlockdate");
  assert.equal(await ledger.refusal(to(1)), "7118 unlockdate");
  await ledger.done(to(DAY, "7"), to(DAY + 9_999, "8"), to(0, "9"));
  assert.equal(stored(ledger, a), "9 free, 10000 locked");
  assert.match(ledger.held(a), /^9, 8 at \+86400, 1 at \+86401, /);

  // The first has matured, and what a credit merges makes room for it.
  ledger.now = T + DAY;
  await ledger.done(to(DAY + 10_000));
  assert.equal(stored(ledger, a), "17 free, 10000 locked");
  assert.equal(await ledger.refusal(to(DAY + 10_001)), "7118 unlockdate");
  assertLocksSummedUp(ledger.database);
});

test("accounts §10 check 4, §11 check 5: 7118 precedes 5001, names the entry, and changes nothing", async () => {
  const started = await start();
  const { ledger, treasury, a, b } = started;
  using _ = ledger;
  await pay(started, ones(9_999, DAY));
  const { head } = ledger.ledger;
  const entry = (seconds: number, address = a, amount = "1") => ({
    ...{ address, amount, memo: "m" },
    unlockdate: seconds === 0 ? "0" : String(T + seconds),
  });
  const send = (from: Address, ...list: ReturnType<typeof entry>[]) =>
    ledger.multitransfer({ from, list });
  // The first new date still fits, the same again too, the second does not.
  const tooMany = [entry(0), entry(1), entry(1), entry(DAY), entry(2, b), entry(2)];
  for (const from of [treasury, b]) {
    const others = tooMany.map((one) => (one.address === from ? entry(2, treasury) : one));
    assert.equal(await ledger.refusal(send(from, ...others)), "7118 transferlist[5].unlockdate");
  }
  assert.equal(ledger.ledger.head, head);
  assert.equal(stored(ledger, a), "0 free, 9999 locked");
  // An entry of amount 0 makes none.
  await ledger.done(send(treasury, entry(1), entry(2, a, "0"), entry(DAY)));
  assert.equal(stored(ledger, a), "0 free, 10000 locked");
  await ledger.done(send(treasury, entry(2, a, "0"), entry(0)));
  assert.equal(
    await ledger.refusal(
      ledger.transfer({ from: b, to: a, amount: `1${"0".repeat(40)}`, unlockdate: String(T + 3) }),
    ),
    "7118 unlockdate",
  );
});

test("accounts §8.2: each credit of a list finds the room that those before it have made", async () => {
  const started = await start();
  const { ledger, treasury, a } = started;
  using _ = ledger;
  await pay(started, [...ones(12, 1), ...ones(9_988, DAY)]);
  ledger.now = T + 100;
  // 12 have matured: the first credit merges 10 of them, the second the other 2, and 12 new dates
  // fit.
  const dates = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ address: a, amount: "1", unlockdate: String(T + 200 + index) },
    }));
  assert.equal(
    await ledger.refusal(ledger.multitransfer({ from: treasury, list: dates(13) })),
    "7118 transferlist[12].unlockdate",
  );
  await ledger.done(ledger.multitransfer({ from: treasury, list: dates(12) }));
  assert.equal(stored(ledger, a), "12 free, 10000 locked");
  assertLocksSummedUp(ledger.database);
});

test("accounts §8.3: what several operations of a block merge is merged once, and what is refused merges nothing", async () => {
  const started = await start();
  const { ledger, treasury, a, b } = started;
  using _ = ledger;
  await pay(started, [...ones(250, 1), ...ones(5, 1000)]);
  ledger.now = T + 500;
  const send = (amount: string) => ledger.transfer({ from: a, to: b, amount });
  const get = (seconds: number) =>
    ledger.transfer({ from: treasury, to: a, amount: "1", unlockdate: String(T + seconds) });
  // 100 merged, none, 10 merged and a new date, 100 merged, the 40 that are left.
  assert.deepEqual(
    await ledger.outcomes(
      send("1"),
      send("251"),
      get(900),
      send("2"),
      get(900),
      send("3"),
      send("4"),
    ),
    ["done", "5001", "done", "done", "done", "done", "done"],
  );
  assert.equal(stored(ledger, a), "240 free, 6 locked");
  assert.equal(
    ledger.held(a),
    "240, 2 at +900, 1 at +1000, 1 at +1001, 1 at +1002, 1 at +1003, 1 at +1004",
  );
  assertLocksSummedUp(ledger.database);
  assertReplaysAlike(ledger);
});

test("proofs §2.6: the example", async () => {
  const chapter = new URL("../../docs/specification/proofs.md", import.meta.url);
  const section = readFileSync(chapter, "utf8").split(/^## /m)[2] ?? "";
  const [, example = ""] = /```example\n([^`]*)```/.exec(section) ?? [];
  const [, locked] = example.match(/now\+(\d+)/) ?? [];
  const started = await start();
  const { ledger, a } = started;
  using _ = ledger;
  await pay(started, [
    [100, 0],
    [20, Number(locked)],
  ]);
  const shown = (key: string): string =>
    key.replace("alice", a).replace(/now\+(\d+)/, (_, seconds) => String(T + Number(seconds)));
  const lines = [...example.matchAll(/^ *(\S+) = (.*)$/gm)];
  assert.equal(lines.length, 2);
  for (const [, key = "", value] of lines) {
    assert.equal(ledger.ledger.state.entryText(shown(key)), value);
  }
});

test("chain §5: the changes of a merge have each lock that is gone, and no other", async () => {
  const started = await start();
  const { ledger, a } = started;
  using _ = ledger;
  await pay(started, ones(12, 1));
  ledger.now = T + 12;
  const { state } = ledger.ledger;
  state.beginBlock({ height: 9, time: ledger.now });
  state.balances.credit(a, NATIVE_COIN, 1n as Amount);
  state.acceptOperation();
  const changes = JSON.parse(state.changesText() ?? "");
  assert.deepEqual(changes, {
    [`balance/${a}/0`]: { free: "11", locked: "2", locks: 2 },
    ...Object.fromEntries(ones(10, 1).map(([, date]) => [`lock/${a}/0/${T + date}`, null])),
  });
  state.undoBlock();
});
