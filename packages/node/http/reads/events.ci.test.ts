import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { longTest } from "../../../ledger/testing/lane.ts";
import { EventStream } from "../../testing/event-stream.ts";
import { createItems } from "../../testing/requests/item-requests.ts";
import { Units, unitListing, unitsSummary } from "../../testing/requests/unit-requests.ts";
import {
  type Answered,
  type KeyHolder,
  parsed,
  type RecordPart,
  summaryOf,
  TestNode,
  type Transaction,
  transactionIdOf,
} from "../../testing/test-node.ts";
import { until } from "../../testing/until.ts";

// Chain §11 over real sockets, on a ledger on which coins, tokens, items and units of items have
// changed hands.

/** Instead of the 15 s of chain §11.2. */
const HEIGHT_AFTER_MS = 150;

let trade: Units;
let node: TestNode;
let a: KeyHolder;
let b: KeyHolder;
let c: KeyHolder;
/**
 * A project's item of many units, a listing of it, an item of it that is one of a kind, and an item
 * of many units that stands alone.
 */
let unit: string;
let listing: string;
let item: string;
let alone: string;
before(async () => {
  trade = await Units.open({ tokens: 2 });
  await trade.cast({ coins: 1_000_000n });
  ({ node } = trade);
  await node.stop();
  node.options = { heightAfterMs: HEIGHT_AFTER_MS };
  node.flags = ["--shutdown-seconds", "600"];
  await node.resume();
  await populate();
});
after(() => trade[Symbol.asyncDispose]());

async function populate(): Promise<void> {
  ({ a, b, c } = trade.roles);
  unit = await trade.u({ totalsupply: "10" }, { a: 5 });
  alone = await trade.x({}, { a: 20 });
  listing = await trade.sale(a, unit, { amount: "4" });
  assert.equal(unitsSummary(await trade.buy(b, listing, "3")), "200");
  assert.equal(unitsSummary(await trade.send("mrc402unsell", a, { id: listing })), "200");
  const lot = await trade.lot(a, alone, {}, [[b, "100"]]);
  assert.equal(
    unitsSummary(await trade.send("mrc402bid", trade.roles.d, { id: lot, amount: "500" })),
    "200",
  );
  const { project, maker, o } = trade.roles;
  const ids = await createItems(node, project, o, [{}, {}]);
  item = ids[0] as string;
  const itemdata = ids.map((id) => ({ id, price: "300", token: "0" }));
  await trade.done("mrc401sell", o, { itemdata });
  await trade.done("mrc401buy", b, { mrc401id: item });
  await trade.pay(maker, "1", 7n);
  const list = [b, c, b].map(({ address }) => ({ address, amount: "1", unlockdate: "0" }));
  const paid = await node.post("/multitransfer", await node.multitransfer(a, list));
  assert.equal(summaryOf(paid), "200");
}

async function pay(from: KeyHolder, to: KeyHolder, memo = ""): Promise<string> {
  const params = { to: to.address, amount: "1", memo };
  return transactionIdOf(await node.post("/transfer", await node.transfer(from, params)));
}

const known: (Transaction & { readonly text: string })[] = [];
let blocksKnown = 0;

/** Every transaction of the ledger, in order, in the form of `GET /transaction/{id}`. */
async function all(): Promise<readonly (Transaction & { readonly text: string })[]> {
  for (const newest = await node.height(); blocksKnown <= newest; blocksKnown++) {
    const block = parsed<{ transaction: { id: string }[] }>(
      await node.get(`/block/${blocksKnown}`),
    );
    for (const { id } of block.transaction) {
      const { text } = await node.get(`/transaction/${id}`);
      known.push({ ...(JSON.parse(text) as Transaction), text });
    }
  }
  return [...known];
}

const open = (query = "", headers: Record<string, string> = {}): Promise<EventStream> =>
  EventStream.open(node.url, query, headers);

