import assert from "node:assert/strict";
import { constants } from "node:sqlite";
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
import fc from "fast-check";
import { type Database, openForWriting } from "../database.ts";
import { addressValues } from "../records/address-values.ts";
import { createTables } from "../tables.ts";
import { LongTexts } from "./long-texts.ts";
import { READS_MAX, State } from "./state.ts";
import {
  constantsOf,
  DRAFT,
  type DraftEntry,
  draftId,
  draftsOf,
  TOKEN,
  type TokenEntry,
  tokenIdsOwnedBy,
} from "./token-entry.ts";

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
  begin(state, T);
  putAddress(state, ALICE);
  state.balances.credit(ALICE, NATIVE_COIN, amount(100));
  state.acceptOperation();
  store(state);
  return { database, state };
}

function putAddress(state: State, address: Address): void {
  state.putAddress({ address, publickey: "key", addinfo: "", createdate: T, signed: "" });
}

/** Heights only rise: what a block changes is kept under its height. */
let height = 0;

function begin(state: State, time: number): void {
  height += 1;
  state.beginBlock({ height, time });
}

function store(state: State): void {
  state.save();
  state.acceptBlock();
}

test("a reader notes the address numbers that it looks up, and another state takes them over", () => {
  const { database, state } = start();
  const reader = new State(database, undefined, "read");
  const number = reader.addressNumber(ALICE) as number;
  assert.equal(reader.addressNumber(BOB), undefined);
  assert.deepEqual(reader.takeFoundNumbers(), new Map([[ALICE, number]]));
  assert.equal(reader.addressNumber(ALICE), number);
  assert.equal(reader.takeFoundNumbers(), undefined);
  state.noteAddressNumbers(new Map([[BOB, 7000]]));
  assert.equal(state.addressNumber(BOB), 7000);
});

test("chain §4.6: changes have every entry that is different after the block, by its key", () => {
  const { state } = start();
  begin(state, T);
  state.beginOperation(5);
  putAddress(state, BOB);
  state.balances.debit(ALICE, NATIVE_COIN, amount(30));
  state.balances.credit(BOB, NATIVE_COIN, amount(10));
  state.balances.credit(BOB, NATIVE_COIN, amount(20), T + 100);
  state.acceptOperation();
  assert.equal(
    state.changesText(),
    canonicalJson({
      [`address/${BOB}`]: { addinfo: "", createdate: T, number: 1, publickey: "key", signed: "" },
      [`balance/${ALICE}/0`]: { free: "70" },
      [`balance/${BOB}/0`]: { free: "10", locked: "20", locks: 1 },
      [`lock/${BOB}/0/${T + 100}`]: { amount: "20" },
      "count/address": 2,
    }),
  );
  assert.equal(state.address(BOB)?.transactionNumber, 5);
});

test("chain §4.6: an entry that is gone is null", () => {
  const { state } = start();
  begin(state, T);
  state.balances.debit(ALICE, NATIVE_COIN, amount(100));
  state.acceptOperation();
  assert.equal(state.changesText(), `{"balance/${ALICE}/0":null}`);
});

test("chain §4.6: what was changed and changed back is not in the changes", () => {
  const { state } = start();
  begin(state, T);
  putAddress(state, BOB);
  state.acceptOperation();
  store(state);
  begin(state, T);
  for (const [from, to] of [
    [ALICE, BOB],
    [BOB, ALICE],
  ] as const) {
    state.balances.debit(from, NATIVE_COIN, amount(100));
    state.balances.credit(to, NATIVE_COIN, amount(100));
    state.acceptOperation();
  }
  assert.equal(state.changesText(), "{}");
  store(state);
  assert.equal(state.balances.spendable(ALICE, NATIVE_COIN), 100n);
});

