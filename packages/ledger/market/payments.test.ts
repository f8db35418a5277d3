import assert from "node:assert/strict";
import { test } from "node:test";
import type { Amount, TokenId } from "@moneta/protocol";
import fc from "fast-check";
import { type Movement, paymentsText } from "./payments.ts";

const money = (amount: bigint): Movement => ({
  type: "mrc010_buy",
  from: "B",
  to: "DEX010_x",
  amount: amount as Amount,
  token: "0" as TokenId,
});
const units = (amount: bigint): Movement => ({
  type: "mrc010_recv_item",
  from: "DEX010_x",
  to: "B",
  amount: amount as Amount,
  units: "7",
});

const MONEY =
  '{"from_addr":"B","to_addr":"DEX010_x","amount":"30","token":"0","trade_amount":"","trade_id":"","type":"mrc010_buy"}';
const UNITS =
  '{"from_addr":"DEX010_x","to_addr":"B","amount":"","token":"","trade_amount":"100","trade_id":"7","type":"mrc010_recv_item"}';

for (const { what, movements, text } of [
  { what: "money has an amount and a token", movements: [money(30n)], text: `[${MONEY}]` },
  {
    what: "units have a trade amount and a trade id",
    movements: [units(100n)],
    text: `[${UNITS}]`,
  },
  {
    what: "movements stand in their order",
    movements: [units(100n), money(30n), units(100n)],
    text: `[${UNITS},${MONEY},${UNITS}]`,
  },
  {
    what: "movements of 0 are left out",
    movements: [money(0n), units(100n), units(0n), money(30n), money(0n)],
    text: `[${UNITS},${MONEY}]`,
  },
  { what: "where nothing moves there is an empty list", movements: [money(0n)], text: "[]" },
]) {
  test(`market §4: ${what}`, () => assert.equal(paymentsText(movements), text));
}

test("market §4: amounts of any size stand there to the unit", () =>
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.bigInt(0n, 10n ** 40n), fc.boolean())), (drawn) => {
      const text = paymentsText(
        drawn.map(([amount, isMoney]) => (isMoney ? money(amount) : units(amount))),
      );
      const reported = (JSON.parse(text) as { amount: string; trade_amount: string }[]).map(
        ({ amount, trade_amount: traded }) => BigInt(amount + traded),
      );
      assert.deepEqual(
        reported,
        drawn.map(([amount]) => amount).filter((amount) => amount > 0n),
      );
    }),
  ));