test("chain §11: the head, and how a stream begins", async () => {
  using stream = await open(`from=${await node.height()}`);
  const { headers } = stream;
  assert.equal(headers["content-type"], "text/event-stream");
  assert.equal(headers["cache-control"], "no-store");
  assert.equal(headers["x-accel-buffering"], "no");
  assert.equal(headers["access-control-allow-origin"], "*");
  assert.equal(headers["ledger-height"], String(await node.height()));
  // Everything before `from` has been considered.
  const transactions = await all();
  const first = await stream.next();
  const before = Number(transactions.at(-1)?.db_sn) - 1;
  assert.deepEqual(first, {
    event: "height",
    id: transactions.findLast(({ db_sn }) => Number(db_sn) === before)?.id,
    data: `{"sn":${before}}`,
  });
  assert.equal((await stream.nextTransaction()).id, transactions.at(-1)?.id);
  const raw = await fetch(`${node.url}/events`);
  let text = "";
  for await (const part of raw.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (/\n\n.*\n\n/s.test(text)) {
      break;
    }
  }
  assert.match(text, /^retry: 2000\n\nevent: height\nid: [0-9a-f]{64}\ndata: \{"sn":\d+\}\n\n/);
});

test("HEAD answers with the head of a stream and ends, or says what is wrong", async () => {
  const answer = await node.request("/events", { method: "HEAD" });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "text/event-stream");
  assert.equal((await node.request("/events?from=x", { method: "HEAD" })).status, 400);
});

test("data is what GET /transaction/{id} shows, on one line", async () => {
  using stream = await open("from=0");
  for (const { id, text } of await all()) {
    assert.deepEqual(await stream.nextTransaction(), { id, data: text });
  }
});

test("chain §11: A pays C, A pays B, connection lost, A pays B twice, reconnect with the last id: three transactions in order", async () => {
  const query = `address=${b.address}`;
  const ids: string[] = [];
  let last: string;
  {
    using stream = await open(query);
    await pay(a, c);
    ids.push(await pay(a, b));
    last = (await stream.nextTransaction()).id;
    assert.deepEqual([last], ids);
  }
  ids.push(await pay(a, b), await pay(a, b));
  using stream = await open(query, { "Last-Event-ID": last });
  assert.deepEqual([last, ...(await stream.ids(2))], ids);
  const end = await pay(c, b);
  assert.deepEqual(await stream.ids(1), [end]);
});

test("chain §11: address=B&type=transfer, A pays B: nothing; address=A, or no type: sent", async () => {
  using none = await open(`address=${b.address}&type=transfer`);
  using ofA = await open(`address=${a.address}&type=transfer`);
  using ofB = await open(`address=${b.address}`);
  const id = await pay(a, b);
  assert.deepEqual(await ofA.ids(1), [id]);
  assert.deepEqual(await ofB.ids(1), [id]);
  const next = await pay(b, c);
  assert.deepEqual(await none.ids(1), [next]);
});

test("chain §11: item=<project>, an item of it is sold: sent; of either kind, live and from the past", async () => {
  const { project, d } = trade.roles;
  const from = (await node.height()) + 1;
  using live = await open(`item=${project}`);
  const sold = await trade.sale(a, unit, { amount: "1" });
  assert.equal(unitsSummary(await trade.buy(d, sold, "1")), "200");
  await pay(a, b);
  const ids = await live.ids(2);
  assert.deepEqual(await sentFrom(`item=${project}&from=${from}`, 2), ids);
  assert.deepEqual(await sentFrom(`item=${unit}&from=${from}`, 2), ids);
  assert.deepEqual(await sentFrom(`item=${sold}&from=${from}`, 2), ids);
});

test("offers §7: item=<item> and item=<project> pass an offer for the item and its acceptance, live and from the past", async () => {
  const { project } = trade.roles;
  const from = (await node.height()) + 1;
  using live = await open(`item=${item}`);
  const end = String(node.now + 4000);
  const made = await trade.send("mrc401offer", c, { id: item, price: "2", token: "0", end });
  assert.equal(summaryOf(made), "200");
  const { offerid } = parsed<{ offerid: string }>(made);
  await pay(a, b);
  assert.equal(summaryOf(await trade.send("mrc401acceptoffer", b, { offerid })), "200");
  const ids = await live.ids(2);
  assert.equal(ids[0], transactionIdOf(made));
  for (const filter of [item, project, offerid]) {
    assert.deepEqual(await sentFrom(`item=${filter}&from=${from}`, 2), ids, filter);
  }
});

async function sentFrom(query: string, count: number): Promise<string[]> {
  using stream = await open(query);
  return await stream.ids(count);
}

