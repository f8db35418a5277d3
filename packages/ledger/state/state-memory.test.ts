import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  type Address,
  type Amount,
  addressAround,
  type JsonRecord,
  type TokenId,
} from "@moneta/protocol";
import { type Database, openForWriting } from "../database.ts";
import { createTables } from "../tables.ts";
import { bytesOf, documentBytes } from "./bytes-of.ts";
import { LongTexts } from "./long-texts.ts";
import { State } from "./state.ts";
import { constantsOf, DRAFT, TOKEN, type TokenEntry } from "./token-entry.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const T = 1767225600;
const MIB = 2 ** 20;

function heapUsed(): number {
  collect();
  // What has a finalizer is collected by the second one.
  collect();
  return process.memoryUsage().heapUsed;
}

/** What `make` adds to the heap, and keeps there until it is measured. */
function heapOf<V>(make: () => V): { readonly bytes: number; readonly made: V } {
  const before = heapUsed();
  const made = make();
  return { bytes: heapUsed() - before, made };
}

function token(number: number, image: string): TokenEntry {
  const zero = 0n as Amount;
  const names = { symbol: "S", name: "N", category: "", url: "" };
  const amounts = { totalsupply: zero, burnningamount: zero, reservedamount: zero };
  const texts = LongTexts.of({ information: "", image, reserve: [], tier: [] });
  const market = { basetoken: 0, targettoken: {} };
  const rest = { decimal: 0, createdate: T, type: "010", ...market } as const;
  const owner = "" as Address | "";
  const id = String(number) as TokenId;
  return { ...constantsOf(id), id, owner, ...names, ...amounts, texts, ...rest };
}

const ALICE = addressAround("a".repeat(30));

test("the state keeps drafts with images up to a number of bytes in memory, however many are read", () => {
  using database = openForWriting(":memory:");
  createTables(database);
  const image = `data:image/png;base64,${"i".repeat(131_000)}`;
  const count = 250;
  store(database, (state) => {
    state.putAddress({ address: ALICE, publickey: "", addinfo: "", createdate: T, signed: "" });
    for (let number = 1; number <= count; number += 1) {
      const rest = { saved: T, params: { image }, operationNumber: number };
      state.put(DRAFT, { owner: ALICE, name: String(number), ...rest });
    }
  });

  const cacheBytes = 4 * MIB;
  const state = new State(database, cacheBytes);
  const imageOf = (number: number): string | undefined =>
    state.find(DRAFT, `${ALICE}/${number}`)?.params["image"];
  const { bytes } = heapOf(() => {
    for (let number = 1; number <= count; number += 1) {
      assert.equal(imageOf(number)?.length, image.length);
    }
  });
  assert.ok(bytes < 2 * cacheBytes, `${bytes} bytes of heap`);
  assert.ok(count * image.length > 4 * cacheBytes);
  // The cache is used: half of what it counts are the second bytes that these texts do not need.
  assert.ok(bytes > cacheBytes / 4, `${bytes} bytes of heap`);
  assert.ok(imageOf(1) !== undefined);
});

test("the state keeps no long texts in memory", () => {
  using database = openForWriting(":memory:");
  createTables(database);
  const image = `data:image/png;base64,${"i".repeat(131_000)}`;
  const count = 100;
  store(database, (state) => {
    for (let number = 1; number <= count; number += 1) {
      state.put(TOKEN, token(number, image));
    }
  });

  const state = new State(database);
  const { bytes } = heapOf(() => {
    for (let number = 1; number <= count; number += 1) {
      const { texts } = state.token(String(number) as TokenId) ?? assert.fail();
      assert.equal(texts.read().image.length, image.length);
    }
  });
  assert.ok(bytes < (count * image.length) / 10, `${bytes} bytes of heap`);
});

/** Stores what an operation puts into the state. */
function store(database: Database, put: (state: State) => void): void {
  const state = new State(database);
  state.beginBlock({ height: 1, time: T });
  put(state);
  state.acceptOperation();
  state.save();
  state.acceptBlock();
}

test("what is not there, and what a block has changed, takes no more memory than that", () => {
  using database = openForWriting(":memory:");
  createTables(database);
  const cacheBytes = 2 * MIB;
  const state = new State(database, cacheBytes);
  const { bytes } = heapOf(() => {
    for (let number = 0; number < 30; number += 1) {
      state.find(TOKEN, Buffer.from(`${number}${"0".repeat(500_000)}`).toString("latin1"));
      const large = `${"x".repeat(4 * MIB)}${number}`;
      state.beginBlock({ height: number, time: T });
      // Parts of a text keep all of it, as elements of a list in a request do.
      const part = large.slice(5, 2000);
      state.put(TOKEN, token(number, part));
      state.putAddress({
        ...{ address: addressAround(String(number).padStart(30, "0")), publickey: part },
        ...{ addinfo: "", createdate: T, signed: "" },
      });
      state.acceptOperation();
      state.save();
      state.acceptBlock();
    }
  });
  assert.ok(bytes < 6 * cacheBytes, `${bytes} bytes of heap`);
});

for (const { what, text, all = 4 * MIB, count: countBytes = bytesOf } of [
  { what: "one long text", text: JSON.stringify("i".repeat(131_072)) },
  { what: "a text of two bytes a character", text: JSON.stringify("é€".repeat(60_000)) },
  { what: "many empty objects", all: MIB, text: JSON.stringify(Array(5000).fill({})) },
  { what: "many empty arrays", all: MIB, text: JSON.stringify(Array(5000).fill([])) },
  { what: "many numbers", text: JSON.stringify(Array.from({ length: 9000 }, (_, n) => n + 0.5)) },
  {
    what: "many names",
    text: JSON.stringify(
      Object.fromEntries(Array.from({ length: 4000 }, (_, n) => [`name ${n}`, `http://a/${n}`])),
    ),
  },
  {
    what: "a document",
    count: documentBytes,
    text: JSON.stringify(
      Object.fromEntries(
        Array.from({ length: 45 }, (_, n) => [`member_${n}`, n % 2 ? "" : "a text of an item"]),
      ),
    ),
  },
]) {
  test(`the memory that is counted is at least what V8 takes: ${what}`, () => {
    const count = Math.ceil(all / text.length);
    const { bytes, made } = heapOf(() =>
      Array.from({ length: count }, () => JSON.parse(text) as JsonRecord),
    );
    const counted = made.length * countBytes(made[0]);
    assert.ok(counted >= bytes * 0.95, `${counted} counted of ${bytes}`);
    assert.ok(counted <= bytes * 8, `${counted} counted of ${bytes}`);
  });
}
