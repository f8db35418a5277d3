import assert from "node:assert/strict";
import { test } from "node:test";
import { RECORD_TYPES } from "@moneta/protocol";
import { recordKind } from "./record-kinds.ts";
import { recordSummary } from "./record-summary.ts";

// What records say is tried with those of a node in story.test.ts. Here are those that need much to come about, with parameters as chain §9 lists them.

const ME = "ME";
const amountText = (units: string, token: string): string => `${units} of ${token}`;

function told(type: string, parameters: readonly string[]): string[] {
  const {
    amount,
    goods,
    with: other,
    about,
  } = recordSummary({ type, address: ME, parameters }, amountText);
  return [amount, goods, other, about];
}

for (const [type, parameters, says] of [
  ["transfer", [ME, "BOB", "5", "0", "S", "0", "", ""], ["-5 of 0", "", "BOB", ""]],
  ["receive", ["BOB", ME, "5", "7", "S", "0", "", ""], ["+5 of 7", "", "BOB", ""]],
  ["token_reserve", ["BOB", ME, "5", "7"], ["+5 of 7", "", "BOB", ""]],
  ["ownerBurning", ["7", "5", "S"], ["-5 of 7", "", "", ""]],
  ["mrc010reqsell", ["DEX", ME, "9", "7", "5", "0"], ["offers 5 of 0", "wants 9 of 7", "", "DEX"]],
  ["mrc010unreqsell", ["DEX", ME, "9", "7", "5", "0", "S"], ["+5 of 0", "", "", "DEX"]],
  ["mrc010auctionfailure", ["DEX", ME, "9", "7"], ["", "+9 of 7", "", "DEX"]],
  ["receive_mrc010item", ["DEX", ME, "0", "0", "", "0", "9", "7"], ["", "+9 of 7", "", "DEX"]],
  ["receive_mrc010refund", ["DEX", ME, "5", "0", "S", "0", "0", "7"], ["+5 of 0", "", "", "DEX"]],
  ["receive_melt", ["ITEM", ME, "5", "0", "S", "0", "", "ITEM"], ["+5 of 0", "", "", "ITEM"]],
  [
    "receive_mrc401fee",
    ["BOB", ME, "5", "0", "S", "0", "", "ITEM"],
    ["+5 of 0", "", "BOB", "ITEM"],
  ],
  [
    "receive_mrc401refund",
    ["ITEM", ME, "5", "0", "S", "0", "", "ITEM"],
    ["+5 of 0", "", "", "ITEM"],
  ],
  ["mrc401transfer", ['["A","B"]', ME, "BOB", "S"], ["", "", "BOB", "2 items"]],
  ["mrc401sell", [' [{"id":"A","price":5,"token":"7"}]', ME], ["asks 5 of 7", "", "", "A"]],
  ["mrc401sell", ['[{"id":"A","amount":"5","token":"7"}]', ME], ["", "", "", "A"]],
  ["mrc401unsell", ['["A"]', ME], ["", "", "", "A"]],
  ["mrc402auction", ['[{"id":"A","start":"5","token":"7"}]', ME], ["from 5 of 7", "", "", "A"]],
  ["mrc402unsell", ["DEX", ME, "1", "ITEM", "5", "0", "S"], ["", "+1 unit", "", "ITEM"]],
  ["mrc402unsell", ['["DEX"]', ME], ["", "", "", "DEX"]],
  ["receive_mrc402item", ["DEX", ME, "0", "0", "", "0", "4", "ITEM"], ["", "+4 units", "", "ITEM"]],
  ["mrc402auctionfailure", ["DEX", ME, "4", "ITEM"], ["", "+4 units", "", "ITEM"]],
  ["mrc401_buy", ["ITEM", "BOB", ME, "[]"], ["", "", "", "ITEM"]],
  ["a type of a later version", ["1", "2"], ["", "", "", ""]],
  ["constructor", ["1", "2"], ["", "", "", ""]],
] as const) {
  test(`${type} ${JSON.stringify(parameters)}: ${says.filter((text) => text !== "").join(", ")}`, () => {
    assert.deepEqual(told(type, parameters), says);
  });
}

test("whoever is paid or gains anything is told so with a sign", () => {
  const gains = RECORD_TYPES.filter((type) => /^receive(_(mrc010|mrc402|melt)|$)/.test(type));
  for (const type of gains) {
    const { money, goods } = recordKind(type);
    assert.equal((money ?? goods)?.[0], "+", type);
  }
});
