import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { after, before, beforeEach, test } from "node:test";
import { Market } from "../../../testing/requests/market.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  parsed,
  summaryOf,
  TestNode,
  transactionIdOf,
} from "../../../testing/test-node.ts";
import { until } from "../../../testing/until.ts";

// The order exchange over HTTP: short signatures, answers, reads. Source: protocols §10, §11.

interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly cursor?: string;
}

let market: Market;
/** The pair: what is paid with, and what is traded; both have no decimals. */
let base: string;
let target: string;
let a: KeyHolder;
let b: KeyHolder;
let c: KeyHolder;
let d: KeyHolder;
let sales: readonly [string, string, string];

before(async () => {
  // Less than the results of one batch of the last test.
  const node = await TestNode.start("--queue-bytes-max", String(8 << 20));
  market = new Market(node, await node.holder());
});
after(() => market[Symbol.asyncDispose]());

/** A pair of its own for each test, and book 1: prices are of one unit, as there are no decimals. */
beforeEach(async () => {
  const { issuer } = market;
  base = await market.issue(issuer, "1000000");
  target = await market.issue(issuer, "1000000");
  await market.done("tokensetbase", issuer, { token: target, baseToken: base });
  await market.done("tokenaddtarget", issuer, { token: base, targetToken: target });
  [a, b, c, d] = (await Promise.all(Array.from({ length: 4 }, () => market.holder()))) as [
    KeyHolder,
    KeyHolder,
    KeyHolder,
    KeyHolder,
  ];
  for (const [token, amount] of [
    [base, "10000"],
    [target, "1000"],
  ] as const) {
    const list = [a, b, c, d].map(({ address }) => ({ address, amount, unlockdate: "0" }));
    const paid = await market.node.multitransfer(issuer, list, { token });
    assert.equal(summaryOf(await market.node.post("/multitransfer", paid)), "200");
  }
  const ids = [
    await create(c, "SELL", "10", "100"),
    await create(d, "SELL", "20", "100"),
    await create(c, "SELL", "10", "110"),
  ].map((answer) => parsed<{ mrc040id: string }>(answer).mrc040id);
  sales = ids as unknown as [string, string, string];
});

const FIELDS = {
  create: ["owner", "side", "basetoken", "targettoken", "price", "qtt", "tkey"],
  request: ["requester", "side", "basetoken", "targettoken", "price", "qtt", "minqtt", "tkey"],
  exchange: ["requester", "mrc040id", "qtt", "tkey"],
  cancel: ["owner", "mrc040id", "tkey"],
} as const;

async function send(
  word: keyof typeof FIELDS,
  by: KeyHolder,
  params: Params,
  fields: readonly string[] = FIELDS[word],
): Promise<Answered> {
  const { node } = market;
  const all = { [FIELDS[word][0]]: by.address, ...params, tkey: await node.key(by) };
  const { tkey, ...body } = await node.shortlySigned(by, [...fields], all, {});
  return await node.post(`/mrc040/${word}/${tkey}`, body);
}

function terms(side: string, qtt: string, price: string): Params {
  return { side, basetoken: base, targettoken: target, qtt, price };
}

function create(by: KeyHolder, side: string, qtt: string, price: string): Promise<Answered> {
  return send("create", by, terms(side, qtt, price));
}

async function read<T = Page>(path: string): Promise<T> {
  const answer = await market.node.get(path);
  assert.equal(answer.status, 200, answer.text);
  return parsed<T>(answer);
}

test("protocols §10: an order is answered with what it has traded at once, and so is a repeat", async () => {
  const params = { owner: b.address, ...terms("BUY", "35", "110"), tkey: await market.node.key(b) };
  const signed = await market.node.shortlySigned(b, [...FIELDS.create], params, {});
  const { tkey, ...body } = signed;
  const answer = await market.node.post(`/mrc040/create/${tkey}`, body);
  const { mrc040id, trades, ...rest } = parsed<{
    mrc040id: string;
    trades: { id: string }[];
  }>(answer);
  const id = transactionIdOf(answer);
  assert.deepEqual(rest, {
    ...{ transaction_id: id, txid: id, status: "COMPLETE", remainqtt: "0" },
  });
  assert.match(mrc040id, /^MRC040_[0-9a-f]{33}$/);
  assert.deepEqual(
    trades.map(({ id: _, ...trade }) => trade),
    [
      { mrc040id: sales[0], price: "100", qtt: "10", amount: "1000" },
      { mrc040id: sales[1], price: "100", qtt: "20", amount: "2000" },
      { mrc040id: sales[2], price: "110", qtt: "5", amount: "550" },
    ],
  );
  assert.equal(summaryOf(await create(a, "SELL", "1", "120")), "200");
  const again = await market.node.post(`/mrc040/create/${tkey}`, body);
  assert.equal(again.text, answer.text);
});

