import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import fc from "fast-check";
import { NewestFirst, pageOf } from "./newest-first.ts";

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

for (const sides of [["sell"], ["sell", "buy"]]) {
  test(`chain §10: a page of documents of ${sides.join(" and ")} ends at 4 MiB, and one more is read`, () => {
    const view = new NewestFirst(database);
    const all: string[] = [];
    let before: number | undefined;
    do {
      let read = 0;
      const page = view.pageShown(
        { table: TABLE, columns: { side: sides }, before, limit: 100 },
        (text) => {
          read += 1;
          return text;
        },
      );
      const bytes = page.items.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      assert.ok(bytes <= PAGE_BYTES_MAX, `${bytes} bytes`);
      assert.ok(read <= page.items.length + 1, `${read} read for ${page.items.length}`);
      all.push(...page.items.map((text) => text.replaceAll("é", "")));
      before = page.cursor;
    } while (before !== undefined);
    const numbers = Array.from({ length: 40 }, (_, index) => 40 - index);
    const expected = numbers.filter((number) => sides.length === 2 || number % 2 === 0);
    assert.deepEqual(all, expected.map(String));
  });
}

test("chain §10: what is shown counts, not what is stored", () => {
  const view = new NewestFirst(database);
  const wanted = { table: TABLE, columns: { side: ["sell"] }, before: undefined, limit: 100 };
  const large = view.pageShown(wanted, () => "x".repeat(3 * MEGABYTE));
  assert.deepEqual([large.items.length, large.cursor], [1, 40]);
  assert.equal(view.pageShown(wanted, () => "x").items.length, 20);
});

test("pages of whatever size have every entry once, in order, and 4 MiB at most unless one entry is larger", () =>
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 5 * MEGABYTE }), { maxLength: 20 }),
      fc.integer({ min: 1, max: 8 }),
      (sizes, limit) => {
        const entries = sizes.map((size, index) => ({
          order: 100 - index,
          text: " ".repeat(size),
        }));
        const seen: string[] = [];
        let rest = entries;
        for (;;) {
          const { items, cursor } = pageOf(rest, limit);
          seen.push(...items);
          const bytes = items.reduce((sum, text) => sum + text.length, 0);
          assert.ok(items.length <= limit && (bytes <= PAGE_BYTES_MAX || items.length === 1));
          if (cursor === undefined) {
            break;
          }
          rest = rest.filter(({ order }) => order < cursor);
        }
        assert.deepEqual(
          seen.map((text) => text.length),
          sizes,
        );
      },
    ),
    { numRuns: 30 },
  ));
