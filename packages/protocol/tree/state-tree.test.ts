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
test("a path that occurs twice is a bug of the caller", () =>
  assert.throws(() => stateRoot(sha256, [BOB, ALICE, BOB]), /each path once/));