test("chain §11: start id of another deployment: 404 6008; Last-Event-ID: x: 400 3005", async () => {
  const own = (await all()).at(-1)?.id as string;
  const foreign = `${own.slice(0, 63)}${own.endsWith("0") ? "1" : "0"}`;
  const later = `${"1000".padStart(16, "0")}${"0".repeat(48)}`;
  for (const [query, lastId, outcome] of [
    ["", foreign, "404 6008 Last-Event-ID"],
    [`after=${foreign}`, "", "404 6008 after"],
    ["", "f".repeat(64), "404 6008 Last-Event-ID"],
    ["", later, "404 6008 Last-Event-ID"],
    ["", "x", "400 3005 Last-Event-ID"],
    ["", own.toUpperCase(), "400 3005 Last-Event-ID"],
    ["after=x", "", "400 3005 after"],
    ["after=x", own, "400 3005 after"],
  ] as const) {
    const headers: Record<string, string> = lastId === "" ? {} : { "Last-Event-ID": lastId };
    assert.equal(summaryOf(await node.get(`/events?${query}`, headers)), outcome);
  }
});

for (const [query, outcome] of [
  ["address=MTx", "400 3190 address"],
  ["address=MTAlice00000000000000000000000005dc33c90,MTx", "400 3190 address"],
  ["address=MTAlice00000000000000000000000005dc33c90,", "400 3190 address"],
  ["token=x", "400 1101 token"],
  ["token=01", "400 1101 token"],
  ["token=0,,1", "400 1101 token"],
  ["item=%2e%2e", "400 3005 item"],
  [`item=${"x".repeat(101)}`, "400 3005 item"],
  ["type=transfer,", "400 3005 type"],
  ["type=%22", "400 3005 type"],
  ["type=nonsense", "400 3005 type"],
  ["type=transfer,Receive", "400 3005 type"],
  ["from=-1", "400 1101 from"],
  ["from=1e3", "400 1101 from"],
  ["from=99999999", "400 1101 from"],
  [`from=1${"0".repeat(40)}`, "400 1101 from"],
  [`token=${Array.from({ length: 101 }, (_, n) => n).join(",")}`, "400 1101 token"],
  [`type=${"a,".repeat(100)}a`, "400 1101 type"],
  ["token=1&token=2", "400 1005 token"],
] as const) {
  test(`chain §11: ${query.slice(0, 70)}: ${outcome}`, async () => {
    assert.equal(summaryOf(await node.get(`/events?${query}`)), outcome);
  });
}

test("from one block above the newest is from now on; two above is refused", async () => {
  const height = await node.height();
  using stream = await open(`from=${height + 1}`);
  assert.equal(summaryOf(await node.get(`/events?from=${height + 2}`)), "400 1101 from");
  const id = await pay(a, b);
  assert.deepEqual(await stream.ids(1), [id]);
});

test("unknown addresses, items and tokens are waited for", async () => {
  const none = "MTAlice00000000000000000000000005dc33c90";
  for (const query of [`address=${none}`, "item=x", "token=99"]) {
    using stream = await open(query);
    assert.equal((await stream.next()).event, "height");
  }
});

test("Last-Event-ID goes before after, and that before from", async () => {
  const ids = (await all()).map(({ id }) => id);
  const [third, fifth] = [ids[3] as string, ids[5] as string];
  using first = await open(`after=${third}&from=0`, { "Last-Event-ID": fifth });
  assert.deepEqual(await first.ids(1), ids.slice(6, 7));
  using second = await open(`after=${third}&from=0`, { "Last-Event-ID": "" });
  assert.deepEqual(await second.ids(1), ids.slice(4, 5));
});

/** The specification's sentence, word by word: one record satisfies all filters given. */
function naive(
  transactions: readonly Transaction[],
  filter: Readonly<Record<string, readonly string[]>>,
  listedItem: ReadonlyMap<string, string>,
): string[] {
  const projectOf = (id: string): string => id.split("_").slice(0, 2).join("_");
  const satisfies = (part: RecordPart & { readonly item?: string }): boolean => {
    const itself = part.item ?? "none";
    const listed = listedItem.get(itself) ?? itself;
    const names = [itself, listed, projectOf(itself), projectOf(listed)];
    return (
      (filter["address"]?.includes(part.address) ?? true) &&
      (filter["token"]?.includes(String(part.token)) ?? true) &&
      (filter["type"]?.includes(part.type) ?? true) &&
      (filter["item"]?.some((one) => names.includes(one)) ?? true)
    );
  };
  return transactions
    .filter((transaction) => [transaction, ...transaction.effects].some(satisfies))
    .map(({ id }) => id);
}

