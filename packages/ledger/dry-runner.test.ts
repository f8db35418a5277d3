import assert from "node:assert/strict";
import { test } from "node:test";
import { type Address, mrc040Request, type TransactionRecord } from "@moneta/protocol";
import { forecast } from "./testing/models/forecast.ts";
import { operationOf } from "./testing/test-ledger.ts";
import { OrderMarket } from "./testing/trade/order-market.ts";

test("operations of a dry run read no more documents for those that came before them", async () => {
  using market = await OrderMarket.open();
  const { client } = market;
  const sellers = await market.people(["one", "other"], { base: 0n, target: 900n });
  for (const seller of Object.values<Address>(sellers)) {
    for (let count = 0; count < 900; count += 100) {
      const sales = Array.from({ length: 100 }, () => market.terms("SELL", "1", "10"));
      const answers = await client.block(sales.map((sale) => ["mrc040create", seller, sale]));
      assert.deepEqual([...new Set(answers.map(({ summary: reported }) => reported))], ["done"]);
    }
  }
  const { buyer } = await market.people(["buyer"], { base: 2000n, target: 0n });
  const requests = Array.from({ length: 16 }, () => {
    const sent = { ...market.terms("BUY", "100", "10"), requester: buyer };
    const signed = { tkey: client.ledger.key(buyer), signature: "MEQ=" };
    return operationOf(mrc040Request, { ...sent, ...signed }, buyer);
  });
  const traded = forecast(client.ledger, requests).map((reported) => {
    const { effects } = JSON.parse(reported) as TransactionRecord;
    return effects.filter(({ type }) => type === "stodexExchange").length;
  });
  assert.deepEqual(traded, Array(16).fill(100));
});
