import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, test } from "node:test";
import { type Address, type Amount, NO_METADATA, type Rate, type TokenId } from "@moneta/protocol";
import type { Database } from "../../database.ts";
import { createTables } from "../../tables.ts";
import { indexName } from "../entries.ts";
import { ITEM, type Item, NO_TRADE, NOT_LISTED, WITHOUT_POLICY } from "../item-entry.ts";
import { State } from "../state.ts";

const T = 1767225600;
const ALICE = "MTAlice00000000000000000000000005dc33c90" as Address;
const BOB = "MTBob0000000000000000000000000005f59bcba" as Address;
const NO_RATE = 0n as Rate;

const fresh: Item = {
  ...{ id: "MRC400_0_1", mrc400: "MRC400_0", projectOrder: 6, projectOwner: ALICE },
  groupedSince: 0,
  ...{
    owner: "",
    creator: ALICE,
    item_url: "",
    item_image_url: "",
    groupid: "",
    createdate: T,
    order: 700,
  },
  ...{
    initial_reserve: 0n as Amount,
    initial_token: "0" as TokenId,
    meltint_fee: NO_RATE,
    sell_fee: NO_RATE,
  },
  ...{ transferable: "Permanent", expiredate: 0, melting_date: 0, ...NO_TRADE, ...NOT_LISTED },
  ...{ ...NO_METADATA, ...WITHOUT_POLICY, held_since: 0 },
};

let database: DatabaseSync;
let written: string[];
let state: State;
let transactions: number;

beforeEach(() => {
  database = new DatabaseSync(":memory:");
  createTables(database);
  written = [];
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    return {
      get: statement.get.bind(statement),
      all: statement.all.bind(statement),
      run(...values: Parameters<typeof statement.run>) {
        // What was before is kept beside, by tests of its own.
        if (!/INTO (earlier_|left_list)/.test(sql)) {
          written.push(sql.replace(/ WHERE .*/, ""));
        }
        return statement.run(...values);
      },
    };
  };
  state = new State({ prepare } as unknown as Database);
  transactions = 0;
  block(() => {
    for (const address of [ALICE, BOB]) {
      const entry = { addinfo: "", createdate: T, publickey: address, signed: "" } as const;
      state.putAddress({ ...entry, address });
    }
  });
});

/** Applies and stores one operation as a block, and says what it wrote. */
function block(change: () => void): string[] {
  written = [];
  state.beginBlock({ height: transactions + 1, time: T });
  state.beginOperation(transactions);
  transactions += 1;
  change();
  state.acceptOperation();
  state.save();
  state.acceptBlock();
  return written;
}

function auctionWith(amount: bigint, bidder = BOB): Item {
  const [one, none] = [1n as Amount, 0n as Amount];
  const prices = {
    auction_start_price: one,
    auction_bidding_unit: one,
    auction_buynow_price: none,
  };
  const bid = { auction_current_bidder: bidder, auction_current_price: amount as Amount };
  const terms = { auction_date: T, auction_end: T + 9, auction_token: "7" as TokenId };
  return { ...fresh, ...terms, ...prices, ...bid };
}