test("protocols §10: what a request and an exchange are answered", async () => {
  const request = parsed<{ doneqtt: string; amount: string; trades: object[] }>(
    await send("request", b, terms("BUY", "15", "100")),
  );
  assert.deepEqual([request.doneqtt, request.amount, request.trades.length], ["15", "1500", 2]);
  const taken = await send("exchange", b, { mrc040id: sales[1], qtt: "5" });
  const { trades, ...rest } = parsed<{ trades: { id: string }[] }>(taken);
  const id = transactionIdOf(taken);
  assert.deepEqual(rest, { transaction_id: id, txid: id });
  const trade = { mrc040id: sales[1], price: "100", qtt: "5", amount: "500" };
  assert.deepEqual(trades, [{ id: trades[0]?.id, ...trade }]);
});

test("protocols §11 row 37: the book has levels with their sums and numbers", async () => {
  assert.deepEqual(await read(`/mrc040/book/${base}/${target}`), {
    ...{ basetoken: base, targettoken: target, open: true, basedecimal: 0, targetdecimal: 0 },
    bids: [],
    asks: [
      { price: "100", qtt: "30", orders: 2 },
      { price: "110", qtt: "10", orders: 1 },
    ],
  });
  await create(a, "BUY", "3", "90");
  await create(a, "BUY", "4", "95");
  const { bids } = await read<{ bids: unknown }>(`/mrc040/book/${base}/${target}?limit=1`);
  assert.deepEqual(bids, [{ price: "95", qtt: "4", orders: 1 }]);
});

test("protocols §10: a cursor of the book is a price, whatever goes meanwhile", async () => {
  const path = `/mrc040/book/${base}/${target}?side=SELL&limit=1`;
  const first = await read(path);
  assert.deepEqual(first.items, [{ price: "100", qtt: "30", orders: 2 }]);
  assert.equal(summaryOf(await send("request", b, terms("BUY", "30", "100"))), "200");
  const second = await read(`${path}&cursor=${first.cursor}`);
  assert.deepEqual(second, { items: [{ price: "110", qtt: "10", orders: 1 }] });
});

test("protocols §10: what an address has in waiting orders", async () => {
  const path = `/mrc040/pending/${c.address}`;
  assert.deepEqual(await read(path), { items: [{ token: target, pending: "20", orders: 2 }] });
  await send("exchange", b, { mrc040id: sales[0], qtt: "10" });
  assert.deepEqual(await read(path), { items: [{ token: target, pending: "10", orders: 1 }] });
  await create(c, "BUY", "3", "90");
  const page = await read(`${path}?limit=1`);
  assert.deepEqual(page.items, [{ token: base, pending: "270", orders: 1 }]);
  const { items } = await read(`${path}?limit=1&cursor=${page.cursor}`);
  assert.deepEqual(items, [{ token: target, pending: "10", orders: 1 }]);
});

test("protocols §10: what histories and events say of trades", async () => {
  await create(b, "BUY", "35", "110");
  const typesOf = async (path: string): Promise<unknown[]> =>
    (await read(path)).items.map(({ type }) => type);
  const ofSeller = await typesOf(`/address/${c.address}/transactions?limit=2`);
  assert.deepEqual(ofSeller, ["stodexExchangePending", "stodexExchangePending"]);
  const ofBuyer = await typesOf(`/address/${b.address}/transactions?limit=4`);
  assert.deepEqual(ofBuyer.toSorted(), [
    ...["stodexExchangeRequest", "stodexExchangeRequest", "stodexExchangeRequest"],
    "stodexRegister",
  ]);
  assert.deepEqual(await typesOf(`/item/${sales[2]}/transactions`), [
    "stodexExchange",
    "stodexRegister",
  ]);
});

/** Sends a batch whose answer is not read, and waits until that has begun. */
async function sentUnread(body: string): Promise<Socket> {
  const socket = connect(Number(new URL(market.node.url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(
    `POST /batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await once(socket, "data");
  socket.pause();
  return socket;
}

test("unread results of batches are bounded: more are 9002 until their client has gone", async () => {
  for (let count = 0; count < 100; count += 1) {
    assert.equal(summaryOf(await create(c, "SELL", "1", "1")), "200");
  }
  const params = {
    ...{ requester: b.address, ...terms("BUY", "100", "1"), minqtt: "1" },
    tkey: await market.node.key(b),
  };
  const signed = await market.node.shortlySigned(b, [...FIELDS.request], params, {});
  // Each of 1,000 repeats is answered with the same 100 trades: 14 MB in all.
  const operation = JSON.stringify({ operation: "mrc040request", ...signed });
  const many = `{"operations":[${Array.from({ length: 1000 }, () => operation).join(",")}]}`;
  const few = { operations: [{ operation: "none" }] };
  const unread = await sentUnread(many);
  assert.equal(summaryOf(await market.node.postJson("/batch", few)), "503 9002");
  assert.equal(summaryOf(await create(d, "SELL", "1", "1")), "200", "what is no batch is done");
  unread.destroy();
  await until(
    async () => summaryOf(await market.node.postJson("/batch", few)) === "200",
    "there is room again",
  );
});
