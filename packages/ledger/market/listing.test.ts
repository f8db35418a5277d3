import assert from "node:assert/strict";
import { test } from "node:test";
import { refuseUnlessOpen } from "./listing.ts";

const SIDES = ["sell", "buy", "auction"] as const;

for (const { state, answer } of [
  { state: "open", answer: undefined },
  { state: "cancelled", answer: "7101" },
  { state: "sold", answer: "7102" },
  { state: "failed", answer: "7102" },
] as const) {
  test(`market §1.5: ${state}: ${answer ?? "accepted"}, and of another side 7103 before that`, () => {
    for (const side of SIDES) {
      for (const wanted of SIDES) {
        const refused = refuseUnlessOpen({ side, state }, wanted);
        assert.equal(refused?.fault.code, side === wanted ? answer : "7103");
      }
    }
  });
}
