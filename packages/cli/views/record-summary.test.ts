import assert from "node:assert/strict";
import { test } from "node:test";
import { recordSummary } from "./record-summary.ts";

// What records say is tried in sdk/describe.test.ts, and with those of a node in story.test.ts.
// Here are the words of a table.

const ME = "ME";
const REST = ["S", "tkey"];
const amountText = (units: string, token: string): string => `${units} of ${token}`;
const offer = ["DEX", ME, "9", "7", "5", "0", "", "", "", "", "1", ...REST];
const lot = ["DEX", ME, "1", "ITEM", "5", "0", ...REST];

for (const [type, parameters, says] of [
  ["transfer", [ME, "BOB", "5", "0", "S", "0", "", ""], ["-5 of 0", "", "BOB", ""]],
  ["receive", ["BOB", ME, "5", "7", "S", "0", "", ""], ["+5 of 7", "", "BOB", ""]],
  [
    "multi_transfer",
    [ME, '[{"address":"B","amount":"5"}]', "7", ...REST],
    ["-5 of 7", "", "1 payee", ""],
  ],
  [
    "multi_transfer",
    [ME, '[{"address":"B","amount":"5"},{"address":"B","amount":"5"}]', "7", ...REST],
    ["-10 of 7", "", "2 payees", ""],
  ],
  ["mrc010reqsell", offer, ["offers 5 of 0", "wants 9 of 7", "", "DEX"]],
  ["mrc401transfer", ['["A","B"]', ME, "BOB", ...REST], ["", "", "BOB", "2 items"]],
  ["mrc401auction", ['[{"id":"A","start":5}]', ME, ...REST], ["from 5 of 0", "", "", "A"]],
  ["mrc402unsell", lot, ["", "+1 unit", "", "ITEM"]],
  ["mrc402unsell", lot.with(2, "20"), ["", "+20 units", "", "ITEM"]],
  ["a type of a later version", ["1", "2"], ["", "", "", ""]],
] as const) {
  test(`${type} ${JSON.stringify(parameters)}: ${says.filter((text) => text !== "").join(", ")}`, () => {
    const summary = recordSummary({ type, address: ME, parameters }, amountText);
    assert.deepEqual([summary.amount, summary.goods, summary.with, summary.about], says);
  });
}
