import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type SignedRequest, sendRequest } from "../../../testing/requests/signed-request.ts";
import {
  createdId,
  createRequest,
  issued,
  placeOf,
  reserveOf,
  saveRequest,
  supplyRequest,
  updateRequest,
} from "../../../testing/requests/token-requests.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  said,
  TestNode,
} from "../../../testing/test-node.ts";

// What blocks hold of tokens, and that a ledger with tokens in it can be checked, made anew and started again.

/** The first token of O, which a full signature without token is for. */
const FIRST = "1";

let node: TestNode;
let o: KeyHolder;
before(async () => {
  node = await TestNode.start();
  o = await node.holder();
  assert.equal(await issued(node, o), FIRST);
});
after(() => node[Symbol.asyncDispose]());

interface Sent {
  readonly op: string;
  readonly request: SignedRequest;
  readonly answer: Answered;
  readonly decided: Params;
}

/** Sends one request of each operation, a save with everything first, with short or full signatures. */
async function sendEach(isFull: boolean): Promise<Sent[]> {
  const all: Sent[] = [];
  const add = async (
    op: string,
    request: SignedRequest,
    decided: Params = {},
  ): Promise<Answered> => {
    const answer = await sendRequest(node, request);
    assert.equal(said(answer), "200");
    all.push({ op, request, answer, decided });
    return answer;
  };
  const signing = { isFull };
  const whole = {
    ...{ symbol: 'é"\\', name: "Whole", totalsupply: "1000", decimal: "2" },
    ...{ reservedamount: "5", remainamount: "any", reserve: ` ${reserveOf([o, "1", 5])}\n` },
    ...{ tier: '[{"a":"\\u00e9|"}]', category: "c", url: "https://a.b/", token: "7" },
    ...{ image: "data:image/png;base64,AAAA", type: "100" },
  };
  await add("tokensave", await saveRequest(node, o, whole, signing));
  const created = await createRequest(node, o, "Whole", signing);
  const token = createdId(await add("tokencreate", created, { name: "Whole" }));
  const memo = "m".repeat(2048);
  const supply = { token, amount: "5" };
  await add("tokenburn", await supplyRequest("burn", node, o, { ...supply, memo }, signing));
  await add("tokenincrease", await supplyRequest("increase", node, o, supply, signing));
  await add("tokenupdate", await updateRequest(node, o, { token }, signing));
  const nameless = { signedFor: token, info: `written with token ${token}` };
  const first = isFull ? FIRST : token;
  await add("tokenupdate", await updateRequest(node, o, nameless, signing), { token: first });
  return all;
}

test("conventions §5.3: after a restart every request sent again is answered as the first time, and done once", async () => {
  const all = [...(await sendEach(false)), ...(await sendEach(true))];
  const height = await node.height();
  await node.restart();
  for (const { op, request, answer } of all) {
    const again = await sendRequest(node, request);
    assert.deepEqual(placeOf(again), placeOf(answer), op);
    assert.equal(again.text === "", answer.text === "", op);
  }
  assert.equal(await node.height(), height);
});
