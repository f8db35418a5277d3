import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { COSTLY_REQUESTS } from "../../testing/costly-requests.ts";
import { summaryOf, TestNode } from "../../testing/test-node.ts";

/** No message repeats the request. */
const ANSWER_LENGTH_MAX = 2000;

let node: TestNode;
before(async () => {
  node = await TestNode.start();
});
after(() => node[Symbol.asyncDispose]());

for (const { name, method, make, answer: wanted } of COSTLY_REQUESTS) {
  test(`a request that used to cost seconds is answered with ${wanted}: ${name}`, async () => {
    const { path, body } = make();
    const type = body?.type === "json" ? "application/json" : "application/x-www-form-urlencoded";
    const answer = await node.request(path, {
      method,
      ...(body === undefined ? {} : { body: body.text, headers: { "Content-Type": type } }),
    });
    assert.equal(summaryOf(answer).split(" ").slice(0, 2).join(" "), wanted);
    assert.ok(answer.text.length < ANSWER_LENGTH_MAX, answer.text);
  });
}
