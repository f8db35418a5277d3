import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { roomsPicture } from "./rooms-picture.ts";

test("docs/images/rooms.svg shows what the sources import", () => {
  const drawn = readFileSync(new URL("../docs/images/rooms.svg", import.meta.url), "utf8");
  assert.ok(drawn === roomsPicture(), "the picture is another: run npm run rooms");
});
