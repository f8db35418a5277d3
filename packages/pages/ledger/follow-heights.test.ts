import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, test } from "node:test";
import { ForwardingProxy } from "../../node/testing/forwarding-proxy.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import { until } from "../../node/testing/until.ts";
import { followHeights } from "./follow-heights.ts";
import type { LiveMessage } from "./live-message.ts";

let [first, second]: readonly TestNode[] = [];
let proxy: ForwardingProxy;
const reported: LiveMessage[] = [];
const end = new AbortController();

async function reports(holds: (message: LiveMessage) => boolean, from = 0): Promise<LiveMessage> {
  return await until(
    () => reported.slice(from).find(holds),
    () => JSON.stringify(reported),
  );
}

before(async () => {
  [first, second] = await Promise.all([TestNode.start(), TestNode.start()]);
  proxy = await ForwardingProxy.to(node(first).url);
  void followHeights(proxy.url, (message) => void reported.push(message), end.signal);
  await reports(({ connection }) => connection === "live");
});
after(async () => {
  end.abort();
  await proxy?.[Symbol.asyncDispose]();
  await Promise.all([first, second].map((each) => each?.[Symbol.asyncDispose]()));
});

function node(one: TestNode | undefined): TestNode {
  assert.ok(one);
  return one;
}

/** By a ledger or by another server. */
const REFUSALS: readonly { status: number; type: string; body: string; says: RegExp }[] = [
  ...[400, 401, 403, 404, 410, 422].map((status) => ({
    status,
    type: "text/html",
    body: "<h1>no</h1>",
    says: new RegExp(`status ${status}`),
  })),
  ...(
    [
      ["404", "6008"],
      ["400", "1101"],
      ["401", "2010"],
      ["410", "9404"],
    ] as const
  ).map(([status, code]) => ({
    status: Number(status),
    type: "application/problem+json",
    body: JSON.stringify({ status: Number(status), code, title: "No", detail: `no ${code}` }),
    says: new RegExp(`${code}: no ${code}`),
  })),
];

for (const { status, type, body, says } of REFUSALS) {
  test(`a stream that is refused with ${status}, ${type}, is reported and begun anew without a start id`, async () => {
    const from = reported.length;
    const asked = proxy.asked.length;
    let isRefused = false;
    proxy.answer = (request, response: ServerResponse) => {
      if (isRefused || !request.url?.startsWith("/events")) {
        return false;
      }
      isRefused = true;
      response.writeHead(status, { "Content-Type": type }).end(body);
      return true;
    };
    proxy.breakOff();
    const lost = await reports(({ refusal }) => refusal !== undefined, from);
    assert.match(lost.refusal ?? "", says);
    const live = await reports(
      ({ connection, refusal }) => connection === "live" && refusal === undefined,
      reported.indexOf(lost),
    );
    assert.equal(live.replaced, reported[0]?.replaced, "it is the same ledger");
    const streams = proxy.asked.slice(asked).filter((path) => path.startsWith("/events"));
    assert.ok(streams.length >= 2);
    assert.deepEqual(
      streams.filter((path) => path.includes("after")),
      [],
    );
  });
}

test("another ledger, and an older state of the same one, count as replaced; the same one does not", async () => {
  let from = reported.length;
  proxy.target = node(second).url;
  proxy.breakOff();
  await reports(({ connection, replaced }) => connection === "live" && replaced === 1, from);

  // As a restored back-up.
  from = reported.length;
  await using older = await TestNode.copyOf(node(second));
  await node(second).holder();
  const height = await node(second).height();
  await reports((message) => message.height === height, from);
  proxy.target = older.url;
  proxy.breakOff();
  const live = await reports(
    ({ connection, replaced }) => connection === "live" && replaced === 2,
    from,
  );
  assert.equal(live.height, await older.height());
});
