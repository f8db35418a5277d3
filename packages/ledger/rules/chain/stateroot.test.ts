import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { canonicalJson, ONLY_BY_NAME } from "@moneta/protocol";
import { sha256 } from "../../sha256.ts";
import { assertReplaysAlike, rootOperation, TestLedger } from "../../testing/test-ledger.ts";
import { typeNumber } from "../../views/history.ts";

let ledger: TestLedger;
before(async () => {
  ledger = await TestLedger.begin();
  for (let block = 1; block <= 5; block += 1) {
    await ledger.createAddresses(1);
  }
});
after(() => ledger[Symbol.dispose]());

test("proofs §2.2: the record has the claimed root, the entry has its block, and both replay", async () => {
  const [id = ""] = await ledger.done(rootOperation(3, "ab".repeat(32)));
  assert.deepEqual(ledger.record(id), {
    type: "StateRoot",
    address: "",
    token: 0,
    parameters: ["3", "ab".repeat(32)],
    values: {},
    effects: [],
  });
  const changes = sha256.hex(canonicalJson({ stateroot: { height: 3 } }));
  assert.equal(ledger.newestBlock.header.changes, changes);
  assertReplaysAlike(ledger);
});

test("proofs §2.2: a root's block is above that of the newest root and below the current block", async () => {
  const next = ledger.ledger.head.height + 1;
  for (const height of [0, 2, 3, next, next + 1, Number.MAX_SAFE_INTEGER]) {
    assert.equal(await ledger.refusal(rootOperation(height)), "3005 height", `${height}`);
  }
  // Of two nodes that make a root at the same time, the first succeeds.
  const race = [4, 4, 5].map((height) => rootOperation(height));
  assert.deepEqual(await ledger.outcomes(...race), ["done", "3005", "done"]);
});

test("proofs §2.2: lists of transactions omit roots unless `type` names them", async () => {
  const everything = { token: undefined, from: 0, before: Number.MAX_SAFE_INTEGER };
  const types = ledger.records().map(({ type }) => type);
  const roots = [...types.keys()].filter((number) => types[number] === ONLY_BY_NAME);
  assert.equal(roots.length, 3);
  ledger.reading(() => {
    const { transactions } = ledger.reader;
    const page = (filter: object) => transactions.page({ ...everything, ...filter } as never, 100);
    const others = [...types.keys()].filter((number) => !roots.includes(number)).toReversed();
    assert.deepEqual(page({ types: undefined }), others);
    assert.deepEqual(page({ types: undefined, token: 0 }), others);
    assert.deepEqual(page({ types: [typeNumber(ONLY_BY_NAME)] }), roots.toReversed());
  });
});
