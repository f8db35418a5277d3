import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import type { Sha256 } from "./hashing.ts";
import {
  consistencyPath,
  inclusionPath,
  pathFrontier,
  rootOf,
  type Subtrees,
  verifyConsistency,
  verifyInclusion,
} from "./merkle-proof.ts";
import { leafHash, MerkleTree } from "./merkle-tree.ts";

const sha256: Sha256 = {
  hex: (data) => createHash("sha256").update(data).digest("hex"),
  bytes: (data) => createHash("sha256").update(data).digest(),
};

/** A tree with all of its complete subtrees, and its root at every size. */
function grown(leaves: readonly string[]): {
  readonly subtrees: Subtrees;
  readonly roots: readonly Uint8Array[];
} {
  const tree = new MerkleTree(sha256);
  const hashes = new Map<string, Uint8Array>();
  const roots = [tree.root()];
  for (const [index, text] of leaves.entries()) {
    const hash = leafHash(sha256, text);
    hashes.set(`0 ${index}`, hash);
    tree.appendHash(hash, (level, at, node) => hashes.set(`${level} ${at}`, node));
    roots.push(tree.root());
  }
  const subtrees: Subtrees = (level, index) => {
    const hash = hashes.get(`${level} ${index}`);
    assert.ok(hash !== undefined, `subtree ${index} of level ${level} is complete`);
    return hash;
  };
  return { subtrees, roots };
}

function leavesOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `leaf ${index}`);
}

function hex(hashes: readonly Uint8Array[]): string[] {
  return hashes.map((hash) => Buffer.from(hash).toString("hex"));
}

// The reference inputs of the implementations of RFC 6962 in Certificate Transparency.
const REFERENCE_LEAVES = [
  "",
  "\0",
  "\x10",
  "\x20\x21",
  "\x30\x31",
  "\x40\x41\x42\x43",
  "\x50\x51\x52\x53\x54\x55\x56\x57",
  "\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f",
];
const REFERENCE_ROOTS = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];
const A = "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d";
const B = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7";
const CD = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e";
const E = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b";
const EF = "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a";
const GH = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0";
const EFGH = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4";
const [, , AB, , ABCD] = REFERENCE_ROOTS as [string, string, string, string, string];

test("the roots of the reference leaves are the published ones", () => {
  const { roots, subtrees } = grown(REFERENCE_LEAVES);
  assert.deepEqual(hex(roots), REFERENCE_ROOTS);
  for (let size = 1; size <= 8; size += 1) {
    assert.deepEqual(hex([rootOf(sha256, size, subtrees)]), [REFERENCE_ROOTS[size]]);
  }
});

for (const { index, size, path } of [
  { index: 0, size: 1, path: [] },
  { index: 0, size: 8, path: [B, CD, EFGH] },
  { index: 5, size: 8, path: [E, GH, ABCD] },
  { index: 2, size: 3, path: [AB] },
  { index: 1, size: 5, path: [A, CD, E] },
]) {
  test(`the path of reference leaf ${index} in a tree of ${size} is the published one`, () => {
    const { subtrees } = grown(REFERENCE_LEAVES);
    assert.deepEqual(hex(inclusionPath(sha256, { index, size }, subtrees)), path);
  });
}

for (const { from, to, path } of [
  { from: 1, to: 1, path: [] },
  { from: 1, to: 8, path: [B, CD, EFGH] },
  { from: 6, to: 8, path: [EF, GH, ABCD] },
  { from: 2, to: 5, path: [CD, E] },
]) {
  test(`the path from ${from} to ${to} reference leaves is the published one`, () => {
    const { subtrees } = grown(REFERENCE_LEAVES);
    assert.deepEqual(hex(consistencyPath(sha256, { from, to }, subtrees)), path);
  });
}

const MANY = 70;

test("every leaf is proved at every size, and at no other place, by no other path, under no other root", () => {
  const leaves = leavesOf(MANY);
  const { roots, subtrees } = grown(leaves);
  for (let size = 1; size <= MANY; size += 1) {
    const root = roots[size] as Uint8Array;
    for (const [index, text] of leaves.slice(0, size).entries()) {
      const path = inclusionPath(sha256, { index, size }, subtrees);
      const claim = { leafHash: leafHash(sha256, text), index, size, root, path };
      assert.ok(verifyInclusion(sha256, claim));
      assert.ok(!verifyInclusion(sha256, { ...claim, index: index + 1 }));
      assert.ok(!verifyInclusion(sha256, { ...claim, root: roots[size - 1] as Uint8Array }));
      assert.ok(!verifyInclusion(sha256, { ...claim, path: [...path, root] }));
      assert.ok(path.length === 0 || !verifyInclusion(sha256, { ...claim, path: path.slice(1) }));
    }
  }
});

test("the path of a leaf has the frontier of the tree before it, from which that tree grows again", () => {
  const leaves = leavesOf(MANY);
  const { roots, subtrees } = grown(leaves);
  for (let size = 1; size <= MANY; size += 1) {
    for (let index = 0; index < size; index += 1) {
      const path = inclusionPath(sha256, { index, size }, subtrees);
      const tree = new MerkleTree(sha256, index, pathFrontier({ index, size, path }));
      assert.deepEqual(tree.root(), roots[index]);
      for (const text of leaves.slice(index, size)) {
        tree.append(text);
      }
      assert.deepEqual(tree.root(), roots[size]);
    }
  }
});

