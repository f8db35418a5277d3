import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type KeyHolder, signatureOf, summaryOf, TestNode } from "../../../testing/test-node.ts";

let node: TestNode;
let a: KeyHolder;
let b: KeyHolder;
before(async () => {
  node = await TestNode.start();
});
after(() => node[Symbol.asyncDispose]());
beforeEach(async () => {
  a = await node.holder({ coins: 1000n });
  b = await node.holder();
});

type Entry = Readonly<Record<string, unknown>>;

function paying(to: KeyHolder, amount: number, more: Entry = {}): Entry {
  return { address: to.address, amount: String(amount), unlockdate: "0", ...more };
}

async function paid(list: string | readonly object[], from: KeyHolder = a): Promise<string> {
  return summaryOf(await node.post("/multitransfer", await node.multitransfer(from, list)));
}

test("accounts §11: signed without the token: 2010", async () => {
  const params = await node.multitransfer(a, [paying(b, 1)]);
  const signed = [a.address, params["transferlist"], params.checkkey].join("|");
  const answer = await node.post("/multitransfer", {
    ...params,
    signature: signatureOf(signed, a),
  });
  assert.match(summaryOf(answer), /^401 2010/);
});

test("conventions §1.3: 100 entries with the longest tags and memos pass through the query string", async () => {
  const list = Array.from({ length: 100 }, () =>
    paying(b, 1, { tag: "t".repeat(64), memo: "m".repeat(2048) }),
  );
  const params = await node.multitransfer(a, list);
  assert.equal(summaryOf(await node.postQuery("/multitransfer", params)), "200");
});

test("conventions §1.3: 100 entries with the longest memos in Chinese pass in a form and in JSON", async () => {
  const list = Array.from({ length: 100 }, () => paying(b, 1, { memo: "漢".repeat(2048) }));
  assert.equal(await paid(list), "200");
  const { transferlist: _, ...params } = await node.multitransfer(a, list);
  const answer = await node.postJson("/multitransfer", { ...params, transferlist: list });
  assert.equal(summaryOf(answer), "200");
});
