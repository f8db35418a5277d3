import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import fc from "fast-check";
import { IndexedRows } from "./indexed-rows.ts";
import { type Page, pageOf } from "./list-page.ts";

const MEGABYTE = 1 << 20;
const PAGE_BYTES_MAX = 4 * MEGABYTE;

const database = new DatabaseSync(":memory:");
const TABLE = { name: "document", indexes: [["side"]] } as const;
database.exec(
  "CREATE TABLE document (number INTEGER PRIMARY KEY, side TEXT, value TEXT); CREATE INDEX document_by_side ON document (side)",
);
const insert = database.prepare("INSERT INTO document (side, value) VALUES (?, ?)");
for (let number = 1; number <= 40; number += 1) {
  // Of two bytes each: what counts is bytes.
  insert.run(number % 2 === 0 ? "sell" : "buy", "é".repeat(MEGABYTE / 4) + number);
}

function pageOfSides(
  sides: readonly string[],
  show: (text: string) => string,
  after = Number.MAX_SAFE_INTEGER,
): Page {
  const wanted = { table: TABLE, text: "value", columns: { side: sides }, after, limit: 101 };
  return pageOf(new IndexedRows(database).places(wanted), show, 100);
}

for (const sides of [["sell"], ["sell", "buy"]]) {
  test(`chain §10: a page of documents of ${sides.join(" and ")} ends at 4 MiB, and one more is read`, () => {
    const all: string[] = [];
    let next: Page["next"];
    do {
      let read = 0;
      const show = (text: string): string => {
        read += 1;
        return text;
      };
      const page = pageOfSides(sides, show, next as number | undefined);
      const bytes = page.items.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      assert.ok(bytes <= PAGE_BYTES_MAX, `${bytes} bytes`);
      assert.ok(read <= page.items.length + 1, `${read} read for ${page.items.length}`);
      all.push(...page.items.map((text) => text.replaceAll("é", "")));
      next = page.next;
    } while (next !== undefined);
    const numbers = Array.from({ length: 40 }, (_, index) => 40 - index);
    const expected = numbers.filter((number) => sides.length === 2 || number % 2 === 0);
    assert.deepEqual(all, expected.map(String));
  });
}

test("chain §10: the shown text counts, not the stored one, or the cost that an entry has of its own", () => {
  const large = pageOfSides(["sell"], () => "x".repeat(3 * MEGABYTE));
  assert.deepEqual([large.items.length, large.next], [1, 40]);
  assert.equal(pageOfSides(["sell"], () => "x").items.length, 20);
  const places = [3, 2, 1].map((at) => ({ at, entry: at }));
  const costly = () => ({ text: "x", bytes: 3 * MEGABYTE });
  assert.deepEqual(pageOf(places, costly, 100), { items: ["x"], next: 3 });
});

test("chain §10: a page continues behind skipped entries, and ends where its search does", () => {
  const places = [9, 8, 7, 6, 5].map((at) => ({ at, entry: at % 2 === 0 ? at : undefined }));
  assert.deepEqual(pageOf(places, String, 1), { items: ["8"], next: 7 });
  assert.deepEqual(pageOf(places, String, 2), { items: ["8", "6"], next: undefined });
  const ended = places.map((place) => ({ ...place, endsPage: place.at === 7 }));
  assert.deepEqual(pageOf(ended, String, 2), { items: ["8"], next: 7 });
});

test("pages of whatever size have every entry once, in order, and 4 MiB at most unless one entry is larger", () =>
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 5 * MEGABYTE }), { maxLength: 20 }),
      fc.integer({ min: 1, max: 8 }),
      (sizes, limit) => {
        const entries = sizes.map((size, index) => ({
          at: 100 - index,
          entry: " ".repeat(size),
        }));
        const seen: string[] = [];
        let rest = entries;
        for (;;) {
          const { items, next } = pageOf(rest, (text) => text, limit);
          seen.push(...items);
          const bytes = items.reduce((sum, text) => sum + text.length, 0);
          assert.ok(items.length <= limit && (bytes <= PAGE_BYTES_MAX || items.length === 1));
          if (next === undefined) {
            break;
          }
          rest = rest.filter(({ at }) => at < Number(next));
        }
        assert.deepEqual(
          seen.map((text) => text.length),
          sizes,
        );
      },
    ),
    { numRuns: 30 },
  ));
