import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest } from "./nearest.ts";

for (const { given, names, name } of [
  { given: "tranfer", names: ["transfer", "faucet"], name: "transfer" },
  { given: "blance", names: ["blocks", "balance"], name: "balance" },
  { given: "kye", names: ["key", "tx"], name: "key" },
  { given: "shwo", names: ["show", "sell"], name: "show" },
  { given: "hist", names: ["history"], name: "history" },
  { given: "frobnicate", names: ["transfer", "faucet"], name: undefined },
  { given: "x", names: ["transfer", "faucet"], name: undefined },
]) {
  test(`${given} is most like ${name}`, () => assert.equal(nearest(given, names), name));
}
