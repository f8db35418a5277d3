import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { leafHash, MerkleTree, verifyConsistency, verifyInclusion } from "@moneta/protocol";
import { InvalidBlock } from "../chain/invalid-block.ts";
import { sha256 } from "../sha256.ts";
import { replay, rowsOf, TestLedger } from "../testing/test-ledger.ts";

// Blocks of one transaction and of many, which begin and end before, at and behind the ends of
// tiles.
const BLOCKS = [1, 1, 250, 1, 1, 1, 300, 2, 150, 59, 1, 40];

let ledger: TestLedger;
let size: number;
/** The root at every size, and every leaf, from the blocks' own headers and from leaf texts. */
const roots: Uint8Array[] = [];
let leaves: Uint8Array[];

before(async () => {
  ledger = await TestLedger.begin();
  for (const count of BLOCKS) {
    await ledger.createAddresses(count);
  }
  size = ledger.newestBlock.header.size;
  leaves = ledger.reading(() => ledger.reader.leafTexts(0, size)).map((t) => leafHash(sha256, t));
  const tree = new MerkleTree(sha256);
  for (const hash of leaves) {
    roots.push(tree.root());
    tree.appendHash(hash);
  }
  roots.push(tree.root());
});
after(() => ledger[Symbol.dispose]());

test("leaf texts come to what every header commits to", () => {
  assert.equal(leaves.length, size);
  for (const { header } of ledger.blocks) {
    assert.equal(Buffer.from(roots[header.size] as Uint8Array).toString("hex"), header.tree);
  }
});

test("leaf hashes are stored with their transactions, and roots of full tiles beside them", () => {
  ledger.reading(() => {
    const { tree } = ledger.reader;
    assert.equal(bytes(tree.hashes(0, 0, size)), leaves.map(bytes).join(""));
    const full = Math.floor(size / 256);
    const tiles = Array.from({ length: full }, (_, number) => {
      const own = new MerkleTree(sha256);
      for (const leaf of leaves.slice(number * 256, (number + 1) * 256)) {
        own.appendHash(leaf);
      }
      return own.root();
    });
    assert.equal(bytes(tree.hashes(1, 0, 1000)), tiles.map(bytes).join(""));
  });
});

test("chain §12: proofs of leaves at many sizes verify, at the smallest one too", () => {
  ledger.reading(() => {
    const { tree } = ledger.reader;
    for (let index = 0; index < size; index += 7) {
      for (const at of [index + 1, index + 2, 256, 257, 512, 513, size - 1, size]) {
        if (at > index && at <= size) {
          const path = tree.inclusionPath({ index, size: at });
          const root = roots[at] as Uint8Array;
          const leaf = leaves[index] as Uint8Array;
          assert.ok(verifyInclusion(sha256, { leafHash: leaf, index, size: at, root, path }));
        }
      }
    }
  });
});

test("chain §12: consistency from every size to the newest verifies", () => {
  ledger.reading(() => {
    const { tree } = ledger.reader;
    const toRoot = roots[size] as Uint8Array;
    for (let from = 1; from <= size; from += 1) {
      const path = tree.consistencyPath({ from, to: size });
      const fromRoot = roots[from] as Uint8Array;
      assert.deepEqual(bytes(tree.root(from)), bytes(fromRoot));
      assert.ok(verifyConsistency(sha256, { from, to: size, fromRoot, toRoot, path }));
    }
  });
});

test("a size that no block ends at has a root, too", () => {
  assert.ok(!ledger.blocks.some(({ header }) => header.size === 100));
  const root = ledger.reading(() => ledger.reader.tree.root(100));
  assert.equal(bytes(root), bytes(roots[100] as Uint8Array));
});

test("leaf texts of a part are those of the whole", () => {
  ledger.reading(() => {
    const { reader } = ledger;
    const all = reader.leafTexts(0, size);
    for (const [from, to] of [
      [0, 1],
      [2, 3],
      [250, 260],
      [256, 512],
      [size - 1, size],
      [size - 1, size + 5],
      [size, size + 1],
      [5, 5],
    ] as const) {
      assert.deepEqual(reader.leafTexts(from, to), all.slice(from, to));
    }
  });
});

test("replay and rebuild come to the same tables", () => {
  const before = rowsOf(ledger.database);
  assert.ok((before["subtree"]?.length ?? 0) >= 3);
  const { database } = replay(ledger.blocks);
  assert.deepEqual(rowsOf(database), before);
  database.close();
  ledger.rebuild();
  assert.deepEqual(rowsOf(ledger.database), before);
});

for (const sql of [
  "UPDATE subtree SET hash = zeroblob(32) WHERE number = 1",
  "DELETE FROM subtree WHERE number = 0",
  "UPDATE transaction_record SET leaf_hash = zeroblob(32) WHERE number = (SELECT max(number) - 1 FROM transaction_record)",
  "UPDATE head SET frontier = zeroblob(length(frontier))",
  "UPDATE head SET size = size + 2", // which has as many 1s
]) {
  test(`${sql} is found by the check of links`, async () => {
    using own = await TestLedger.begin();
    await own.createAddresses(600);
    own.ledger.checkLinks();
    own.database.exec(sql);
    own.restart();
    assert.throws(() => own.ledger.checkLinks(), InvalidBlock);
  });
}

function bytes(hash: Uint8Array): string {
  return Buffer.from(hash).toString("hex");
}
