import assert from "node:assert/strict";
import { test } from "node:test";
import { shortId } from "./short-id.ts";

for (const [id, short] of [
  [
    `${(1234).toString(16).padStart(16, "0")}${"5".padStart(8, "0")}${"ab".repeat(17)}c41f2e`,
    "1234-5…c41f2e",
  ],
  [`a${"1".repeat(57)}c41f2e`, "a1111111…c41f2e"],
  ["MTAlice00000000000000000000000005dc33c90", "MTAlice0…c33c90"],
  ["MRC400_c7735425f08d740230c98da57e9977dfc", "c77354…7dfc"],
  [
    "MRC400_c7735425f08d740230c98da57e9977dfc_Sword00000000000000000000000000000000001",
    "Sword0…0001",
  ],
  [`MRC400_c7735425f08d740230c98da57e9977dfc_${"0".repeat(36)}2a0b`, "2a0b"],
  [
    `MRC400_c7735425f08d740230c98da57e9977dfc_${"0".repeat(7)}1${"c".repeat(28)}2a0d`,
    "1ccccc…2a0d",
  ],
  [`MRC400_c7735425f08d740230c98da57e9977dfc_${"0".repeat(40)}`, "0"],
  ["DEX402_9b0d6c1f83e2a5470c4de98f1b37a2650", "9b0d6c…2650"],
  ["MRC020_MTAlice00000000000000000000000005dc33c90_my_letter", "my_letter"],
  ["11", "11"],
] as const) {
  test(`${id} is ${short} in short`, () => assert.equal(shortId(id), short));
}
