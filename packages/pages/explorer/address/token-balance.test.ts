import assert from "node:assert/strict";
import { test } from "node:test";
import { balancesByToken } from "./token-balance.ts";

test("balances of a token are put together: free, locked, and the locks in their order", () => {
  const now = 1000;
  const entries = [
    { token: "0", balance: 5n, unlockdate: 0 },
    { token: "0", balance: 10n ** 40n, unlockdate: 3000 },
    { token: "0", balance: 7n, unlockdate: 2000 },
    { token: "0", balance: 2n, unlockdate: 1000 },
    { token: "9", balance: 1n, unlockdate: 0 },
  ];
  assert.deepEqual(balancesByToken(entries, now), [
    {
      token: "0",
      free: 7n,
      locked: 10n ** 40n + 7n,
      locks: [
        { amount: 7n, unlockdate: 2000 },
        { amount: 10n ** 40n, unlockdate: 3000 },
      ],
    },
    { token: "9", free: 1n, locked: 0n, locks: [] },
  ]);
});
