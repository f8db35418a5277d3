import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type SignedRequest, sendRequest } from "../../../testing/requests/signed-request.ts";
import {
  issued,
  placeOf,
  type TokenSigning,
  tokenRecord,
  transactionOf,
  updateRequest,
} from "../../../testing/requests/token-requests.ts";
import {
  type KeyHolder,
  type Params,
  said,
  saidCode,
  TestNode,
} from "../../../testing/test-node.ts";

let node: TestNode;
let o: KeyHolder;
let a: KeyHolder;
let token: string;
before(async () => {
  node = await TestNode.start();
});
after(() => node[Symbol.asyncDispose]());
beforeEach(async () => {
  o = await node.holder();
  a = await node.holder();
  token = await issued(node, o);
});

/** An update of O's token, or of the one that the signature is for. */
function request(
  change: Params & { readonly signedFor?: string } = {},
  signing: TokenSigning = {},
): Promise<SignedRequest> {
  const named = change.signedFor === undefined ? { token, ...change } : change;
  return updateRequest(node, o, named, signing);
}

async function answered(...of: Parameters<typeof request>): Promise<string> {
  return said(await sendRequest(node, await request(...of)));
}

async function textsOf(id: string): Promise<unknown[]> {
  const { url, information, image } = await tokenRecord(node, id);
  return [url, information, image];
}

test("tokens §6 checks: without token each answers before those below it", async () => {
  let { signature, ...params } = (await request({ signedFor: token })).params;
  let tkey = "unknown";
  const at = async (change: Params): Promise<string> => {
    params = { ...params, ...change };
    return said(await node.put(`/token/update/${tkey}`, params));
  };
  assert.equal(await at({ url: "x" }), "400 1000 signature");
  assert.equal(await at({ signature: "?" }), "400 3005 url");
  assert.equal(await at({ url: "https://gold.example/" }), "401 2020 tkey");
  tkey = await node.key(o);
  node.now += 3601;
  assert.equal(await at({}), "401 2020 tkey");
  tkey = await node.key(a);
  assert.match(await at({}), /^404 4001/);
  tkey = await node.key(o);
  assert.equal(await at({}), "401 2230 signature");
  for (const signing of [{ tkey, by: a }, { tkey: await node.key(o) }]) {
    ({ signature } = (await request({ signedFor: token }, signing)).params);
    assert.match(await at({ signature: signature as string }), /^401 2010/);
  }
  const foreign = await issued(node, a);
  for (const signedFor of [foreign, "0", "", "999999"]) {
    ({ signature } = (await updateRequest(node, o, { signedFor }, { tkey })).params);
    assert.match(await at({ signature: signature as string }), /^401 2010/, signedFor);
  }
  assert.equal(await at((await request({ signedFor: token }, { tkey })).params), "200");
  assert.equal(await at({ info: "other" }), "409 2021 tkey");
});

for (const isNamed of [true, false]) {
  test(`conventions §5.3: an update ${isNamed ? "with" : "without"} token repeated gets the same headers, also when it changes nothing any more`, async () => {
    const tkey = await node.key(o, isNamed ? "token" : "tokenupdate");
    const named = isNamed ? { token } : { signedFor: token };
    const first = await sendRequest(node, await request(named, { tkey }));
    assert.equal(await answered({ info: "later" }), "200");
    const height = await node.height();
    const again = await sendRequest(node, await request(named, { tkey }));
    assert.deepEqual(placeOf(again), placeOf(first));
    await transactionOf(node, again, token);
    assert.equal(await node.height(), height);
    assert.equal((await textsOf(token))[1], "later");
    const other = isNamed ? { signedFor: token } : { token };
    assert.equal(await answered(other, { tkey }), "409 2021 tkey");
  });
}

test("conventions §5.3: one key for two tokens updates one, one after the other and at once; what fits no token is a repeat", async () => {
  const second = await issued(node, o);
  const update = (signedFor: string, tkey: string): Promise<SignedRequest> =>
    request({ signedFor }, { tkey });
  const tkey = await node.key(o);
  const first = await sendRequest(node, await update(token, tkey));
  assert.equal(said(first), "200");
  assert.equal(said(await sendRequest(node, await update(second, tkey))), "409 2021 tkey");
  assert.deepEqual(await textsOf(second), ["", "", ""]);
  assert.deepEqual(placeOf(await sendRequest(node, await update(token, tkey))), placeOf(first));
  assert.deepEqual(placeOf(await sendRequest(node, await update("999999", tkey))), placeOf(first));

  const both = await node.key(o);
  const requests = [await update(token, both), await update(second, both)];
  const race = await Promise.all(requests.map((sent) => sendRequest(node, sent)));
  // The first token has these texts already: its request fails, and leaves the key to the other one, or comes too late.
  assert.match(race.map(saidCode).join(), /^400 4900,200$|^409 2021,200$/);
});
