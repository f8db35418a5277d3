import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Address,
  type Amount,
  addressAround,
  canonicalJson,
  NATIVE_COIN,
  parseAmount,
  type TokenId,
} from "@moneta/protocol";
import { type Database, openForWriting } from "../database.ts";
import { createTables } from "../tables.ts";
import { State } from "./state.ts";

const T = 1767225600;
const ALICE = addressAround("Alice0000000000000000000000000");
const BOB = addressAround("Bob000000000000000000000000000");
const GOLD = "7" as TokenId;

function amount(value: number): Amount {
  return parseAmount(String(value)) as Amount;
}

/** A state in which Alice has 100, and a database that has it stored. */
function start(): { readonly database: Database; readonly state: State } {
  const database = openForWriting(":memory:");
  createTables(database);
  const state = new State(database);
  state.beginBlock({ height: 1, time: T });
  putAddress(state, ALICE);
  state.credit(ALICE, NATIVE_COIN, amount(100));
  state.acceptOperation();
  store(state);
  return { database, state };
}

function putAddress(state: State, address: Address): void {
  state.putAddress({ address, publicKey: "key", addinfo: "", createDate: T, signed: "" });
}

function store(state: State): void {
  state.save();
  state.acceptBlock();
}

test("chain §4.6: changes have every entry that is different after the block, by its key", () => {
  const { state } = start();
  state.beginBlock({ height: 1, time: T });
  state.beginOperation(5);
  putAddress(state, BOB);
  state.debit(ALICE, NATIVE_COIN, amount(30));
  state.credit(BOB, NATIVE_COIN, amount(10));
  state.credit(BOB, NATIVE_COIN, amount(20), T + 100);
  state.acceptOperation();
  assert.equal(
    state.changesText(),
    canonicalJson({
      [`address/${BOB}`]: { addinfo: "", createdate: T, number: 1, publickey: "key", signed: "" },
      [`balance/${ALICE}/0`]: { free: "70" },
      [`balance/${BOB}/0`]: { free: "10" },
      [`lock/${BOB}/0/${T + 100}`]: { amount: "20" },
      "count/address": 2,
    }),
  );
  assert.equal(state.address(BOB)?.transactionNumber, 5);
});

test("chain §4.6: an entry that is gone is null", () => {
  const { state } = start();
  state.beginBlock({ height: 1, time: T });
  state.debit(ALICE, NATIVE_COIN, amount(100));
  state.acceptOperation();
  assert.equal(state.changesText(), `{"balance/${ALICE}/0":null}`);
});

test("chain §4.6: what was changed and changed back is not in the changes", () => {
  const { state } = start();
  state.beginBlock({ height: 1, time: T });
  putAddress(state, BOB);
  state.acceptOperation();
  store(state);
  state.beginBlock({ height: 1, time: T });
  for (const [from, to] of [
    [ALICE, BOB],
    [BOB, ALICE],
  ] as const) {
    state.debit(from, NATIVE_COIN, amount(100));
    state.credit(to, NATIVE_COIN, amount(100));
    state.acceptOperation();
  }
  assert.equal(state.changesText(), "{}");
  store(state);
  assert.equal(state.spendable(ALICE, NATIVE_COIN), 100n);
});

test("accounts §8.3: matured amounts become free in the state only when something is moved", () => {
  const { state } = start();
  state.beginBlock({ height: 1, time: T });
  state.credit(ALICE, NATIVE_COIN, amount(50), T + 100);
  state.acceptOperation();
  store(state);
  state.beginBlock({ height: 1, time: T + 100 });
  assert.equal(state.spendable(ALICE, NATIVE_COIN), 150n);
  assert.equal(state.changesText(), "{}");
  state.credit(ALICE, NATIVE_COIN, amount(0));
  state.debit(ALICE, NATIVE_COIN, amount(0));
  state.acceptOperation();
  assert.equal(state.changesText(), "{}");
  state.credit(ALICE, NATIVE_COIN, amount(1));
  state.acceptOperation();
  assert.equal(
    state.changesText(),
    `{"balance/${ALICE}/0":{"free":"151"},"lock/${ALICE}/0/${T + 100}":null}`,
  );
});

test("an operation that is undone leaves what the operations before it have changed", () => {
  const { state } = start();
  state.beginBlock({ height: 1, time: T });
  state.debit(ALICE, NATIVE_COIN, amount(10));
  state.acceptOperation();
  const before = state.changesText();
  putAddress(state, BOB);
  state.debit(ALICE, NATIVE_COIN, amount(20));
  state.credit(BOB, NATIVE_COIN, amount(20));
  assert.equal(state.spendable(ALICE, NATIVE_COIN), 70n);
  state.undoOperation();
  assert.equal(state.changesText(), before);
  assert.equal(state.address(BOB), undefined);
  assert.equal(state.count("address"), 1);
  assert.equal(state.spendable(ALICE, NATIVE_COIN), 90n);
  assert.deepEqual(state.movedBalances(BOB), {});
});

test("a block that is undone leaves nothing, in memory or in the tables", () => {
  const { database, state } = start();
  state.beginBlock({ height: 1, time: T });
  putAddress(state, BOB);
  assert.equal(state.address(BOB)?.number, 1);
  state.credit(BOB, NATIVE_COIN, amount(20));
  state.debit(ALICE, NATIVE_COIN, amount(20));
  state.acceptOperation();
  database.exec("BEGIN");
  state.save();
  database.exec("ROLLBACK");
  state.undoBlock();
  for (const seen of [state, new State(database)]) {
    assert.equal(seen.address(BOB), undefined);
    assert.equal(seen.count("address"), 1);
    assert.equal(seen.spendable(ALICE, NATIVE_COIN), 100n);
    assert.equal(seen.spendable(BOB, NATIVE_COIN), 0n);
  }
  state.beginBlock({ height: 1, time: T });
  assert.equal(state.changesText(), "{}");
});

test("what one connection has stored another one sees after it forgets", () => {
  const { database, state } = start();
  const reader = new State(database);
  assert.equal(reader.spendable(ALICE, NATIVE_COIN), 100n);
  assert.equal(reader.address(BOB), undefined);
  state.beginBlock({ height: 1, time: T });
  putAddress(state, BOB);
  state.debit(ALICE, NATIVE_COIN, amount(1));
  state.acceptOperation();
  store(state);
  reader.forget();
  assert.equal(reader.spendable(ALICE, NATIVE_COIN), 99n);
  assert.equal(reader.address(BOB)?.number, 1);
});

test("accounts §1.4: values have the tokens that were moved, in the order of their numbers", () => {
  const { state } = start();
  state.beginBlock({ height: 1, time: T });
  for (const token of ["100", "20", "7"]) {
    state.credit(ALICE, token as TokenId, amount(5));
  }
  assert.deepEqual(state.movedBalances(ALICE), {
    balance: [
      { token: "7", balance: "5", unlockdate: 0 },
      { token: "20", balance: "5", unlockdate: 0 },
      { token: "100", balance: "5", unlockdate: 0 },
    ],
  });
  state.acceptOperation();
  assert.deepEqual(state.movedBalances(ALICE), {});
});

test("a debit that nobody has checked stops the process", () => {
  const { state } = start();
  state.beginBlock({ height: 1, time: T });
  assert.throws(() => state.debit(ALICE, GOLD, amount(1)), /a debit has been checked before/);
});