// Random filters and records: filter-index.test.ts.
test("each filter, and all of them together, let through what the specification says, from the past and live", async () => {
  const { project, o } = trade.roles;
  const values: Readonly<Record<string, readonly (readonly string[])[]>> = {
    address: [[a.address], [b.address, o.address], [node.treasury.address]],
    token: [["0"], ["1"], ["1", "2"]],
    item: [[project], [unit], [listing, item], [alone]],
    type: [["transfer"], ["receive", "mrc402_buy"], ["mrc401_sell", "mrc402_auctionbid"]],
  };
  const single = Object.entries(values).flatMap(([name, lists]) =>
    lists.map((list): Readonly<Record<string, readonly string[]>> => ({ [name]: list })),
  );
  const filters: readonly Readonly<Record<string, readonly string[]>>[] = [
    {},
    ...single,
    { address: [b.address, o.address], item: [project] },
    { token: ["0"], type: ["receive", "mrc402_buy"] },
    { address: [b.address], token: ["0"], item: [project], type: ["mrc402_buy"] },
    { token: ["0"], item: [project], type: ["mrc402_buy", "mrc401_buy"] },
  ];

  // Opened before further writes, so that each reads a past and new events.
  const queries = filters.map(
    (filter) =>
      new URLSearchParams(
        Object.entries(filter).map(([name, list]): [string, string] => [name, list.join(",")]),
      ),
  );
  using opened = new DisposableStack();
  const streams = await Promise.all(
    queries.map(async (query) => opened.use(await open(`from=0&${query}`))),
  );
  await populate();
  const last = await pay(node.treasury, o);
  const transactions = await all();
  const listedItem = new Map<string, string>();
  for (const id of new Set(JSON.stringify(transactions).match(/DEX402_[0-9a-f]{33}/g))) {
    listedItem.set(id, (await unitListing(node, id)).mrc402);
  }
  for (const id of new Set(JSON.stringify(transactions).match(/OFF401_[0-9a-f]{33}/g))) {
    listedItem.set(id, parsed<{ id: string }>(await node.get(`/mrc401/offer/${id}`)).id);
  }

  let sent = 0;
  for (const [index, filter] of filters.entries()) {
    const stream = streams[index] as EventStream;
    const expected = naive(transactions, filter, listedItem);
    const seen = await stream.ids(expected.length);
    assert.deepEqual(seen, expected, `${queries[index]}`);
    // Once the height covers the last transaction, nothing more comes.
    while (seen.at(-1) !== last) {
      const event = await stream.next();
      assert.equal(event.event, "height", `${queries[index]}`);
      seen.push(event.id as string);
    }
    assert.deepEqual(
      stream.waiting.filter(({ event }) => event === "transaction"),
      [],
    );
    sent += expected.length;
  }
  assert.ok(sent > 100, `${sent} were let through`);
});

test("resuming at every id gives exactly the rest", async () => {
  const query = `address=${a.address},${b.address}`;
  const transactions = await all();
  const ids = naive(transactions, { address: [a.address, b.address] }, new Map());
  for (const { id } of transactions.filter((_, index) => index % 7 === 0)) {
    using stream = await open(query, { "Last-Event-ID": id });
    const rest = ids.filter((one) => one > id);
    assert.deepEqual(await stream.ids(rest.length), rest);
    assert.deepEqual(
      stream.waiting.filter(({ event }) => event === "transaction"),
      [],
    );
  }
});

