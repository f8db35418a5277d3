import assert from "node:assert/strict";
import { test } from "node:test";
import { type Address, type Amount, addressAround, NO_RATE, type TokenId } from "@moneta/protocol";
import fc from "fast-check";
import { type Database, openForWriting } from "../../database.ts";
import { createTables } from "../../tables.ts";
import { READS_MAX, State } from "../state.ts";
import { NO_TERMS, UNIT_LISTING, type UnitListing } from "./unit-listing-entry.ts";
import {
  firstEndingAuction,
  oldestUnitListing,
  unitListingIdsBy,
  unitListingIdsByOthers,
} from "./unit-listings.ts";

const T = 1767225600;
const SELLERS = ["A", "B", "C"].map((name) =>
  addressAround(name.padEnd(30, "0")),
) as readonly Address[];
const ITEMS = ["x", "y"] as const;

interface Listed {
  readonly id: string;
  readonly item: string;
  readonly seller: Address;
  readonly side: "sell" | "auction";
  readonly end: number;
  readonly isOpen: boolean;
  readonly order: number;
}

function listing({ id, item, seller, side, end, isOpen, order }: Listed): UnitListing {
  const one = 1n as Amount;
  const common = {
    ...NO_TERMS,
    ...{ dexid: id, mrc402: item, itemOrder: 1, projectOrder: undefined, order },
    seller,
    agent: "",
    buyer: "",
    ...{ amount: one, remain_amount: one },
    ...{ sell_token: "0" as TokenId, sell_fee: NO_RATE },
    platform_name: "",
    platform_url: "",
    platform_address: "",
    platform_commission: NO_RATE,
    ...{ regdate: T, sell_date: 0, cancel_date: 0 },
    job_type: "mrc402_sell",
    state: isOpen ? "open" : "cancelled",
  } as const;
  const lot = { auction_start_price: one, auction_bidding_unit: one, auction_start_date: T };
  return side === "sell"
    ? { ...common, side, sell_price: one }
    : { ...common, ...lot, side, auction_end_date: end };
}

/** A database whose statements are counted by the rows that they answer. */
function counting(database: Database): { readonly database: Database; rows(): number } {
  let rows = 0;
  const prepare: Database["prepare"] = (sql) => {
    const statement = database.prepare(sql);
    return new Proxy(statement, {
      get(target, name) {
        const found: unknown = Reflect.get(target, name);
        return typeof found !== "function"
          ? found
          : (...values: unknown[]) => {
              const answer: unknown = Reflect.apply(found, target, values);
              rows += Array.isArray(answer) ? answer.length : 0;
              return answer;
            };
      },
    });
  };
  const proxy = new Proxy(database, {
    get(target, name) {
      const found: unknown = name === "prepare" ? prepare : Reflect.get(target, name);
      return typeof found === "function" ? found.bind(target) : found;
    },
  });
  return { database: proxy, rows: () => rows };
}

function begin(database: Database): State {
  createTables(database);
  const state = new State(database);
  state.beginBlock({ height: 1, time: T });
  for (const address of SELLERS) {
    state.putAddress({ address, publickey: "key", addinfo: "", createdate: T, signed: "" });
  }
  state.acceptOperation();
  state.save();
  state.acceptBlock();
  return state;
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constant("put" as const),
      number: fc.nat(19),
      staysOpen: fc.boolean(),
      item: fc.constantFrom(...ITEMS),
      seller: fc.constantFrom(...SELLERS),
      side: fc.constantFrom("sell" as const, "auction" as const),
      end: fc.integer({ min: T, max: T + 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ is: "accept operation" as const }) },
  fc.constantFrom(
    ...(["undo operation", "store block", "undo block"] as const).map((is) => ({ is })),
  ),
);

