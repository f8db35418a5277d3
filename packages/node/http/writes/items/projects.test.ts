import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PROJECT } from "../../../../ledger/testing/trade/creations.ts";
import {
  createItems,
  createProject,
  projectIdOf,
} from "../../../testing/requests/item-requests.ts";
import { Parties } from "../../../testing/requests/parties.ts";
import {
  type RequestParams,
  type RequestSigning,
  signedRequest,
} from "../../../testing/requests/signed-request.ts";
import {
  type Answered,
  type KeyHolder,
  parsed,
  signatureOf,
  summaryOf,
  TestNode,
} from "../../../testing/test-node.ts";

// How creates and updates of projects are signed, sent, answered and repeated: mrc401 §1, §3 to §5.

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";

let parties: Parties;
let node: TestNode;
let o: KeyHolder;
before(async () => {
  parties = await Parties.open({ tokens: 7 });
  node = parties.node;
  o = await parties.holder();
});
after(() => parties[Symbol.asyncDispose]());
function create(change: RequestParams = {}, signing?: RequestSigning): Promise<Answered> {
  return parties.send("mrc400create", o, { ...PROJECT, ...change }, signing);
}

test("mrc401 §18 row 1: the body is the id alone, made of owner and key; a repeat has the same body and the same Transaction-Id", async () => {
  assert.equal(
    projectIdOf(UNKNOWN, "K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX"),
    "MRC400_c7735425f08d740230c98da57e9977dfc",
  );
  const tkey = await node.key(o);
  const first = await create({ tkey });
  assert.equal(first.text, projectIdOf(o.address, tkey));
  assert.equal(first.headers.get("content-type"), "text/plain; charset=utf-8");
  assert.equal(first.headers.get("cache-control"), "no-store");
  assert.match(first.headers.get("replay-nonce") ?? "", /^[A-Za-z][0-9A-Za-z]{39,63}$/);
  const height = await node.height();
  const again = await create({ tkey });
  assert.deepEqual([again.status, again.text], [200, first.text]);
  assert.equal(again.headers.get("transaction-id"), first.headers.get("transaction-id"));
  assert.equal(await node.height(), height);
  assert.equal(summaryOf(await create({ tkey, description: "another" })), "409 2021 tkey");
});

for (const { between, sent = {}, answer } of [
  { between: [""], answer: "200" },
  { between: [], answer: "200" },
  { between: [], sent: { partner: "{}" }, answer: "401 2010 signature" },
  { between: ["{}"], sent: { data: `{}|${PROJECT.data}` }, answer: "401 2010 signature" },
]) {
  test(`mrc401 §18 row 7: signed with ${JSON.stringify(between)} for partner, sent with ${JSON.stringify(sent)}: ${answer}`, async () => {
    const { name, url, imageurl, category, itemurl, itemimageurl, data } = PROJECT;
    const tkey = await node.key(o);
    const fields = [o.address, name, url, imageurl, category, itemurl, itemimageurl, ...between];
    const signature = signatureOf([...fields, data, tkey].join("|"), o);
    const params = { ...PROJECT, owner: o.address, tkey, signature, ...sent };
    assert.equal(summaryOf(await node.post("/mrc400", params)), answer);
  });
}

for (const { description, signed, sent = {}, answer } of [
  { description: "a hall", signed: ["a hall"], answer: "200" },
  { description: "a hall", signed: [], answer: "200" },
  { description: "a hall", signed: ["another"], answer: "401 2010 signature" },
  { description: "a|hall", signed: ["a|hall"], answer: "401 2010 signature" },
  { description: "a|hall", signed: [], answer: "200" },
  { description: "", signed: [""], sent: { data: "x|y" }, answer: "401 2010 signature" },
]) {
  test(`mrc401 §4: an update of ${JSON.stringify({ description, ...sent })}, signed with ${JSON.stringify(signed)}: ${answer}`, async () => {
    const id = await createProject(node, o, {});
    const { name, url, imageurl, category, itemurl, itemimageurl } = PROJECT;
    const all = { name, url, imageurl, category, itemurl, itemimageurl, data: "new", ...sent };
    const tkey = await node.key(o);
    const fields = [id, name, url, imageurl, category, ...signed, itemurl, itemimageurl, all.data];
    const signature = signatureOf([...fields, tkey].join("|"), o);
    const params = { ...all, description, tkey, signature };
    const answered = await node.request(`/mrc400/${id}`, {
      method: "PUT",
      body: new URLSearchParams(params).toString(),
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    assert.equal(summaryOf(answered), answer);
  });
}

test("mrc401 §3: with mrc400-answer=object the answer is an object, also to a repeat", async () => {
  await using other = await TestNode.start("--mrc400-answer", "object");
  const owner = await other.holder();
  const { params } = await signedRequest(other, "mrc400create", owner, PROJECT);
  const first = await other.post("/mrc400", params);
  const { transaction_id, txid, mrc400id } = parsed<Record<string, string>>(first);
  assert.deepEqual([transaction_id, txid], Array(2).fill(first.headers.get("transaction-id")));
  assert.equal(summaryOf(await other.get(`/mrc400/${mrc400id}`)), "200");
  assert.equal((await other.post("/mrc400", params)).text, first.text);
});

test("mrc401 §1.2: ids that are malformed or unknown, or of another kind, are not found", async () => {
  const id = await createProject(node, o);
  const item = (await createItems(node, id, o, [{}]))[0] ?? "";
  for (const wrong of [
    "x",
    id.slice(1),
    `${id}0`,
    id.toUpperCase(),
    `MRC400_${"0".repeat(33)}`,
    `MRC402_${id.slice(7)}`,
    item,
  ]) {
    assert.equal(summaryOf(await node.get(`/mrc400/${wrong}`)), "404 6004 mrc400id", wrong);
  }
  assert.equal(summaryOf(await node.get(`/mrc400/${id}/`)), "200");
});
