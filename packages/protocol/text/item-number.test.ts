import assert from "node:assert/strict";
import { test } from "node:test";
import { itemNumber, withItemNumber } from "./item-number.ts";

const PROJECT = "MRC400_c7735425f08d740230c98da57e9977dfc";
const HEX = `${PROJECT}_00000000000000000000000000000000000000ff`;
const WORDS = `${PROJECT}_Sword0000000000000000000000000000000000z`;

test("mrc401 §2.1: {id} is the number of the item if it has hex digits only, else the hex of its characters", () => {
  assert.equal(withItemNumber("a/{id}", HEX), "a/00000000000000000000000000000000000000ff");
  const hex = `53776f7264${"30".repeat(34)}7a`;
  assert.equal(hex.length, 80);
  assert.equal(withItemNumber("{id}.png?{id}", WORDS), `${hex}.png?${hex}`);
});

test("mrc402 §2.1: the number of an item that stands alone stands behind MRC402_", () => {
  assert.equal(itemNumber("MRC402_3f0c5a"), "3f0c5a");
});
