import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type KeyHolder, parsed, START, said, TestNode } from "../testing/test-node.ts";

interface Total {
  readonly time: number;
  readonly count: number;
  readonly types: Readonly<Record<string, number>>;
}

const DAY = 86_400;

let node: TestNode;
let alice: KeyHolder;

before(async () => {
  node = await TestNode.start();
  alice = await node.holder({ coins: 1_000n });
  for (const seconds of [30, 90, DAY - 1, DAY]) {
    node.now = START + seconds;
    await node.pay(alice, 1n);
  }
});
after(() => node[Symbol.asyncDispose]());

async function totals(query: string): Promise<readonly Total[]> {
  const answer = await node.get(`/totals${query}`);
  assert.equal(answer.status, 200, answer.text);
  return parsed<readonly Total[]>(answer);
}

const transfers = (seconds: number): Total => ({
  time: START + seconds,
  count: 1,
  types: { transfer: 1 },
});

test("without parameters it counts by the minute, up to the ledger time, as far back as it may", async () => {
  // At the beginning of a minute 1,440 of them begin after the same minute of the day before.
  assert.deepEqual(await totals(""), [60, DAY - 60, DAY].map(transfers));
});

test("since and until are included, and name when a minute or an hour begins", async () => {
  const from = (since: number, until: number, step = ""): Promise<readonly Total[]> =>
    totals(`?since=${START + since}&until=${START + until}${step}`);
  assert.deepEqual(await from(60, DAY - 60), [60, DAY - 60].map(transfers));
  assert.deepEqual(await from(61, DAY - 60), [DAY - 60].map(transfers));
  assert.deepEqual(await from(60, DAY - 61), [60].map(transfers));
  assert.deepEqual(await from(60, 59), []);
  assert.deepEqual(await from(DAY + 60, 9 * DAY, "&step=hour"), []);
  const hours = await from(0, DAY, "&step=hour");
  assert.deepEqual(hours.slice(1), [transfers(DAY - 3600), transfers(DAY)]);
});

test("every transaction is in one hour, under the type that GET /transactions shows", async () => {
  const hours = await totals("?step=hour");
  const { items } = parsed<{ items: readonly { readonly type: string }[] }>(
    await node.get("/transactions?limit=100"),
  );
  const counted = new Map<string, number>();
  for (const { types, count } of hours) {
    assert.equal(
      count,
      Object.values(types).reduce((sum, each) => sum + each, 0),
    );
    for (const [type, each] of Object.entries(types)) {
      counted.set(type, (counted.get(type) ?? 0) + each);
    }
  }
  const shown = new Map<string, number>();
  for (const { type } of items) {
    shown.set(type, (shown.get(type) ?? 0) + 1);
  }
  assert.deepEqual(counted, new Map([...shown].toSorted()));
});

for (const { query, answer } of [
  { query: "?step=day", answer: "400 3005 step" },
  { query: "?since=x", answer: "400 1101 since" },
  { query: "?until=-1", answer: "400 1101 until" },
  { query: `?since=${START}`, answer: "400 1101 since" },
  { query: `?since=${START}&until=${START + DAY}`, answer: "400 1101 since" },
  { query: `?since=0&step=hour`, answer: "400 1101 since" },
]) {
  test(`GET /totals${query}: ${answer}`, async () =>
    assert.equal(said(await node.get(`/totals${query}`)), answer));
}

test("1,440 steps are answered, one more is refused with the time that it may begin", async () => {
  const until = START + DAY;
  assert.equal((await totals(`?since=${START + 1}&until=${until}`)).length, 3);
  const refused = await node.get(`/totals?since=${START}&until=${until}`);
  assert.match(
    refused.text,
    new RegExp(`since is \\\\"${START}\\\\" but must be ${START + 60} or later`),
  );
  const hours = 1440 * 3600;
  assert.equal(
    said(await node.get(`/totals?step=hour&since=${until - hours + 1}&until=${until}`)),
    "200",
  );
  assert.equal(
    said(await node.get(`/totals?step=hour&since=${until - hours}&until=${until}`)),
    "400 1101 since",
  );
  assert.equal(said(await node.get("/totals?since=0&until=0")), "200");
  assert.equal(said(await node.get(`/totals?until=${Number.MAX_SAFE_INTEGER}`)), "200");
});
