import assert from "node:assert/strict";
import { test } from "node:test";
import type { Transaction } from "@moneta/sdk";
import { feesOf, moneyFlow, percentOf } from "./money-flow.ts";

function transactionWith(
  effects: readonly { type: string; address?: string; parameters: readonly string[] }[],
): Transaction {
  const of = { token: 0, values: {}, address: "" };
  return {
    ...{ id: "", db_sn: "1", db_id: "", timestamp: 0, validationCode: "0" },
    ...{ type: "transfer", address: "ANN", token: 0, parameters: [], values: {} },
    effects: effects.map((effect) => ({ ...of, ...effect })) as unknown as Transaction["effects"],
  };
}

const moved = (type: string, to: string, amount: string): object => ({
  ...{ from_addr: "L", to_addr: to, amount, token: "7", trade_amount: "", trade_id: "", type },
});

test("a trade is divided among seller, platform, creator, project and shareholders", () => {
  const payments = JSON.stringify([
    moved("mrc402_buy", "L", "1000"),
    {
      from_addr: "L",
      to_addr: "ANN",
      amount: "",
      token: "",
      trade_amount: "2",
      trade_id: "I",
      type: "mrc402_recv_item",
    },
    moved("mrc402_recv_fee_owner", "OWNER", "10"),
    moved("mrc402_recv_fee_creator", "CREATOR", "50"),
    moved("mrc402_recv_fee_platform", "PLATFORM", "20"),
    moved("mrc402_recv_fee_shareholder", "SHARE", "5"),
    moved("mrc402_recv_sell", "BOB", "915"),
  ]);
  const flow = moneyFlow(
    transactionWith([{ type: "mrc402_buy", parameters: ["L", "BOB", "ANN", payments, "I"] }]),
  );
  assert.ok(flow !== undefined);
  assert.deepEqual([flow.token, flow.total, feesOf(flow)], ["7", 1000n, 85n]);
  assert.deepEqual(
    flow.parts.map(({ to, role }) => `${role} ${to}`),
    ["seller BOB", "creator CREATOR", "platform PLATFORM", "owner OWNER", "shareholder SHARE"],
  );
});

test("a melting of units is divided by the records of those who received", () => {
  const received = (type: string, address: string, amount: string) => ({
    type,
    address,
    parameters: ["I", address, amount, "0", "", "0", "", "I", ""],
  });
  const flow = moneyFlow(
    transactionWith([received("receive_meltfee", "A", "5"), received("receive_melt", "B", "95")]),
  );
  assert.deepEqual(flow?.parts, [
    { to: "B", role: "reserve", amount: 95n, token: "0" },
    { to: "A", role: "owner", amount: 5n, token: "0" },
  ]);
});

test("payments of a bundle are summed by payee", () => {
  const paid = (address: string, amount: string) => ({
    type: "receive",
    address,
    parameters: ["ANN", address, amount, "0", "", "0", "", ""],
  });
  const flow = moneyFlow(transactionWith([paid("B", "5"), paid("C", "9"), paid("B", "6")]));
  assert.deepEqual(
    flow?.parts.map(({ to, amount }) => [to, amount]),
    [
      ["B", 11n],
      ["C", 9n],
    ],
  );
  assert.equal(flow?.total, 20n);
});

test("a bid, and what is no payments text, divide nothing", () => {
  const bid = JSON.stringify([
    moved("mrc402_recv_refund", "BOB", "5"),
    moved("mrc402_bid", "L", "9"),
  ]);
  for (const payments of [bid, "", "{", "[1,null]", "{}"]) {
    const parameters = ["L", "BOB", "ANN", payments, "", ""];
    assert.equal(
      moneyFlow(transactionWith([{ type: "mrc402_auctionbid", parameters }])),
      undefined,
    );
  }
});

test("shares of amounts of any size", () => {
  assert.equal(percentOf(1n, 3n), 33.33);
  assert.equal(percentOf(10n ** 39n, 10n ** 40n), 10);
  assert.equal(percentOf(0n, 0n), 0);
});
