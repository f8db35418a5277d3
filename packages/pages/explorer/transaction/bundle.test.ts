import assert from "node:assert/strict";
import { test } from "node:test";
import type { Transaction } from "@moneta/sdk";
import { bundleOf } from "./bundle.ts";

test("bundles §5: a bundle's operations are the first records of each, counted by kind, with the other parties", () => {
  const effects = [
    ["mrc401transfer", "ANN", 0],
    ["receive_mrc401", "BOB", 0],
    ["transfer", "ANN", 2],
    ["receive", "BOB", 2],
    ["transfer", "ANN", 3],
    ["receive", "EVE", 3],
    ["mrc401_transfer", "", 3],
  ].map(([type, address, at]) => ({ type, address, at, token: 0, parameters: [], values: {} }));
  const transaction = { type: "bundle", address: "ANN", effects } as unknown as Transaction;
  const bundle = bundleOf(transaction);
  assert.deepEqual(
    bundle?.operations.map(({ at, type, effects: others }) => [at, type, others.length]),
    [
      [0, "mrc401transfer", 1],
      [2, "transfer", 1],
      [3, "transfer", 2],
    ],
  );
  assert.deepEqual(bundle.kinds, [
    ["transfer", 2],
    ["mrc401transfer", 1],
  ]);
  assert.deepEqual(bundle.others, ["BOB", "EVE"]);
  assert.equal(bundleOf({ ...transaction, type: "transfer" }), undefined);
});
