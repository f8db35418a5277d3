import assert from "node:assert/strict";
import { test } from "node:test";
import { ALICE, BOB } from "../testing/requests.ts";
import { movementOf } from "./movement.ts";
import { recordParameters } from "./named-parameters.ts";

const signed = { signature: "MEQ=", tkey: "key" };
const request = {
  ...{ dexid: "DEX010_1", address: ALICE, amount: "100", mrc010id: "1", price: "3", token: "2" },
  ...{ platform_name: "", platform_url: "", platform_commission: "10", platform_address: BOB },
  ...{ min_trade_unit: "10", ...signed },
};
const side = (name: string) => ({
  ...{ [`${name}Addr`]: name === "from" ? ALICE : BOB, [`${name}Amount`]: "5" },
  ...{ [`${name}Token`]: "2", [`${name}Feesendto`]: BOB, [`${name}Feeamount`]: "4" },
  ...{ [`${name}Feetoken`]: "3", [`${name}Tag`]: "", [`${name}Memo`]: "", [`${name}Sign`]: "MEQ=" },
});
const swap = { ...side("from"), ...side("to") };

for (const { type, values, of, moved, fees } of [
  { type: "mrc010reqsell", values: request, of: "2", moved: "-33", fees: [["2", 3n]] },
  { type: "mrc010reqsell", values: request, of: "2", moved: "-30", fees: [] },
  { type: "mrc010reqsell", values: request, of: "1", moved: "-33", fees: [] },
  { type: "exchange", values: swap, of: "2", moved: "-5", fees: [["3", 4n]] },
  { type: "exchangePair", values: swap, of: "2", moved: "5", fees: [["3", 4n]] },
  { type: "mrc010sell", values: request, of: "1", moved: "-100", fees: [] },
] as const) {
  test(`protocols §3, tokens §8: the fees in a record ${type} that moves ${moved} of token ${of}: ${fees}`, () => {
    const { parameters } = recordParameters(type, values as never);
    const record = {
      type,
      address: ALICE,
      parameters,
      values: { moved: [{ amount: moved, token: of }] },
    };
    const movement = movementOf(record);
    assert.deepEqual([...movement.tokens], [[of, BigInt(moved)]]);
    assert.deepEqual([...movement.fees], fees);
  });
}

test("chain §3.1: entries of a wrong node that are malformed are left out", () => {
  const moved = [
    { amount: "x", token: "1" },
    { amount: "5" },
    null,
    "5",
    { amount: "7", token: "2" },
  ];
  const record = { type: "transfer", address: ALICE, parameters: [] };
  assert.deepEqual([...movementOf({ ...record, values: { moved } }).tokens], [["2", 7n]]);
  assert.deepEqual(movementOf({ ...record, values: { moved: "all" } }).tokens.size, 0);
});
