import assert from "node:assert/strict";
import { test } from "node:test";
import type { Total, TransactionRecord } from "@moneta/sdk";
import { mostTraded, readDayFigures } from "./day-figures.ts";

const PROJECT = `MRC400_${"a".repeat(33)}`;
const UNITS = `MRC402_${"b".repeat(33)}`;

const buys = (item: string, type = "transfer_mrc401buy"): TransactionRecord =>
  ({
    ...{ type, address: "ANN", token: 0 },
    parameters:
      type === "transfer_mrc401buy"
        ? ["ANN", item, "5", "0", "signature", "0", "", item, "key"]
        : ["ANN", "DEX402_1", "5", "0", "signature", "0", "1", item, "key"],
  }) as unknown as TransactionRecord;
const trades = (token: number): TransactionRecord =>
  ({
    ...{ type: "stodexExchange", address: "BOB", token },
    parameters: ["BOB", "5", "MRC040_1", "TRD040_1", "signature", "key"],
  }) as unknown as TransactionRecord;

test("most traded are a project, a multi-unit item or a token, of two alike the last traded", () => {
  assert.deepEqual(
    mostTraded([trades(2), buys(`${PROJECT}_1`), buys(`${PROJECT}_2`), buys(UNITS)]),
    { what: { thing: PROJECT }, count: 2, of: 4 },
  );
  assert.deepEqual(mostTraded([trades(2), buys(`${PROJECT}_1`)]), {
    ...{ what: { token: "2" }, count: 1, of: 2 },
  });
  assert.deepEqual(mostTraded([buys(UNITS, "transfer_mrc402buy")])?.what, { thing: UNITS });
  assert.equal(mostTraded([]), undefined);
});

test("figures are of the last five minutes, of 24 hours, and of the newest hundred", async () => {
  const now = 1_795_361_429;
  const asked: unknown[] = [];
  const figures = await readDayFigures(
    {
      totals: async (request) => {
        asked.push(request);
        const types = { transfer: 3, stodexExchange: 2, transfer_mrc401buy: 1 };
        return [{ time: now, count: 6, types, addresses: 1200 }] satisfies Total[];
      },
      transactions: async (request) => {
        assert.equal(request && "limit" in request && request.limit, 100);
        return { items: [trades(2), trades(2), buys(UNITS)] };
      },
    },
    now + 0.5,
    {},
  );
  assert.deepEqual(asked, [
    { step: "minute", since: now - 300 },
    { step: "day", until: now },
  ]);
  const most = { what: { token: "2" }, count: 2, of: 3 };
  assert.deepEqual(figures, { recent: 6, trades: 3, active: 1200, most });
});
