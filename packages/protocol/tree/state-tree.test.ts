import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { Sha256 } from "./hashing.ts";
import { type StateLeaf, statePath, stateRoot } from "./state-tree.ts";

const sha256: Sha256 = {
  hex: (data) => createHash("sha256").update(data).digest("hex"),
  bytes: (data) => createHash("sha256").update(data).digest(),
};

function leafOf(key: string, valueText: string): StateLeaf {
  return { path: statePath(sha256, key), valueHash: sha256.bytes(valueText) };
}

const ALICE = leafOf("balance/MTAlice00000000000000000000000005dc33c90/0", '{"free":"900"}');
const BOB = leafOf("balance/MTBob0000000000000000000000000005f59bcba/0", '{"free":"100"}');
const COUNT = leafOf("count/address", "2");

for (const { entries, leaves, root } of [
  {
    entries: "none",
    leaves: [],
    root: "0000000000000000000000000000000000000000000000000000000000000000",
  },
  {
    entries: "Alice's balance",
    leaves: [ALICE],
    root: "9b242e0462cbbd0800404ebd2d89c2cac22448e4415263a39c2092619a5ff60f",
  },
  {
    entries: "two balances",
    leaves: [ALICE, BOB],
    root: "7c7b28d6cb81fffcde4a142b921e799c8dad985952da71895046bdf671108454",
  },
  {
    entries: "two balances and a count",
    leaves: [ALICE, BOB, COUNT],
    root: "98ac3ddf0a4f77eba34485f8a17767eaab4b41c74839e6d540edc1a4875058b4",
  },
  {
    entries: "two paths with 12 equal bits",
    leaves: [leafOf("count/x86", "1"), leafOf("count/x153", "2")],
    root: "d328115677d701f1abb72bbb44b844d3d0a8890f70a3d4e0570224e625d18c22",
  },
]) {
  test(`proofs §2.1: the root of ${entries}, in either order`, () => {
    assert.equal(Buffer.from(stateRoot(sha256, leaves)).toString("hex"), root);
    assert.equal(Buffer.from(stateRoot(sha256, leaves.toReversed())).toString("hex"), root);
  });
}

test("proofs §2.1: the path of a key is its SHA-256", () =>
  assert.equal(
    Buffer.from(ALICE.path).toString("hex"),
    "71f6f25ea3a828bcf7af9d2c53bfc2b334bc2c6a8698a3f6020cd014a6810a6d",
  ));

test("a path that occurs twice is a bug of the caller", () =>
  assert.throws(() => stateRoot(sha256, [BOB, ALICE, BOB]), /each path once/));
