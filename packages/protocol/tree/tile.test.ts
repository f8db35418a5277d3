import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseTileName, tileNameText } from "./tile.ts";

for (const { text, index, width = 256 } of [
  { text: "000", index: 0 },
  { text: "067", index: 67 },
  { text: "x001/x234/067", index: 1234067 },
  { text: "x001/000", index: 1000 },
  { text: "000.p/1", index: 0, width: 1 },
  { text: "x001/x234/067.p/255", index: 1234067, width: 255 },
]) {
  test(`tlog-tiles: ${text} is tile ${index} of width ${width}`, () => {
    assert.deepEqual(parseTileName(text), { index, width });
    assert.equal(tileNameText({ index, width }), text);
  });
}

for (const text of [
  ..."|0|00|0000|x000/000|x001|001/000|x01/000|000.p|000.p/|000.p/0|000.p/01|000.p/256|000.p/999|".split(
    "|",
  ),
  ..."000.P/1|000.p/1/|000/|/000|-01|00a|x001/x000|000.p/1.p/1|０００|..|x999/x999/x999/x999/x999/x999/999".split(
    "|",
  ),
  "x000/".repeat(1000),
]) {
  test(`tlog-tiles: ${JSON.stringify(text.slice(0, 50))} is the path of no tile`, () =>
    assert.equal(parseTileName(text), undefined));
}

test("every tile has one path", () =>
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 45 - 1 }), fc.integer({ min: 1, max: 256 }), (index, width) =>
      assert.deepEqual(parseTileName(tileNameText({ index, width })), { index, width }),
    ),
  ));
