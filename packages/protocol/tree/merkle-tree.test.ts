import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../testing/any-text.ts";
import type { Sha256 } from "./hashing.ts";
import { MerkleTree } from "./merkle-tree.ts";

const sha256: Sha256 = {
  hex: (data) => createHash("sha256").update(data).digest("hex"),
  bytes: (data) => createHash("sha256").update(data).digest(),
};

function treeOf(leafTexts: readonly string[], tree = new MerkleTree(sha256)): MerkleTree {
  for (const text of leafTexts) {
    tree.append(text);
  }
  return tree;
}

/** RFC 6962, section 2.1, word for word. */
function naiveRoot(leafTexts: readonly string[]): Uint8Array {
  if (leafTexts.length === 0) {
    return sha256.bytes("");
  }
  if (leafTexts.length === 1) {
    return sha256.bytes(Buffer.concat([Buffer.of(0), Buffer.from(leafTexts[0] as string)]));
  }
  let split = 1;
  while (split * 2 < leafTexts.length) {
    split *= 2;
  }
  const left = naiveRoot(leafTexts.slice(0, split));
  const right = naiveRoot(leafTexts.slice(split));
  return sha256.bytes(Buffer.concat([Buffer.of(1), left, right]));
}

test("the root is that of RFC 6962 for every number of leaves", () => {
  const leaves = Array.from({ length: 70 }, (_, i) => `leaf ${i}`);
  const tree = new MerkleTree(sha256);
  for (const [i, leaf] of leaves.entries()) {
    tree.append(leaf);
    assert.equal(tree.size, i + 1);
    assert.deepEqual(tree.root(), naiveRoot(leaves.slice(0, i + 1)));
  }
});

test("a tree continues from the size and the frontier of another", () =>
  fc.assert(
    fc.property(fc.array(anyText()), fc.nat(), (leaves, at) => {
      const cut = at % (leaves.length + 1);
      const first = treeOf(leaves.slice(0, cut));
      const second = treeOf(leaves.slice(cut), new MerkleTree(sha256, first.size, first.frontier));
      assert.deepEqual(second.root(), naiveRoot(leaves));
      assert.equal(second.size, leaves.length);
      assert.deepEqual(first.root(), naiveRoot(leaves.slice(0, cut)));
    }),
  ));

test("a copy and its original grow apart", () => {
  const original = treeOf(["a", "b", "c"]);
  const copy = original.copy();
  copy.append("d");
  original.append("e");
  assert.deepEqual(copy.root(), naiveRoot(["a", "b", "c", "d"]));
  assert.deepEqual(original.root(), naiveRoot(["a", "b", "c", "e"]));
});

test("appending answers the hash of the leaf, with which another tree comes to the same root", () => {
  const texts = treeOf(["a", "b"]);
  const hashes = new MerkleTree(sha256);
  for (const text of ["a", "b", "é"]) {
    hashes.appendHash(new MerkleTree(sha256).append(text));
  }
  assert.deepEqual(texts.append("é"), sha256.bytes(Buffer.from("\0é")));
  assert.deepEqual(hashes.root(), texts.root());
});

test("the frontier holds the roots of the complete subtrees, largest first", () =>
  assert.deepEqual(treeOf(["a", "b", "c"]).frontier, [naiveRoot(["a", "b"]), naiveRoot(["c"])]));

test("a size beyond 32 bits is counted right", () => {
  const size = 2 ** 40 + 1;
  const hashes = [sha256.bytes("x"), sha256.bytes("y")];
  const tree = new MerkleTree(sha256, size, hashes);
  tree.append("z");
  assert.equal(tree.size, size + 1);
  assert.equal(tree.frontier.length, 2);
  assert.deepEqual(tree.frontier[0], hashes[0]);
});

test("a frontier that does not fit the size is a bug", () => {
  assert.throws(() => new MerkleTree(sha256, 3, [sha256.bytes("")]));
  assert.throws(() => new MerkleTree(sha256, 0, [sha256.bytes("")]));
});
