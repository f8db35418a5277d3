import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { saveRequest } from "../../../testing/requests/token-requests.ts";
import { type KeyHolder, saidCode, signatureOf, TestNode } from "../../../testing/test-node.ts";

let node: TestNode;
let o: KeyHolder;
before(async () => {
  node = await TestNode.start();
  o = await node.holder();
});
after(() => node[Symbol.asyncDispose]());

for (const { row = "§3", token, signed, answer } of [
  { token: undefined, signed: "", answer: "200" },
  { row: "§7 row 13", token: undefined, signed: "0", answer: "200" },
  { token: "", signed: "0", answer: "200" },
  { token: undefined, signed: "1", answer: "401 2010" },
  { token: "0", signed: "0", answer: "200" },
  { token: "0", signed: "", answer: "401 2010" },
  { token: "7", signed: "7", answer: "200" },
  { token: "7", signed: "0", answer: "401 2010" },
  { token: "7", signed: "", answer: "401 2010" },
]) {
  test(`tokens ${row}: token ${token ?? "absent"}, "${signed}" in its place signed: ${answer}`, async () => {
    const { params } = await saveRequest(node, o, token === undefined ? {} : { token });
    const { symbol, name, Temporarykey } = params;
    const text = [o.address, symbol, signed, name, "", Temporarykey].join("|");
    const answered = await node.post("/token", { ...params, signature: signatureOf(text, o) });
    assert.equal(saidCode(answered), answer);
  });
}