test("streams that begin anywhere during writes become live without a gap or a repeat", async () => {
  const before = (await all()).map(({ id }) => id);
  const streams: { readonly after: string | undefined; readonly stream: EventStream }[] = [];
  const written: string[] = [];
  const write = async (from: KeyHolder): Promise<void> => {
    for (let n = 0; n < 15; n++) {
      written.push(await pay(from, c));
    }
  };
  const begin = async (): Promise<void> => {
    for (let n = 0; n < 20; n++) {
      const ids = [...before, ...written];
      const after = ids[Math.floor((ids.length * (n % 10)) / 9)];
      streams.push({ after, stream: await open(after === undefined ? "" : `after=${after}`) });
    }
  };
  await Promise.all([write(a), write(b), write(node.treasury), begin()]);
  const last = await pay(a, c);
  const ids = (await all()).map(({ id }) => id);
  for (const { after, stream: opened } of streams) {
    using stream = opened;
    const seen: string[] = [];
    while (seen.at(-1) !== last) {
      seen.push((await stream.nextTransaction()).id);
    }
    const first = after === undefined ? ids.indexOf(seen[0] as string) : ids.indexOf(after) + 1;
    assert.deepEqual(seen, ids.slice(first));
  }
});

test("chain §11.2: without an event a stream gets the height, so that a rare filter resumes near the end", async () => {
  using stream = await open("type=DataMigration");
  const start = await stream.next();
  const id = await pay(a, b);
  let notified = await stream.next();
  while (notified.id === start.id) {
    notified = await stream.next();
  }
  assert.deepEqual(notified, { event: "height", id, data: `{"sn":${await node.height()}}` });
  using resumed = await open("", { "Last-Event-ID": id });
  assert.deepEqual(await resumed.next(), notified);
  const next = await pay(a, b);
  assert.deepEqual(await resumed.ids(1), [next]);
});

test("type=block adds an event after every block", async () => {
  const from = await node.height();
  using live = await open(`type=block,transfer&address=${a.address}`);
  const { event: begun, id: start } = await live.next();
  assert.equal(begun, "height");
  const ids = [await pay(b, c), await pay(a, b), await pay(c, a)];
  const expected = [
    ["height", ids[0]],
    ["transaction", ids[1]],
    ["height", ids[1]],
    ["height", ids[2]],
  ];
  using past = await open(`type=block,transfer&address=${a.address}&from=${from + 1}`);
  await past.next();
  for (const stream of [live, past]) {
    const seen: (string | undefined)[][] = [];
    while (seen.length < expected.length) {
      const { event, id } = await stream.next();
      // After 150 ms of silence the same height comes again.
      const notified = seen.findLast(([each]) => each === "height")?.[1] ?? start;
      if (event !== "height" || id !== notified) {
        seen.push([event, id]);
      }
    }
    assert.deepEqual(seen, expected);
  }
});

test("chain §11.4: a slow client is dropped after a whole event, with a reason, and resumes", async () => {
  const sent: string[] = [];
  using slow = await open(`address=${c.address}`);
  // Until the stream is live, its client has two minutes for a piece of the past, not 5 s.
  const first = await pay(a, c);
  assert.deepEqual(await slow.ids(1), [first]);
  using quick = await open(`address=${c.address}`);
  slow.pause();
  // At once, in the middle of the writes: the node keeps the connection for 5 s only.
  node.running.service.operatorEvents.once("streamDropped", () => slow.resume());
  for (let round = 0; round < 6; round += 1) {
    const writes = Array.from({ length: 10 }, () => bigPayment());
    sent.push(...(await Promise.all(writes)).map(transactionIdOf));
  }
  const seen: string[] = [];
  let end: string | undefined;
  for (let event = await slow.nextOrEnd(); event !== undefined; event = await slow.nextOrEnd()) {
    if (event.event === "transaction") {
      seen.push(event.id as string);
    }
    end = event.event === "dropped" ? event.data : undefined;
  }
  assert.match(end ?? "", /^\{"reason":".*1 MiB.*"\}$/);
  const { text } = await node.get("/metrics");
  assert.match(text, /streams_dropped_total\{reason="slow"\} 1$/m);
  assert.equal(slow.rest, "");
  sent.sort();
  assert.deepEqual(seen, sent.slice(0, seen.length));
  // Besides 1 MiB in the node, socket buffers of both sides hold data: 30 MB were sent.
  assert.ok(seen.length < sent.length / 2, `${seen.length} of ${sent.length}`);
  using resumed = await open(`address=${c.address}`, { "Last-Event-ID": seen.at(-1) as string });
  assert.deepEqual(await resumed.ids(sent.length - seen.length), sent.slice(seen.length));
  assert.deepEqual(await quick.ids(sent.length), sent);
});

