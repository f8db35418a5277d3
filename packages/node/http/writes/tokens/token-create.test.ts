import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { sendRequest } from "../../../testing/requests/signed-request.ts";
import {
  createdId,
  createRequest,
  placeOf,
  saved,
  saveRequest,
  type TokenSigning,
  tokenRecord,
} from "../../../testing/requests/token-requests.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  said,
  saidCode,
  TestNode,
} from "../../../testing/test-node.ts";

let node: TestNode;
let o: KeyHolder;
let a: KeyHolder;
before(async () => {
  node = await TestNode.start();
});
after(() => node[Symbol.asyncDispose]());
beforeEach(async () => {
  o = await node.holder();
  a = await node.holder();
});

async function creating(name = "Gold", signing: TokenSigning = {}): Promise<Answered> {
  return sendRequest(node, await createRequest(node, o, name, signing));
}

test("conventions §2.4: the Replay-Nonce of a create serves the next operation of its owner", async () => {
  await saved(node, o);
  const tkey = (await creating()).headers.get("replay-nonce") ?? "";
  const save = await saveRequest(node, o, {}, { tkey });
  assert.equal(said(await sendRequest(node, save)), "200");
});

test("conventions §4.4, §5.3: with another signature it is the same request, with one for another draft another", async () => {
  await saved(node, o, { name: "X" });
  await saved(node, o, { name: "Y" });
  const tkey = await node.key(o);
  const first = await creating("X", { tkey });
  assert.deepEqual(placeOf(await creating("X", { tkey })), placeOf(first));
  assert.equal(said(await creating("Y", { tkey })), "409 2021 tkey");
  assert.equal((await tokenRecord(node, createdId(first)))["name"], "X");
  await node.restart();
  assert.deepEqual(placeOf(await creating("X", { tkey })), placeOf(first));
  assert.equal(said(await creating("X", { tkey, isFull: true })), "409 2021 tkey");
});

test("tokens §4 checks: each answers before those below it", async () => {
  const post = async (tkey: string, params: Params): Promise<string> =>
    saidCode(await node.post(`/token/${tkey}`, params));
  const expired = await node.key(o);
  node.now += 3601;
  const used = await node.key(o);
  const first = await saveRequest(node, o, {}, { tkey: used });
  assert.equal(said(await sendRequest(node, first)), "200");
  assert.equal(said(await creating()), "200");

  assert.equal(await post("unknown", {}), "400 1000");
  assert.equal(await post(used, { signature: "" }), "400 1000");
  assert.equal(await post("unknown", { signature: "?" }), "401 2020");
  assert.equal(await post(expired, { signature: "?" }), "401 2020");
  assert.equal(await post(`${await node.key(o)}x`, { signature: "?" }), "401 2020");
  assert.equal(await post(used, { signature: "?" }), "409 2021");
  const tkey = await node.key(o);
  assert.equal(await post(tkey, { signature: "?" }), "404 6010");
  await saved(node, o);
  assert.equal(await post(used, { signature: "?" }), "409 2021");
  assert.equal(await post(tkey, { signature: "?" }), "401 2230");
  assert.equal(saidCode(await creating("Silver", { tkey })), "401 2010");
  assert.equal(saidCode(await creating("Gold", { tkey, by: a })), "401 2010");
  assert.equal(saidCode(await creating("Gold", { tkey, by: a, isFull: true })), "401 2010");
  assert.equal(said(await creating("Gold", { tkey })), "200");
});

test("tokens §4: a create and a save of the same name at once: either the old draft and a new one, or the new one", async () => {
  for (let round = 0; round < 10; round += 1) {
    await saved(node, o, { totalsupply: "100" });
    const requests = [
      await createRequest(node, o),
      await saveRequest(node, o, { totalsupply: "200" }),
    ];
    const answers = await Promise.all(requests.map((request) => sendRequest(node, request)));
    assert.deepEqual(answers.map(saidCode), ["200", "200"]);
    const [first] = answers;
    const total = await totalOf(first as Answered);
    const second = await creating();
    if (total === "200") {
      assert.equal(saidCode(second), "404 6010");
    } else {
      assert.deepEqual([total, await totalOf(second)], ["100", "200"]);
    }
  }
});

async function totalOf(answer: Answered): Promise<unknown> {
  return (await tokenRecord(node, createdId(answer)))["totalsupply"];
}
