import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addressAround,
  leafText,
  MerkleTree,
  operationText,
  recordText,
  type TransactionRecord,
  transfer,
} from "@moneta/protocol";
import { sha256 } from "../sha256.ts";
import { operationOf, T } from "../testing/test-ledger.ts";
import { BlockBuilder } from "./block-builder.ts";

const ALICE = addressAround("Alice0000000000000000000000000");
const BOB = addressAround("Bob000000000000000000000000000");
const SIGNATURE =
  "MEQCIFQCqB0S3n1NANV96VYQm9IhgTUZdG9oq0SQi7Keq1rOAiAp4b/avEqED2CiNBozXWVGisbScFgggFwYVCQuWQM1Ww==";

const EXAMPLE = operationOf(
  transfer,
  {
    from: ALICE,
    to: BOB,
    token: "0",
    amount: "100",
    checkkey: "K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX",
    memo: "coffee",
    signature: SIGNATURE,
  },
  ALICE,
);
const PARAMETERS = [ALICE, BOB, "100", "0", SIGNATURE, "0", "", "coffee"];
const RECORD: TransactionRecord = {
  type: "transfer",
  address: ALICE,
  token: 0,
  parameters: PARAMETERS,
  values: {
    balance: [{ balance: "900", token: "0", unlockdate: 0 }],
    moved: [{ amount: "-100", token: "0" }],
  },
  effects: [
    {
      type: "receive",
      address: BOB,
      token: 0,
      parameters: PARAMETERS,
      values: {
        balance: [{ balance: "100", token: "0", unlockdate: 0 }],
        moved: [{ amount: "100", token: "0" }],
      },
    },
  ],
};
const START = {
  protocol: 1,
  height: 258,
  timestamp: T,
  previous: "b".repeat(64),
  ledgerTree: new MerkleTree(sha256),
};
const CHANGES = `{"balance/${ALICE}/0":{"free":"900"},"balance/${BOB}/0":{"free":"100"}}`;

test("chain §4.8: the worked example, all that does not depend on the blocks before", () => {
  const builder = new BlockBuilder(START);
  const added = builder.add(EXAMPLE, RECORD);
  assert.equal(
    added.transactionId,
    "00000000000001020000000062838ec1189d0b649eba4bbbac485d6e94fb6834",
  );
  assert.equal(added.contentHash, "62838ec1189d0b649eba4bbbac485d6e94fb6834");
  assert.equal(added.recordText, recordText(RECORD));
  const { block, ledgerTree } = builder.close(sha256.hex(CHANGES));
  assert.deepEqual(block.operations, [EXAMPLE]);
  // Of the example's ledger tree the thousand leaves before are made up.
  const { tree, size, ...header } = block.header;
  assert.deepEqual(header, {
    v: 1,
    protocol: 1,
    sn: 258,
    timestamp: T,
    previous: "b".repeat(64),
    count: 1,
    root: "65f105bf2e088759181263386fd0fa6f83b2817bdb1c3838b2420e005604a36b",
    changes: "d0bf332f3dcffb1720fe5bcbae2e20c28fda0529b8cd5fc124e07e72133d3d3a",
  });
  assert.deepEqual([size, tree], [1, header.root]);
  assert.equal(ledgerTree.size, 1);
});

test("chain §4.5: the block tree has the leaves of the block, the ledger tree all of them", () => {
  const ledgerTree = new MerkleTree(sha256);
  const all = new MerkleTree(sha256);
  for (const earlier of ["a", "b", "c"]) {
    ledgerTree.append(earlier);
    all.append(earlier);
  }
  const builder = new BlockBuilder({ ...START, ledgerTree });
  const own = new MerkleTree(sha256);
  for (const amount of ["1", "2"]) {
    const operation = operationText({ ...JSON.parse(EXAMPLE), params: { amount } });
    const { transactionId } = builder.add(operation, RECORD);
    const leaf = leafText({
      id: transactionId,
      operationHash: sha256.hex(operation),
      recordHash: sha256.hex(recordText(RECORD)),
      timestamp: T,
    });
    own.append(leaf);
    all.append(leaf);
  }
  const { header } = builder.close(sha256.hex("{}")).block;
  assert.equal(header.root, Buffer.from(own.root()).toString("hex"));
  assert.equal(header.tree, Buffer.from(all.root()).toString("hex"));
  assert.deepEqual([header.count, header.size], [2, 5]);
});

test("a block that is given up leaves the ledger tree as it was", () => {
  const ledgerTree = new MerkleTree(sha256);
  ledgerTree.append("a");
  const before = Buffer.from(ledgerTree.root()).toString("hex");
  new BlockBuilder({ ...START, ledgerTree }).add(EXAMPLE, RECORD);
  assert.deepEqual([ledgerTree.size, Buffer.from(ledgerTree.root()).toString("hex")], [1, before]);
});
