import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { LedgerReader } from "@moneta/ledger";
import { RECORD_TYPES } from "@moneta/protocol";
import { type KeyHolder, parsed, START, summaryOf, TestNode } from "../../testing/test-node.ts";

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
  { query: "?step=week", answer: "400 3005 step" },
  { query: "?step=day&since=0", answer: "400 1005 since" },
  { query: "?since=x", answer: "400 1101 since" },
  { query: "?until=-1", answer: "400 1101 until" },
  { query: `?since=${START}`, answer: "400 1101 since" },
  { query: `?since=${START}&until=${START + DAY}`, answer: "400 1101 since" },
  { query: `?since=0&step=hour`, answer: "400 1101 since" },
]) {
  test(`GET /totals${query}: ${answer}`, async () =>
    assert.equal(summaryOf(await node.get(`/totals${query}`)), answer));
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
    summaryOf(await node.get(`/totals?step=hour&since=${until - hours + 1}&until=${until}`)),
    "200",
  );
  assert.equal(
    summaryOf(await node.get(`/totals?step=hour&since=${until - hours}&until=${until}`)),
    "400 1101 since",
  );
  assert.equal(summaryOf(await node.get("/totals?since=0&until=0")), "200");
  assert.equal(summaryOf(await node.get(`/totals?until=${99_999_999_999}`)), "200");
});

// Last, because it fills the totals with what no block has.

test("a day with all types in each minute is read in parts, each in an event-loop turn of its own", async (t) => {
  await node.restart((database) => {
    const insert = database.prepare("INSERT OR REPLACE INTO total VALUES (60, ?, ?, 1)");
    database.exec("BEGIN");
    for (let time = START; time < START + DAY; time += 60) {
      for (const type of RECORD_TYPES.keys()) {
        insert.run(time, type);
      }
    }
    database.exec("COMMIT");
  });
  const reader = new LedgerReader(join(node.data, "ledger.db"));
  const view = Object.getPrototypeOf(reader.totals) as LedgerReader["totals"];
  reader.dispose();

  const parts: { readonly since: number; readonly steps: number }[] = [];
  let partsOfTurn = 0;
  const { list } = view;
  t.mock.method(view, "list", function (this: typeof view, ...span: Parameters<typeof list>) {
    partsOfTurn += 1;
    assert.equal(partsOfTurn, 1, "one part in a turn");
    setImmediate(() => {
      partsOfTurn -= 1;
    });
    const found = list.apply(this, span);
    parts.push({ since: span[1], steps: found.length });
    return found;
  });
  const minutes = await totals(`?since=${START}&until=${START + DAY - 1}`);
  assert.equal(parts.length, 8);
  assert.deepEqual(
    parts.map(({ steps }) => steps),
    parts.map(() => 180),
  );
  // The newest part comes first: blocks that are made meanwhile change no other.
  const begins = parts.map(({ since }) => since);
  assert.deepEqual(begins, begins.toSorted().toReversed());
  assert.deepEqual(
    minutes.map(({ time }) => time),
    Array.from({ length: 1440 }, (_, minute) => START + minute * 60),
  );
  for (const { count, types } of minutes) {
    assert.equal(count, RECORD_TYPES.length);
    assert.deepEqual(Object.keys(types).toSorted(), RECORD_TYPES.toSorted());
  }

  parts.length = 0;
  assert.equal((await totals(`?since=${START + 30}&until=${START + 181 * 60}`)).length, 181);
  assert.deepEqual(
    parts.map(({ steps }) => steps),
    [180, 1],
  );
  parts.length = 0;
  assert.equal((await totals(`?since=${START + 60}&until=${START + 180 * 60}`)).length, 180);
  assert.deepEqual(
    parts.map(({ steps }) => steps),
    [180],
  );
});