test("every size is proved to have grown to every later one, and nothing else is", () => {
  const { roots, subtrees } = grown(leavesOf(MANY));
  for (let to = 1; to <= MANY; to += 1) {
    for (let from = 1; from <= to; from += 1) {
      const path = consistencyPath(sha256, { from, to }, subtrees);
      const [fromRoot, toRoot] = [roots[from] as Uint8Array, roots[to] as Uint8Array];
      const claim = { from, to, fromRoot, toRoot, path };
      assert.ok(verifyConsistency(sha256, claim), `${from} to ${to}`);
      assert.ok(!verifyConsistency(sha256, { ...claim, fromRoot: roots[from - 1] as Uint8Array }));
      assert.ok(!verifyConsistency(sha256, { ...claim, toRoot: roots[to - 1] as Uint8Array }));
      assert.ok(!verifyConsistency(sha256, { ...claim, path: [...path, toRoot] }));
      assert.ok(from === to || !verifyConsistency(sha256, { ...claim, path: path.slice(1) }));
    }
  }
});

test("no changed bit in any part of a proof is accepted", () =>
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 600 }), fc.nat(), fc.nat(), fc.nat(), (to, a, b, bit) => {
      const leaves = leavesOf(to);
      const { roots, subtrees } = grown(leaves);
      const index = a % to;
      const inclusion = {
        leafHash: leafHash(sha256, leaves[index] as string),
        index,
        size: to,
        root: roots[to] as Uint8Array,
        path: inclusionPath(sha256, { index, size: to }, subtrees),
      };
      assert.ok(verifyInclusion(sha256, inclusion));
      const path = changed(inclusion.path, b, bit);
      assert.ok(!verifyInclusion(sha256, { ...inclusion, path }));

      const from = 1 + (a % (to - 1));
      const consistency = {
        from,
        to,
        fromRoot: roots[from] as Uint8Array,
        toRoot: roots[to] as Uint8Array,
        path: consistencyPath(sha256, { from, to }, subtrees),
      };
      assert.ok(verifyConsistency(sha256, consistency));
      const other = changed(consistency.path, b, bit);
      assert.ok(!verifyConsistency(sha256, { ...consistency, path: other }));
    }),
    { numRuns: 50 },
  ));

function changed(path: readonly Uint8Array[], at: number, bit: number): Uint8Array[] {
  const changed = path.map((hash) => Uint8Array.from(hash));
  const hash = changed[at % path.length] as Uint8Array;
  const byte = bit % hash.length;
  hash[byte] = (hash[byte] as number) ^ (1 << (bit % 8));
  return changed;
}

test("sizes beyond 32 bits are proved alike", () => {
  // All leaves are the same, so that every subtree of a level is.
  const ofLevel = [leafHash(sha256, "x")];
  while (ofLevel.length < 54) {
    const below = ofLevel.at(-1) as Uint8Array;
    ofLevel.push(sha256.bytes(Buffer.concat([Buffer.of(1), below, below])));
  }
  const subtrees: Subtrees = (level) => ofLevel[level] as Uint8Array;
  const from = 2 ** 40 + 3;
  const to = 2 ** 45 + 2 ** 33 + 5;
  const index = 2 ** 45 + 2 ** 33 + 1;
  const root = rootOf(sha256, to, subtrees);
  const inclusion = {
    leafHash: ofLevel[0] as Uint8Array,
    index,
    size: to,
    root,
    path: inclusionPath(sha256, { index, size: to }, subtrees),
  };
  assert.ok(verifyInclusion(sha256, inclusion));
  assert.ok(!verifyInclusion(sha256, { ...inclusion, index: index - 2 ** 33 }));
  const path = consistencyPath(sha256, { from, to }, subtrees);
  const fromRoot = rootOf(sha256, from, subtrees);
  assert.ok(verifyConsistency(sha256, { from, to, fromRoot, toRoot: root, path }));
  assert.ok(!verifyConsistency(sha256, { from: from + 1, to, fromRoot, toRoot: root, path }));
});

test("numbers that are none of leaves prove nothing", () => {
  const root = leafHash(sha256, "x");
  for (const [index, size] of [
    [1, 1],
    [-1, 1],
    [0, 0],
    [0.5, 1],
    [0, Number.NaN],
    [0, Number.POSITIVE_INFINITY],
    [0, 2 ** 53],
  ] as const) {
    assert.ok(!verifyInclusion(sha256, { leafHash: root, index, size, root, path: [] }));
  }
  for (const [from, to] of [
    [0, 1],
    [2, 1],
    [0, 0],
    [-1, -1],
    [0.5, 0.5],
  ] as const) {
    assert.ok(
      !verifyConsistency(sha256, { from, to, fromRoot: root, toRoot: root, path: [] }),
      `${from} to ${to}`,
    );
  }
});

test("the growing tree tells of every complete subtree just once", () => {
  const reported: string[] = [];
  const tree = new MerkleTree(sha256);
  for (const text of leavesOf(6)) {
    tree.appendHash(leafHash(sha256, text), (level, index) => reported.push(`${level} ${index}`));
  }
  assert.deepEqual(reported, ["1 0", "1 1", "2 0", "1 2"]);
});
