import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import {
  type KeyHolder,
  said,
  signatureOf,
  TestNode,
  transactionIdOf,
} from "../../../testing/test-node.ts";

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";

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

test("accounts §11 row 10: escapes are signed as they were sent, and records have what they mean", async () => {
  const text = `[{"address":"${b.address}","amount":"1","unlockdate":"0","memo":"caf\\u00e9 a\\/b"}]`;
  const params = await node.multitransfer(a, text);
  const id = transactionIdOf(await node.post("/multitransfer", params));
  const { parameters, effects } = await node.transaction(id);
  assert.equal(parameters[1], text);
  assert.equal(effects[0]?.parameters[7], "café a/b");
});

test("accounts §11 row 11: an array in a JSON body is signed over its compact encoding", async () => {
  const { transferlist: text, ...params } = await node.multitransfer(a, [
    { unlockdate: 0, amount: 1, address: b.address, memo: 'é/"\\ \n', other: [1, null, true] },
  ]);
  const list = JSON.parse(text as string) as object[];
  const answer = await node.postJson("/multitransfer", { ...params, transferlist: list });
  const { parameters } = await node.transaction(transactionIdOf(answer));
  assert.equal(parameters[1], text);
});

test("accounts §11 row 11: white space in the array of a JSON body is not signed", async () => {
  const { transferlist: text, ...params } = await node.multitransfer(a, [paying(b, 1)]);
  const list = JSON.parse(text as string) as object[];
  const body = JSON.stringify({ ...params, transferlist: list }, null, 3);
  const answer = await node.postJson("/multitransfer", body);
  assert.equal(said(answer), "200");
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

test("accounts §11 checks: the order in which parameters, existence, key and balance are refused", async () => {
  let params: Record<string, string> = { from: "x" };
  const answered = async (change: Readonly<Record<string, string>>): Promise<string> => {
    params = { ...params, ...change };
    return said(await node.post("/multitransfer", params));
  };
  const list = (entry: Entry): { transferlist: string } => ({
    transferlist: JSON.stringify([entry]),
  });
  assert.equal(await answered({}), "400 1000 transferlist");
  assert.equal(await answered({ transferlist: "x" }), "400 1000 token");
  assert.equal(await answered({ token: "x" }), "400 1000 checkkey");
  assert.equal(await answered({ checkkey: "x" }), "400 1000 signature");
  assert.equal(await answered({ signature: "x" }), "400 3190 from");
  assert.equal(await answered({ from: UNKNOWN }), "400 1007 transferlist");
  assert.equal(await answered({ transferlist: "[]" }), "400 3002 transferlist");
  assert.equal(await answered(list({})), "400 1101 token");
  assert.equal(await answered({ token: "99" }), "400 1000 transferlist[0].address");
  const there = paying(c, 5000, { address: "MTBob0000000000000000000000000005f59bcba" });
  assert.equal(await answered(list(there)), "404 3090 from");
  assert.equal(await answered({ from: a.address }), "404 3090 transferlist[0].address");
  assert.equal(await answered(list(paying(c, 5000))), "404 4001 token");
  assert.equal(await answered({ token: "0" }), "401 2020 checkkey");
  assert.equal(await answered({ checkkey: await node.key(a) }), "401 2230 signature");
  const text = [a.address, params["transferlist"], "0", params["checkkey"]].join("|");
  assert.match(await answered({ signature: signatureOf(text, b) }), /^401 2010/);
  assert.equal(await answered({ signature: signatureOf(text, a) }), "400 5001");
});
