import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { roomsPicture } from "./rooms-picture.ts";

test("docs/images/rooms.svg shows what the sources import: npm run rooms draws it", () => {
  const drawn = readFileSync(new URL("../docs/images/rooms.svg", import.meta.url), "utf8");
  assert.equal(drawn, roomsPicture());
});
