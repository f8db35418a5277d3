import assert from "node:assert/strict";
import { test } from "node:test";
import { ALICE, accepted, answerTo } from "../../testing/requests.ts";
import { coin, genesisProtocol } from "./genesis.ts";

const TREASURY = `[{"address":"${ALICE}","value":"5","unlockdate":0}]`;
const COIN = { name: "Test Coin", symbol: "TST", decimal: "8", totalsupply: "5" };

test("chain §8: the first operation of block 0 is read back", () => {
  const params = {
    auctionMax: "1814400",
    auctionMin: "3600",
    height: "0",
    ledger: "localhost/test",
    version: "1",
  };
  const request = accepted(genesisProtocol, params);
  assert.deepEqual(request.params, params);
  assert.deepEqual(request.signatures, {});
});

test("chain §8: the last operation of block 0 is read back", () => {
  const request = accepted(coin, { ...COIN, treasury: TREASURY });
  assert.deepEqual(request.values, {
    name: "Test Coin",
    symbol: "TST",
    decimal: 8,
    totalsupply: 5n,
    owner: undefined,
    treasury: { text: TREASURY, entries: [{ address: ALICE, value: 5n, unlockdate: 0 }] },
  });
});

for (const { change, answer } of [
  { change: { decimal: "19" }, answer: "1101 decimal" },
  { change: { totalsupply: "0" }, answer: "1101 totalsupply" },
  { change: { owner: "x" }, answer: "3190 owner" },
  { change: { treasury: "[]" }, answer: "3002 treasury" },
  { change: { treasury: `[${Array(101).fill(TREASURY.slice(1, -1))}]` }, answer: "3002 treasury" },
  {
    change: { treasury: TREASURY.replace('"5"', '"0"') },
    answer: "1101 treasury[0].value",
  },
]) {
  test(`accounts §12: ${JSON.stringify(change).slice(0, 80)}: ${answer}`, () =>
    assert.equal(answerTo(coin, { ...COIN, treasury: TREASURY, ...change }), answer));
}
