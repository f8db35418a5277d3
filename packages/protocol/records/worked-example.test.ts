import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { transfer } from "../operations/coins/transfer.ts";
import { ALICE, accepted, BOB, KEY } from "../testing/requests.ts";
import { canonicalJson, type Json } from "../text/canonical-json.ts";
import type { Sha256 } from "../tree/hashing.ts";
import { MerkleTree } from "../tree/merkle-tree.ts";
import { blockId, type Header, headerText } from "./block.ts";
import {
  contentText,
  type LedgerOperation,
  operationText,
  parseOperationText,
} from "./operation.ts";
import { leafText, recordText, type TransactionRecord, transactionId } from "./transaction.ts";

const sha256: Sha256 = {
  hex: (data) => createHash("sha256").update(data).digest("hex"),
  bytes: (data) => createHash("sha256").update(data).digest(),
};

const SIGNATURE =
  "MEQCIFQCqB0S3n1NANV96VYQm9IhgTUZdG9oq0SQi7Keq1rOAiAp4b/avEqED2CiNBozXWVGisbScFgggFwYVCQuWQM1Ww==";
const TIMESTAMP = 1767225600;

const CONTENT =
  '{"actor":"MTAlice00000000000000000000000005dc33c90","decided":{},"op":"transfer","params":{"amount":"100","checkkey":"K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX","from":"MTAlice00000000000000000000000005dc33c90","memo":"coffee","to":"MTBob0000000000000000000000000005f59bcba","token":"0"},"v":1}';
const CONTENT_HASH = "62838ec1189d0b649eba4bbbac485d6e94fb6834797244630cf2f403e18d57b2";
const ID = "00000000000001020000000062838ec1189d0b649eba4bbbac485d6e94fb6834";
const OPERATION_HASH = "73ea2ccdfc69e04f560eb3d43dc59478092ba135db98a800039274d0caf9654f";
const RECORD_HASH = "d9e89eae2c953a9605fbe920ef8dbb5a99434fd89d67b485c9e594f76e8954a5";
const LEAF = `{"id":"${ID}","operation":"${OPERATION_HASH}","record":"${RECORD_HASH}","timestamp":1767225600}`;
const CHANGES = "d0bf332f3dcffb1720fe5bcbae2e20c28fda0529b8cd5fc124e07e72133d3d3a";
const HEADER: Header = {
  v: 1,
  protocol: 1,
  sn: 258,
  timestamp: TIMESTAMP,
  previous: "b".repeat(64),
  count: 1,
  root: "65f105bf2e088759181263386fd0fa6f83b2817bdb1c3838b2420e005604a36b",
  size: 1001,
  tree: "c".repeat(64),
  changes: CHANGES,
};

const OPERATION: LedgerOperation = {
  op: "transfer",
  actor: ALICE,
  decided: {},
  ...pick(
    accepted(transfer, {
      from: ALICE,
      to: BOB,
      token: "0",
      amount: "100",
      checkkey: KEY,
      memo: "coffee",
      signature: SIGNATURE,
    }),
  ),
};

function pick({
  params,
  signatures,
}: Pick<LedgerOperation, "params" | "signatures">): Pick<LedgerOperation, "params" | "signatures"> {
  return { params, signatures };
}

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

test("chain §4.8: content and its hash", () => {
  assert.equal(contentText(operationText(OPERATION)), CONTENT);
  assert.equal(sha256.hex(CONTENT), CONTENT_HASH);
});

test("chain §4.8: operation, its hash, and the way back", () => {
  const text = operationText(OPERATION);
  assert.equal(text, canonicalJson({ v: 1, ...OPERATION }));
  assert.equal(sha256.hex(text), OPERATION_HASH);
  assert.deepEqual(parseOperationText(text), OPERATION);
});

test("chain §4.8: transaction id", () =>
  assert.equal(transactionId({ height: 258, position: 0, contentHash: CONTENT_HASH }), ID));

test("chain §4.8: record object and its hash", () => {
  assert.equal(recordText(RECORD), canonicalJson(RECORD as unknown as Json));
  assert.equal(sha256.hex(recordText(RECORD)), RECORD_HASH);
});

test("chain §4.8: leaf text and root", () => {
  const leaf = leafText({
    id: ID,
    operationHash: OPERATION_HASH,
    recordHash: RECORD_HASH,
    timestamp: TIMESTAMP,
  });
  assert.equal(leaf, LEAF);
  const tree = new MerkleTree(sha256);
  tree.append(leaf);
  assert.equal(Buffer.from(tree.root()).toString("hex"), HEADER.root);
});

test("chain §4.8: changes", () =>
  assert.equal(
    sha256.hex(
      canonicalJson({
        [`balance/${BOB}/0`]: { free: "100" },
        [`balance/${ALICE}/0`]: { free: "900" },
      }),
    ),
    CHANGES,
  ));

test("chain §4.8: header and block id", () => {
  assert.equal(
    headerText(HEADER),
    `{"changes":"${CHANGES}","count":1,"previous":"${"b".repeat(64)}","protocol":1,"root":"${HEADER.root}","size":1001,"sn":258,"timestamp":1767225600,"tree":"${"c".repeat(64)}","v":1}`,
  );
  assert.equal(
    blockId(HEADER, sha256),
    "fbd75e5549e796003288b70707d54e5bb1a7e782189942fbe6c4cd085e11ee52",
  );
});
