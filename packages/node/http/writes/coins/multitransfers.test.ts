import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import {
  type KeyHolder,
  said,
  signatureOf,
  TestNode,
  transactionIdOf,
} from "../../../testing/test-node.ts";

let node: TestNode;
let a: KeyHolder;
let b: KeyHolder;
let c: KeyHolder;
before(async () => {
  node = await TestNode.start();
});
after(() => node[Symbol.asyncDispose]());
beforeEach(async () => {
  a = await node.holder({ coins: 1000n });
  b = await node.holder();
  c = await node.holder();
});

type Entry = Readonly<Record<string, unknown>>;

function paying(to: KeyHolder, amount: number, more: Entry = {}): Entry {
  return { address: to.address, amount: String(amount), unlockdate: "0", ...more };
}

async function paid(list: string | readonly object[], from: KeyHolder = a): Promise<string> {
  return said(await node.post("/multitransfer", await node.multitransfer(from, list)));
}

test("accounts §11 row 1: B 100 and C 200", async () => {
  const params = await node.multitransfer(a, [
    paying(b, 100, { tag: "x", memo: "y" }),
    paying(c, 200),
  ]);
  const answer = await node.post("/multitransfer", params);
  const id = transactionIdOf(answer);
  assert.deepEqual(await node.balances(a), ["0: 700"]);
  assert.deepEqual(await node.balances(b), ["0: 100"]);
  assert.deepEqual(await node.balances(c), ["0: 200"]);

  const { db_id: _, db_sn, ...transaction } = await node.transaction(id);
  assert.equal(db_sn, answer.headers.get("ledger-height"));
  const { transferlist = "", signature, checkkey } = params;
  assert.deepEqual(transaction, {
    id,
    timestamp: node.now,
    type: "multi_transfer",
    address: a.address,
    token: 0,
    parameters: [a.address, transferlist, "0", signature, checkkey],
    values: {
      balance: [{ token: "0", balance: "700", unlockdate: 0 }],
      moved: [{ amount: "-300", token: "0" }],
    },
    validationCode: "0",
    effects: [
      {
        type: "receive",
        address: b.address,
        token: 0,
        parameters: [a.address, b.address, "100", "0", signature, "0", "x", "y"],
        values: {
          balance: [{ token: "0", balance: "100", unlockdate: 0 }],
          moved: [{ amount: "100", token: "0" }],
        },
      },
      {
        type: "receive",
        address: c.address,
        token: 0,
        parameters: [a.address, c.address, "200", "0", signature, "0", "", ""],
        values: {
          balance: [{ token: "0", balance: "200", unlockdate: 0 }],
          moved: [{ amount: "200", token: "0" }],
        },
      },
    ],
  });
});

test("accounts §11 row 12: signed without the token: 2010", async () => {
  const params = await node.multitransfer(a, [paying(b, 1)]);
  const signed = [a.address, params["transferlist"], params.checkkey].join("|");
  const answer = await node.post("/multitransfer", {
    ...params,
    signature: signatureOf(signed, a),
  });
  assert.match(said(answer), /^401 2010/);
});

test("conventions §1.3: 100 entries with the longest tags and memos pass through the query string", async () => {
  const list = Array.from({ length: 100 }, () =>
    paying(b, 1, { tag: "t".repeat(64), memo: "m".repeat(2048) }),
  );
  const params = await node.multitransfer(a, list);
  assert.equal(said(await node.postQuery("/multitransfer", params)), "200");
});

test("conventions §1.3: 100 entries with the longest memos in Chinese pass in a form and in JSON", async () => {
  const list = Array.from({ length: 100 }, () => paying(b, 1, { memo: "漢".repeat(2048) }));
  assert.equal(await paid(list), "200");
  const { transferlist: _, ...params } = await node.multitransfer(a, list);
  const answer = await node.postJson("/multitransfer", { ...params, transferlist: list });
  assert.equal(said(answer), "200");
});