test("chain §11.4: a client that reads steadily keeps its stream, however much comes at once", async () => {
  using steady = await open(`address=${c.address}`);
  await steady.next();
  using _paced = steady.readPaced({ pauseMs: 10 });
  const writes = Array.from({ length: 20 }, () => bigPayment());
  const sent = (await Promise.all(writes)).map(transactionIdOf);
  assert.deepEqual(await steady.ids(sent.length), sent.toSorted());
});

/** One to C whose record has some 500 kB. */
async function bigPayment(): Promise<Answered> {
  const memo = "m".repeat(2048);
  const list = Array.from({ length: 100 }, () => ({
    address: c.address,
    amount: "1",
    unlockdate: "0",
    memo,
  }));
  return node.post("/multitransfer", await node.multitransfer(a, list));
}

test("a client that goes leaves nothing behind", async () => {
  const streams = await Promise.all(Array.from({ length: 20 }, () => open("from=0")));
  for (const stream of streams) {
    stream[Symbol.dispose]();
  }
  await until(async () => (await node.metric("moneta_event_streams")) === 0);
});

longTest(
  "a payee with more records of one kind than are read at a time gets each transaction once, in order",
  async () => {
    await using busy = await TestNode.start();
    const payer = await busy.holder({ coins: 10_000n });
    const payee = await busy.holder();
    const paid = async (entries: number): Promise<string> => {
      const list = Array.from({ length: entries }, () => ({
        address: payee.address,
        amount: "1",
        unlockdate: "0",
      }));
      return transactionIdOf(
        await busy.post("/multitransfer", await busy.multitransfer(payer, list)),
      );
    };
    // 600 records in 6 transactions, then one record in each of 520.
    const ids = [];
    for (let many = 0; many < 6; many += 1) {
      ids.push(await paid(100));
    }
    const single = await Promise.all(Array.from({ length: 520 }, () => paid(1)));
    ids.push(...single.toSorted());
    using stream = await EventStream.open(busy.url, `from=0&address=${payee.address}&type=receive`);
    assert.deepEqual(await stream.ids(ids.length), ids);
  },
);

test("a shutdown ends streams after a whole event without a delay, and their ids stay valid", async () => {
  const ids = (await all()).map(({ id }) => id);
  using past = await open("from=0");
  using live = await open();
  await past.next();
  await live.next();
  past.pause();
  const asked = performance.now();
  await node.stop();
  assert.ok(performance.now() - asked < 60_000, "it waits for no stream");
  await node.resume();
  past.resume();
  const seen: string[] = [];
  for (let event = await past.nextOrEnd(); event !== undefined; event = await past.nextOrEnd()) {
    if (event.event === "transaction") {
      seen.push(event.id as string);
    }
  }
  assert.deepEqual(seen, ids.slice(0, seen.length));
  const after = seen.at(-1);
  using resumed = await open("from=0", after === undefined ? {} : { "Last-Event-ID": after });
  assert.deepEqual(await resumed.ids(ids.length - seen.length), ids.slice(seen.length));
  const next = await pay(a, b);
  assert.deepEqual(await resumed.ids(1), [next]);
});

test("streams of a client and of all are bounded: more are 9001 and 9002 until one is closed, and others are unaffected", async () => {
  const limits = ["--event-streams-per-client-max", "2", "--event-streams-max", "6"];
  await using small = await TestNode.start(...limits, "--trust-proxy", "1");
  const open = (ip: string) => EventStream.open(small.url, "", { "X-Forwarded-For": ip });
  const refused = async (ip: string): Promise<string> => {
    const answer = await small.get("/events", { "X-Forwarded-For": ip });
    assert.ok(Number(answer.headers.get("retry-after")) > 0);
    return summaryOf(answer);
  };
  using first = await open("192.0.2.1");
  {
    using _second = await open("192.0.2.1");
    assert.equal(await refused("192.0.2.1"), "429 9001");
    using _other = await open("192.0.2.2");
    // All addresses of the /64 are one client.
    using _third = await open("2001:db8::1");
    using _fourth = await open("2001:db8::2");
    assert.equal(await refused("2001:db8::3"), "429 9001");
    using _fifth = await open("192.0.2.3");
    assert.equal(await refused("192.0.2.4"), "503 9002");
  }
  await until(async () => {
    using again = await open("192.0.2.1").catch(() => undefined);
    return again !== undefined;
  });
  assert.equal((await first.next()).event, "height");
});
