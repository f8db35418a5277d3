import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../../testing/any-text.ts";
import { accepted, answerTo } from "../../testing/requests.ts";
import { read } from "../operation.ts";
import { optional, type Parameter } from "../parameter.ts";
import { type Cursor, cursor, cursorText, pageLimit, textCursor } from "./cursor.ts";
import { recordTypes } from "./record-types.ts";
import { text } from "./texts.ts";
import { optionalWord, wordOrFirst } from "./words.ts";

function list<T extends number | string>(place: Parameter<Cursor<T> | undefined>) {
  return read({
    name: "sample",
    route: "GET /sample",
    about: "Stands for a list.",
    parameters: {
      owner: optional(text(), ""),
      kind: optionalWord("a", "b"),
      state: wordOrFirst("open", "all"),
      type: optional(recordTypes(20)),
      limit: pageLimit(),
      cursor: place,
    },
    cache: "never",
    result: { kind: "text", about: "", example: "" },
  });
}

const NUMBERS = list(cursor("list"));
const TEXTS = list(textCursor("list"));
/** What a request without filters is read as. */
const PLAIN = { owner: "", kind: "", state: "open" };
const OF = cursorText("list", 1, PLAIN).split(".")[2] ?? "";

for (const sent of [
  ...["0", "01", "", "-1", "1.0", "1x", "1e3", "1000000000000000"].map(
    (last) => `list.${last}.${OF}`,
  ),
  ...["1", "list.1", `list.1.${OF}0`, `list.1.${OF.slice(1)}`, `list.1.${OF.toUpperCase()}A`],
  ...["other", "xlist", "listx", " list", "LIST"].map((other) => `${other}.1.${OF}`),
  `list.1.${OF}\n`,
]) {
  test(`chain §10: a cursor ${JSON.stringify(sent)} of a list: 3005`, () =>
    assert.equal(answerTo(NUMBERS, { cursor: sent }), "3005 cursor"));
}

test("chain §10: no cursor is one of the first page", () =>
  assert.equal(accepted(NUMBERS, {}).values["cursor"], undefined));

test("printing and reading a cursor are inverse", () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 ** 15 - 1 }),
      fc.stringMatching(/^[0-9A-Za-z_]{1,100}$/),
      anyText({ minLength: 1 }).filter((owner) => !/\p{Cc}/u.test(owner)),
      (place, id, owner) => {
        const values = { ...PLAIN, owner };
        const number = cursorText("list", place, values);
        assert.equal(accepted(NUMBERS, { owner, cursor: number }).values["cursor"]?.last, place);
        const ofText = cursorText("list", id, values);
        assert.equal(accepted(TEXTS, { owner, cursor: ofText }).values["cursor"]?.last, id);
      },
    ),
  ));

const FILTERED = { owner: "é", kind: "a", state: "all", type: "transfer,receive" };
for (const other of [
  { owner: "x" },
  { owner: "" },
  { kind: "b" },
  { kind: "" },
  { state: "open" },
  { state: "" },
  { type: "transfer" },
  { type: "" },
  { owner: "a", kind: "" },
]) {
  test(`chain §10: a cursor with another filter, ${JSON.stringify(other)}: 3005`, () => {
    const place = cursorText("list", 5, { ...FILTERED, type: FILTERED.type.split(",") });
    assert.equal(answerTo(NUMBERS, { ...FILTERED, cursor: place }), "accepted");
    assert.equal(answerTo(NUMBERS, { ...FILTERED, ...other, cursor: place }), "3005 cursor");
  });
}

test("chain §10: the size of a page and a default that is given in words leave a cursor as it is", () => {
  const place = cursorText("list", 5, PLAIN);
  assert.equal(answerTo(NUMBERS, { cursor: place, limit: "7", state: "open" }), "accepted");
});
