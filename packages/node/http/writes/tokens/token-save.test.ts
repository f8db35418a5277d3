import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  changed,
  createdId,
  createRequest,
  saveRequest,
  send,
  type TokenSigning,
} from "../../../testing/requests/token-requests.ts";
import {
  type KeyHolder,
  type Params,
  said,
  saidCode,
  signatureOf,
  TestNode,
} from "../../../testing/test-node.ts";

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";

let node: TestNode;
let o: KeyHolder;
let a: KeyHolder;
before(async () => {
  node = await TestNode.start();
  o = await node.holder();
  a = await node.holder();
});
after(() => node[Symbol.asyncDispose]());

/** What a save of O is answered. */
async function saving(change: Params = {}, signing: TokenSigning = {}): Promise<string> {
  return said(await send(node, await saveRequest(node, o, change, signing)));
}

test("tokens §3: a save refuses in this order: existence, temporary key, signature", async () => {
  const used = await node.key(o);
  assert.equal(await saving({}, { tkey: used }), "200");
  const tkey = await node.key(o);
  for (const [change, signing, answer] of [
    [{ owner: UNKNOWN }, { tkey: "x" }, "404 3090 owner"],
    [{}, { tkey: "x" }, "401 2020 Temporarykey"],
    [{}, { tkey: await node.key(a) }, "401 2020 Temporarykey"],
    [{ signature: "?", decimal: "1" }, { tkey: used }, "409 2021 Temporarykey"],
    [{ signature: "?" }, { tkey }, "401 2230 signature"],
    [{}, { tkey, by: a }, "401 2010 signature"],
    [{}, { tkey }, "200"],
  ] as readonly (readonly [Params, TokenSigning, string])[]) {
    const request = await saveRequest(node, o, {}, signing);
    assert.equal(said(await send(node, changed(request, change))), answer);
  }
});

for (const name of ["Temporarykey", "temporarykey", "tkey"]) {
  for (const isFull of [false, true]) {
    test(`tokens §3: the key as ${name}, to /token and /token/, ${isFull ? "full" : "short"} signature`, async () => {
      for (const path of ["/token", "/token/"]) {
        const { params } = await saveRequest(node, o, {}, { isFull });
        const { Temporarykey = "", ...rest } = params;
        assert.equal(said(await node.post(path, { ...rest, [name]: Temporarykey })), "200");
      }
    });
  }
}

test("conventions §1.1: two names of the key with two values: 1005", async () => {
  const request = await saveRequest(node, o);
  const answer = await send(node, changed(request, { tkey: await node.key(o) }));
  assert.equal(said(answer), "400 1005 Temporarykey");
});

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

test("tokens §3: signed over the fields in another order, or without one: 2010", async () => {
  const { params } = await saveRequest(node, o, { url: "https://a.b/" });
  const { symbol, name, url: page, Temporarykey } = params;
  for (const fields of [
    [o.address, name, "", symbol, page, Temporarykey],
    [o.address, symbol, name, page, Temporarykey],
    [o.address, symbol, "", name, "", Temporarykey],
    [o.address, symbol, "", name, page],
  ]) {
    const signature = signatureOf(fields.join("|"), o);
    assert.equal(saidCode(await node.post("/token", { ...params, signature })), "401 2010");
  }
});

test("conventions §4.5: a short signature leaves the supply open, a full one covers every parameter that was sent", async () => {
  const change = { totalsupply: "5", remainamount: "1", tier: "[]", token: "7" };
  const short = await saveRequest(node, o);
  assert.equal(said(await send(node, changed(short, { totalsupply: "6" }))), "200");
  const full = await saveRequest(node, o, change, { isFull: true });
  for (const other of [{ totalsupply: "6" }, { tier: "[ ]" }, { token: "" }, { type: "010" }]) {
    assert.equal(saidCode(await send(node, changed(full, other))), "401 2010");
  }
  assert.equal(said(await send(node, full)), "200");
  const strict = await node.holder({ params: { signed: "full" } });
  assert.equal(saidCode(await send(node, await saveRequest(node, strict))), "401 2010");
  await issuedFull(strict);
});

/** Saves and creates with full signatures. */
async function issuedFull(owner: KeyHolder): Promise<string> {
  const answer = await send(node, await saveRequest(node, owner, {}, { isFull: true }));
  const signing = { isFull: true, tkey: answer.text };
  return createdId(await send(node, await createRequest(node, owner, "Gold", signing)));
}