test("mrc402 §2.7: listings of an item are found by side, seller and end, as the block and the operation have changed them", () =>
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      using database = openForWriting(":memory:");
      const state = begin(database);
      let made = 0;
      database.exec("BEGIN");
      let height = 2;
      state.beginBlock({ height, time: T });
      let stored = new Map<string, Listed>();
      let block = new Map(stored);
      let operation = new Map(stored);
      for (const one of steps) {
        switch (one.is) {
          case "put": {
            const id = String(one.number);
            // A listing changes while it is open, and is never opened again.
            const earlier = operation.get(id);
            made += 1;
            const entry: Listed =
              earlier === undefined
                ? { ...one, id, isOpen: true, order: made }
                : { ...earlier, isOpen: earlier.isOpen && one.staysOpen };
            state.put(UNIT_LISTING, listing(entry));
            operation.set(id, entry);
            break;
          }
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
            state.save();
            state.acceptBlock();
            database.exec("COMMIT; BEGIN");
            height += 1;
            state.beginBlock({ height, time: T });
            [stored, operation] = [new Map(block), new Map(block)];
            break;
          case "undo block":
            state.undoBlock();
            database.exec("ROLLBACK; BEGIN");
            [block, operation] = [new Map(stored), new Map(stored)];
            break;
        }
        compare(state, [...operation.values()]);
      }
    }),
  ));

function compare(state: State, all: readonly Listed[]): void {
  const ids = (found: readonly { readonly id: string }[]): string[] => found.map(({ id }) => id);
  for (const item of ITEMS) {
    for (const side of ["sell", "auction"] as const) {
      const open = all.filter((one) => one.isOpen && one.item === item && one.side === side);
      assert.equal(oldestUnitListing(state, { mrc402: item, side })?.dexid, open[0]?.id);
      for (const seller of SELLERS) {
        const own = ids(open.filter((one) => one.seller === seller));
        assert.deepEqual(
          unitListingIdsBy(state, seller, { mrc402: item, side }, 2),
          own.slice(0, 2),
        );
        const others = ids(open.filter((one) => one.seller !== seller));
        const found = unitListingIdsByOthers(state, seller, { mrc402: item, side }, 100);
        assert.deepEqual(found.toSorted(), others.toSorted());
        const few = unitListingIdsByOthers(state, seller, { mrc402: item, side }, 2);
        assert.deepEqual(few, found.slice(0, 2));
      }
      if (side === "auction") {
        const [first] = open.toSorted((a, b) => a.end - b.end);
        assert.equal(firstEndingAuction(state, item)?.dexid, first?.id);
      }
    }
  }
}

test("mrc402 §2.7: what a look-up reads does not grow with the listings that are stored, or that the block has opened and closed", () => {
  using database = openForWriting(":memory:");
  const counted = counting(database);
  const state = begin(counted.database);
  const [a, b] = SELLERS as [Address, Address];
  const put = (number: number, change: Partial<Listed>): void => {
    const id = String(number);
    const entry = {
      ...{ id, item: "x", seller: a, side: "auction" },
      ...{ end: T + number, isOpen: true, order: number + 1 },
    };
    state.put(UNIT_LISTING, listing({ ...(entry as Listed), ...change }));
  };
  state.beginBlock({ height: 2, time: T });
  for (let number = 0; number < 3000; number += 1) {
    put(number, {});
  }
  put(3000, { seller: b });
  state.acceptOperation();
  state.save();
  state.acceptBlock();
  state.beginBlock({ height: 3, time: T });
  for (let number = 0; number < 2000; number += 1) {
    put(number, { isOpen: false });
    state.acceptOperation();
  }
  const item = { mrc402: "x", side: "auction" } as const;
  const before = counted.rows();
  state.beginOperation(1);
  assert.equal(firstEndingAuction(state, "x")?.dexid, "2000");
  assert.equal(oldestUnitListing(state, item)?.dexid, "2000");
  assert.deepEqual(unitListingIdsByOthers(state, a, item, 2), ["3000"]);
  assert.equal(unitListingIdsByOthers(state, b, item, 2).length, 2);
  assert.equal(unitListingIdsBy(state, a, item, 2).length, 2);
  assert.ok(counted.rows() - before <= 8, `${counted.rows() - before} rows`);
});

test("an operation that reads more documents than any valid one stops the process", () => {
  using database = openForWriting(":memory:");
  const state = begin(database);
  state.beginBlock({ height: 2, time: T });
  state.beginOperation(1);
  for (let read = 0; read < READS_MAX; read += 1) {
    state.find(UNIT_LISTING, `none ${read % 10}`);
  }
  assert.throws(() => state.find(UNIT_LISTING, "one more"), /bounded number of documents/);
  state.undoOperation();
  state.beginOperation(1);
  state.find(UNIT_LISTING, "of another operation");
});
