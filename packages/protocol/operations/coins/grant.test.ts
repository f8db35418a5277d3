import assert from "node:assert/strict";
import { test } from "node:test";
import { PROJECT } from "../../description/examples.ts";
import { ALICE, answerTo, KEY } from "../../testing/requests.ts";
import { grant } from "./grant.ts";

const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `operation${index}`);

for (const [list, entries, wanted] of [
  ["operations", names(50), "accepted"],
  ["operations", names(51), "3002 operations"],
  ["operations", ["a".repeat(32)], "accepted"],
  ["operations", ["a".repeat(33)], "3005 operations[0]"],
  ["limits", names(11).map((_, token) => ({ token: String(token), amount: "1" })), "3002 limits"],
  ["payees", names(101), "3002 payees"],
  ["payees", [`${ALICE}0`], "3190 payees[0]"],
  ["items", names(101).map((id) => ({ id })), "3002 items"],
  ["items", [{ id: `${PROJECT}_${"a".repeat(100)}` }], "3005 items[0].id"],
] as const) {
  test(`authority §5.1: ${list} such as ${JSON.stringify(entries).slice(0, 50)}: ${wanted}`, () =>
    assert.equal(
      answerTo(grant, {
        ...{ ...grant.example, address: ALICE, tkey: KEY },
        ...{ signature: "MEQ=", signed: "full", [list]: JSON.stringify(entries) },
      }),
      wanted,
    ));
}
