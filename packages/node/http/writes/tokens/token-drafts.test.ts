import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type SignedRequest, sendRequest } from "../../../testing/requests/signed-request.ts";
import {
  AMOUNT_MAX,
  createdId,
  createRequest,
  issued,
  reserveOf,
  saved,
  saveRequest,
  tokenRecord,
} from "../../../testing/requests/token-requests.ts";
import {
  type Answered,
  type KeyHolder,
  refusalCode,
  summaryOf,
  TestNode,
} from "../../../testing/test-node.ts";

let node: TestNode;
let o: KeyHolder;
let a: KeyHolder;
before(async () => {
  node = await TestNode.start();
  a = await node.holder();
});
after(() => node[Symbol.asyncDispose]());
beforeEach(async () => {
  o = await node.holder();
});

function created(answer: Answered): string {
  return answer.status === 200 ? "created" : refusalCode(answer);
}

/** Saves drafts one second after the other. */
async function savedInTurn(names: readonly string[]): Promise<void> {
  for (const name of names) {
    node.now += 1;
    await saved(node, o, { name });
  }
}

test("tokens §4: of two creates with full signatures at once each gets a draft, if it is sent again where it was too late", async () => {
  await savedInTurn(["X", "Y"]);
  const request = (): Promise<SignedRequest> => createRequest(node, o, undefined, { isFull: true });
  const requests = [await request(), await request()];
  const first = await Promise.all(requests.map((each) => sendRequest(node, each)));
  const names = await Promise.all(
    first.map(async (answer, index) => {
      if (answer.status !== 200) {
        assert.equal(created(answer), "401 2010");
        assert.match(answer.text, /The draft .{1,2}Y.* send the request again/);
      }
      const done =
        answer.status === 200 ? answer : await sendRequest(node, requests[index] as SignedRequest);
      return (await tokenRecord(node, createdId(done)))["name"];
    }),
  );
  assert.deepEqual(names.toSorted(), ["X", "Y"]);
});

test("tokens §3: a save is answered with a temporary key, which is also the Replay-Nonce, and makes no token", async () => {
  const id = await issued(node, o);
  const height = await node.height();
  const answer = await sendRequest(node, await saveRequest(node, o, { totalsupply: "1000" }));
  const { headers, text } = answer;
  assert.equal(summaryOf(answer), "200");
  assert.match(text, /^[A-Za-z][0-9A-Za-z]{39,63}$/);
  assert.equal(headers.get("replay-nonce"), text);
  assert.equal(headers.get("content-type"), "text/plain; charset=utf-8");
  assert.equal(headers.get("cache-control"), "no-store");
  assert.match(headers.get("transaction-id") ?? "", /^[0-9a-f]{64}$/);
  assert.equal(headers.get("ledger-height"), String(height + 1));
  assert.equal(summaryOf(await node.get(`/token/${Number(id) + 1}`)), "404 4001 token");
  assert.deepEqual(await node.balances(a, "0"), ["0"]);
});

test("conventions §1.3: every maximum at once but the image's goes through the query string", async () => {
  const image = "data:image/png;base64,".padEnd(131_072, "A");
  const [symbol, name, category] = ["😀".repeat(32), "😀".repeat(128), "😀".repeat(64)];
  const entry = [a, "1", 2147483647] as const;
  const { params } = await saveRequest(node, o, {
    ...{ symbol, name, category, url: "https://a.b/".padEnd(255, "x"), image },
    ...{ totalsupply: String(AMOUNT_MAX), decimal: "18", reservedamount: "1", type: "101" },
    ...{ reserve: reserveOf(...Array.from({ length: 100 }, () => entry)), token: "t".repeat(16) },
    tier: `[{"a":"${"x".repeat(16384 - 10)}"}]`,
  });
  const answer = await node.postQuery("/token", params);
  assert.equal(summaryOf(answer), "200");
  const request = await createRequest(node, o, name, { tkey: answer.text });
  const id = createdId(await sendRequest(node, request));
  assert.equal((await tokenRecord(node, id))["image"], image);
});
