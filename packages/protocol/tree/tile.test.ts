import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseTileName, tileNameText } from "./tile.ts";

test("every tile has one path", () =>
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 45 - 1 }), fc.integer({ min: 1, max: 256 }), (index, width) =>
      assert.deepEqual(parseTileName(tileNameText({ index, width })), { index, width }),
    ),
  ));