test("an item is inserted under its place among all items, and a higher bid of the same bidder writes nothing that it is found by", () => {
  const put = (item: Item) => block(() => state.put(ITEM, item));
  assert.match(put(fresh).join(), /^INSERT INTO item \(number, key, /);
  assert.deepEqual(database.prepare("SELECT number, key FROM item").all().map(Object.values), [
    [700, "mrc401/MRC400_0_1"],
  ]);
  assert.deepEqual(put(auctionWith(5n)), [
    "UPDATE item SET condition = ?, asked_token = ?, auction_end = ?, bidder = ?, value = ?, beside = ?",
  ]);
  assert.deepEqual(put(auctionWith(6n)), ["UPDATE item SET value = ?, beside = ?"]);
  assert.deepEqual(put(auctionWith(7n, ALICE)), [
    "UPDATE item SET bidder = ?, value = ?, beside = ?",
  ]);
  const { value, beside } = database.prepare("SELECT value, beside FROM item").get() ?? {};
  const [document, rest] = [value, beside].map((text) => JSON.parse(text as string));
  assert.deepEqual(ITEM.restore(document, rest), auctionWith(7n, ALICE));
  const sold: Item = { ...fresh, owner: BOB };
  assert.deepEqual(put(sold), [
    "UPDATE item SET holder = ?, condition = ?, asked_token = ?, auction_end = ?, bidder = ?, value = ?, beside = ?",
  ]);
  const found = state.find(ITEM, sold.id);
  assert.deepEqual(found, sold);
  assert.deepEqual(put(found as Item), [], "what is put as it was is not written");
});

test("what changes twice in a block, or again after a refused operation, is written once, as it is then", () => {
  block(() => state.put(ITEM, fresh));
  state.beginBlock({ height: transactions + 1, time: T });
  state.beginOperation(transactions);
  state.put(ITEM, { ...fresh, groupid: "refused" });
  state.undoOperation();
  state.put(ITEM, auctionWith(5n));
  state.acceptOperation();
  state.put(ITEM, { ...fresh, owner: BOB });
  state.acceptOperation();
  written = [];
  state.save();
  state.acceptBlock();
  assert.deepEqual(written, ["UPDATE item SET holder = ?, value = ?, beside = ?"]);
  const row = database.prepare("SELECT holder, groupid, condition FROM item").get();
  assert.deepEqual(Object.values(row ?? {}), [1, null, 0]);
});

test("a balance is updated in place, its rank only where its magnitude is another, and whoever has none any more is no holder", () => {
  const token = "7" as TokenId;
  const holders = () =>
    database
      .prepare("SELECT address FROM balance INDEXED BY balance_by_token WHERE token = 7")
      .all()
      .map((row) => row["address"]);
  const count = () =>
    database.prepare("SELECT * FROM holder_count WHERE token = 7").get()?.["holders"];
  const credit = () => block(() => state.balances.credit(ALICE, token, 5n as Amount));
  assert.match(credit().join(), /^INSERT INTO balance /);
  const update = "UPDATE balance SET free = ?, locks = ?, locked = ?, unlocks_from = ?";
  const ranked = ["DELETE FROM holder_rank", "INSERT INTO holder_rank VALUES (?, ?, ?)"];
  assert.deepEqual(credit(), [update, ...ranked]);
  assert.deepEqual(credit(), [update]);
  assert.deepEqual([holders(), count()], [[0], 1]);
  const [emptied, ...counted] = block(() => state.balances.debit(ALICE, token, 15n as Amount));
  assert.equal(emptied, "DELETE FROM balance");
  assert.ok(counted.every((sql) => /holder_(count|rank)/.test(sql)));
  assert.deepEqual([holders(), count()], [[], undefined]);
  credit();
  assert.deepEqual([holders(), count()], [[0], 1]);
});

test("a row that should be there and is not stops the ledger instead of being lost", () => {
  block(() => state.put(ITEM, fresh));
  assert.deepEqual(state.find(ITEM, fresh.id), fresh);
  database.exec("DELETE FROM item");
  assert.throws(() => block(() => state.put(ITEM, auctionWith(5n))), /has a row/);
});

test("items in no group are not in the indexes of those that are in one", () => {
  block(() => state.put(ITEM, fresh));
  const count = (columns: string[]) => {
    const indexed = [...columns, "open"];
    const condition = indexed.map((column) => `${column} IS NOT NULL`).join(" AND ");
    const from = `item INDEXED BY ${indexName(ITEM.table, indexed)}`;
    return Object.values(
      database.prepare(`SELECT count(*) FROM ${from} WHERE ${condition}`).get() ?? {},
    )[0];
  };
  assert.deepEqual([count(["holder"]), count(["groupid"])], [1, 0]);
  block(() => state.put(ITEM, { ...auctionWith(5n), groupid: "swords" }));
  assert.deepEqual([count(["holder"]), count(["groupid"])], [1, 1]);
});