test("chain §4.6: long texts that were changed are in the changes, also once they are in the tables, and not if changed back", () => {
  const { state } = start();
  const old = token("1", ALICE);
  begin(state, T);
  state.put(TOKEN, old);
  state.acceptOperation();
  store(state);
  begin(state, T);
  const withImage = (image: string): void => {
    const found = state.token("1" as TokenId) ?? assert.fail();
    state.put(TOKEN, { ...found, texts: LongTexts.of({ ...found.texts.read(), image }) });
    state.acceptOperation();
    // Writes what the block has changed so far.
    assert.deepEqual(tokenIdsOwnedBy(state, ALICE, 2), ["1"]);
  };
  withImage("ipfs://new");
  assert.match(state.changesText() ?? "", /^\{"token\/1":.*"image":"ipfs:\/\/new"/);
  withImage("data:,");
  withImage("ipfs://newer");
  withImage("data:,");
  assert.equal(state.changesText(), "{}");
  store(state);
  begin(state, T);
  assert.equal(state.token("1" as TokenId)?.texts.read().image, "data:,");
});

test("accounts §8.3: matured amounts become free in the state only when something is moved", () => {
  const { state } = start();
  begin(state, T);
  state.balances.credit(ALICE, NATIVE_COIN, amount(50), T + 100);
  state.acceptOperation();
  store(state);
  begin(state, T + 100);
  assert.equal(state.balances.spendable(ALICE, NATIVE_COIN), 150n);
  assert.equal(state.changesText(), "{}");
  state.balances.credit(ALICE, NATIVE_COIN, amount(0));
  state.balances.debit(ALICE, NATIVE_COIN, amount(0));
  state.acceptOperation();
  assert.equal(state.changesText(), "{}");
  state.balances.credit(ALICE, NATIVE_COIN, amount(1));
  state.acceptOperation();
  assert.equal(
    state.changesText(),
    `{"balance/${ALICE}/0":{"free":"151"},"lock/${ALICE}/0/${T + 100}":null}`,
  );
});

test("an operation that is undone leaves what the operations before it have changed", () => {
  const { state } = start();
  begin(state, T);
  state.balances.debit(ALICE, NATIVE_COIN, amount(10));
  state.acceptOperation();
  const before = state.changesText();
  putAddress(state, BOB);
  state.balances.debit(ALICE, NATIVE_COIN, amount(20));
  state.balances.credit(BOB, NATIVE_COIN, amount(20));
  assert.equal(state.balances.spendable(ALICE, NATIVE_COIN), 70n);
  state.undoOperation();
  assert.equal(state.changesText(), before);
  assert.equal(state.address(BOB), undefined);
  assert.equal(state.count("address"), 1);
  assert.equal(state.balances.spendable(ALICE, NATIVE_COIN), 90n);
  assert.equal(state.moves.of(BOB), undefined);
});

test("a block that is undone leaves nothing, in memory or in the tables", () => {
  const { database, state } = start();
  begin(state, T);
  putAddress(state, BOB);
  assert.equal(state.address(BOB)?.number, 1);
  state.balances.credit(BOB, NATIVE_COIN, amount(20));
  state.balances.debit(ALICE, NATIVE_COIN, amount(20));
  state.acceptOperation();
  database.exec("BEGIN");
  state.save();
  database.exec("ROLLBACK");
  state.undoBlock();
  for (const seen of [state, new State(database)]) {
    assert.equal(seen.address(BOB), undefined);
    assert.equal(seen.count("address"), 1);
    assert.equal(seen.balances.spendable(ALICE, NATIVE_COIN), 100n);
    assert.equal(seen.balances.spendable(BOB, NATIVE_COIN), 0n);
  }
  begin(state, T);
  assert.equal(state.changesText(), "{}");
});

test("what one connection has stored another one sees after it forgets", () => {
  const { database, state } = start();
  const reader = new State(database);
  assert.equal(reader.balances.spendable(ALICE, NATIVE_COIN), 100n);
  assert.equal(reader.address(BOB), undefined);
  begin(state, T);
  putAddress(state, BOB);
  state.balances.debit(ALICE, NATIVE_COIN, amount(1));
  state.acceptOperation();
  store(state);
  reader.forget();
  assert.equal(reader.balances.spendable(ALICE, NATIVE_COIN), 99n);
  assert.equal(reader.address(BOB)?.number, 1);
});

test("accounts §1.4: values have the tokens that were moved, in the order of their numbers", () => {
  const { state } = start();
  begin(state, T);
  for (const token of ["100", "20", "7"]) {
    state.balances.credit(ALICE, token as TokenId, amount(5));
  }
  const values = (): object => addressValues(state, ALICE, { moved: undefined, isOfOrders: false });
  assert.deepEqual(values(), {
    balance: [
      { token: "7", balance: "5", unlockdate: 0 },
      { token: "20", balance: "5", unlockdate: 0 },
      { token: "100", balance: "5", unlockdate: 0 },
    ],
  });
  state.acceptOperation();
  assert.deepEqual(values(), {});
});

test("an unchecked debit stops the process", () => {
  const { state } = start();
  begin(state, T);
  assert.throws(
    () => state.balances.debit(ALICE, GOLD, amount(1)),
    /a debit has been checked before/,
  );
});

function draft(owner: Address, name: string, operationNumber: number): DraftEntry {
  return { owner, name, saved: T, params: { image: "data:," }, operationNumber };
}

function token(id: string, owner: Address): TokenEntry {
  return {
    ...{
      id: id as TokenId,
      owner,
      symbol: "S",
      name: "N",
      category: "",
      decimal: 0,
      createdate: T,
    },
    ...{ totalsupply: amount(0), burnningamount: amount(0), reservedamount: amount(0) },
    ...{ url: "", type: "010" },
    texts: LongTexts.of({ information: "", image: "data:,", reserve: [], tier: [] }),
    ...{ basetoken: 0, targettoken: {}, ...constantsOf(id as TokenId) },
  };
}

const OWNERS = [ALICE, BOB] as const;
const draftStep = fc.oneof(
  fc.record({
    is: fc.constant("save" as const),
    owner: fc.constantFrom(...OWNERS),
    name: fc.constantFrom("a", "b", "c", "d"),
  }),
  fc.record({
    is: fc.constant("create" as const),
    owner: fc.constantFrom(...OWNERS),
    name: fc.constantFrom("a", "b", "c", "d"),
  }),
  fc.constantFrom(
    ...(["accept operation", "undo operation", "store block", "undo block"] as const).map((is) => ({
      is,
    })),
  ),
);

test("a document that a block has written for a list, and then taken out, is gone", () => {
  const { state } = start();
  begin(state, T);
  const entry = draft(ALICE, "a", 1);
  state.put(DRAFT, entry);
  state.acceptOperation();
  assert.equal(draftsOf(state, ALICE).length, 1);
  state.remove(DRAFT, draftId(entry));
  state.acceptOperation();
  store(state);
  assert.equal(state.find(DRAFT, draftId(entry)), undefined);
});

test("a list and each draft are what is stored, as the block and the operation have changed it, whatever was undone", () =>
  fc.assert(
    fc.property(fc.array(draftStep, { maxLength: 40 }), (steps) => {
      const { database, state } = start();
      begin(state, T);
      putAddress(state, BOB);
      state.acceptOperation();
      store(state);
      database.exec("BEGIN");
      begin(state, T);
      let stored = new Map<string, DraftEntry>();
      let block = new Map(stored);
      let operation = new Map(stored);
      for (const [number, step] of steps.entries()) {
        switch (step.is) {
          case "save": {
            const entry = draft(step.owner, step.name, number);
            state.put(DRAFT, entry);
            operation.set(draftId(entry), entry);
            break;
          }
          case "create":
            if (operation.has(draftId(step))) {
              state.remove(DRAFT, draftId(step));
              operation.delete(draftId(step));
            }
            break;
          case "accept operation":
            state.acceptOperation();
            block = new Map(operation);
            break;
          case "undo operation":
            state.undoOperation();
            operation = new Map(block);
            break;
          case "store block":
            state.undoOperation();
            store(state);
            database.exec("COMMIT; BEGIN");
            stored = block;
            operation = new Map(block);
            block = new Map(block);
            break;
          case "undo block":
            state.undoBlock();
            database.exec("ROLLBACK; BEGIN");
            [block, operation] = [new Map(stored), new Map(stored)];
            break;
        }
        for (const owner of OWNERS) {
          const expected = [...operation.values()]
            .filter((entry) => entry.owner === owner)
            .map(({ name, saved, operationNumber }) => ({
              ...{ owner, name, saved, operationNumber },
            }))
            .toSorted((a, b) => a.operationNumber - b.operationNumber);
          assert.deepEqual(draftsOf(state, owner), expected);
          for (const name of ["a", "b", "c", "d"]) {
            const id = draftId({ owner, name });
            assert.deepEqual(state.find(DRAFT, id), operation.get(id));
          }
        }
      }
      database.close();
    }),
  ));

test("finding the tokens and the drafts of an owner reads none of them, stored or changed", () => {
  const { database, state } = start();
  begin(state, T);
  for (const id of ["1", "2", "10"]) {
    state.put(TOKEN, token(id, ALICE));
  }
  state.put(DRAFT, draft(ALICE, "a", 1));
  state.acceptOperation();
  store(state);
  begin(state, T);
  database.setAuthorizer((action, _table, column) =>
    action === constants.SQLITE_READ && column === "value"
      ? constants.SQLITE_DENY
      : constants.SQLITE_OK,
  );
  const seen = new State(database);
  assert.deepEqual(tokenIdsOwnedBy(seen, ALICE, 64), ["1", "2", "10"]);
  assert.deepEqual(tokenIdsOwnedBy(seen, ALICE, 2), ["1", "2"]);
  assert.deepEqual(
    draftsOf(seen, ALICE).map(({ name }) => name),
    ["a"],
  );
  assert.throws(() => seen.token("1" as TokenId), /prohibited/);
});

test("finding the tokens of an owner reads nothing on its account, however many have got other texts in the block", () => {
  const { state } = start();
  begin(state, T);
  const ids = Array.from({ length: READS_MAX + 1 }, (_, index) => String(index + 1));
  for (const id of ids) {
    state.put(TOKEN, token(id, ALICE));
  }
  state.acceptOperation();
  store(state);
  begin(state, T);
  for (const id of ids) {
    const found = state.token(id as TokenId) ?? assert.fail();
    const texts = LongTexts.of({ ...found.texts.read(), image: "ipfs://new" });
    state.put(TOKEN, { ...found, texts });
    state.acceptOperation();
  }
  state.beginOperation(1);
  assert.equal(tokenIdsOwnedBy(state, ALICE, 1).length, 1);
  state.acceptOperation();
  assert.equal(state.changesText()?.match(/"image":"ipfs:\/\/new"/g)?.length, ids.length);
});

test("accounts §8.2: what an operation reads and changes of 10,000 matured locks has a bound", () => {
  const { database, state } = start();
  begin(state, T);
  for (let date = 1; date <= 10_000; date += 1) {
    state.balances.credit(ALICE, NATIVE_COIN, amount(1), T + date);
  }
  state.acceptOperation();
  store(state);
  const read: number[] = [];
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    return {
      run: statement.run.bind(statement),
      get: statement.get.bind(statement),
      all(...values: Parameters<typeof statement.all>) {
        const rows = statement.all(...values);
        read.push(rows.length);
        return rows;
      },
    };
  };
  const counted = new State({ prepare } as unknown as Database);
  const cost = (operation: () => void): { read: number; changed: number } => {
    read.length = 0;
    begin(counted, T + 10_000);
    operation();
    counted.acceptOperation();
    const changed = Object.keys(JSON.parse(counted.changesText() ?? "")).length;
    counted.undoBlock();
    return { read: read.reduce((sum, rows) => sum + rows, 0), changed };
  };
  const held = amount(100);
  assert.deepEqual(
    cost(() => counted.balances.credit(ALICE, NATIVE_COIN, held)),
    { read: 10, changed: 11 },
  );
  assert.deepEqual(
    cost(() => counted.balances.debit(ALICE, NATIVE_COIN, amount(50))),
    { read: 100, changed: 101 },
  );
  assert.deepEqual(
    cost(() => counted.balances.debit(ALICE, NATIVE_COIN, amount(2_100))),
    // 100 and 1,900 in parts of 100, which the free 100 let it need.
    { read: 2_000, changed: 2_001 },
  );
  assert.deepEqual(
    cost(() =>
      assert.deepEqual(counted.balances.shortage(ALICE, NATIVE_COIN, amount(2_101)), {
        ...{ needed: 2_101n, spendable: 2_100n, isMoreMatured: true },
      }),
    ),
    { read: 2_001, changed: 0 },
  );
  assert.deepEqual(
    cost(() => {
      counted.balances.debit(ALICE, NATIVE_COIN, amount(1_000));
      // Of the 2,000 that the debits of an operation merge 1,100 are left.
      assert.equal(counted.balances.spendable(ALICE, NATIVE_COIN), 1_100n);
      counted.acceptOperation();
      assert.equal(counted.balances.spendable(ALICE, NATIVE_COIN), 2_000n);
    }),
    { read: 900 + 1_100 + 2_000, changed: 901 },
  );
});
