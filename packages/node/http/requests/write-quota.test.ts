import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Answered,
  type KeyHolder,
  publicPem,
  summaryOf,
  TestNode,
} from "../../testing/test-node.ts";

const PER_CLIENT = 20_000;
const PER_ACTOR = 6_500;
/** More than a third of what an actor may write. */
const MEMO = "m".repeat(2_048);

let node: TestNode;
let a: KeyHolder;
let b: KeyHolder;
let c: KeyHolder;
before(async () => {
  node = await TestNode.start(
    ...["--client-bytes-per-hour", String(PER_CLIENT), "--actor-bytes-per-hour", String(PER_ACTOR)],
    ...["--trust-proxy", "1"],
  );
  a = await node.holder({ coins: 1_000_000n });
  b = await node.holder({ coins: 1_000_000n });
  c = await node.holder();
});
after(() => node[Symbol.asyncDispose]());

async function pay(from: KeyHolder, client: string, wrong = {}): Promise<Answered> {
  const payment = { to: c.address, amount: "1", memo: MEMO, ...wrong };
  const params = await node.transfer(from, payment);
  const body = String(new URLSearchParams(params));
  const headers = {
    "Content-Type": "application/x-www-form-urlencoded",
    "X-Forwarded-For": client,
  };
  return await node.request("/transfer", { method: "POST", body, headers });
}

test("an actor that has used up its quota gets 429 9001 with the time to wait, from any client, and nothing is written", async () => {
  assert.equal(summaryOf(await pay(a, "192.0.2.1")), "200");
  assert.equal(summaryOf(await pay(a, "192.0.2.2")), "200");
  const height = await node.height();
  const refused = await pay(a, "192.0.2.3");
  assert.equal(summaryOf(refused), "429 9001");
  assert.match(refused.text, /6500 bytes an hour from one actor/);
  const seconds = Number(refused.headers.get("retry-after"));
  assert.ok(seconds > 0 && seconds <= 3600, `${seconds}`);
  assert.equal(await node.height(), height);
  assert.equal(summaryOf(await pay(b, "192.0.2.1")), "200");
});

test("a refused operation is not counted", async () => {
  for (let count = 0; count < 5; count += 1) {
    assert.equal(summaryOf(await pay(b, "192.0.2.4", { amount: "2000000" })), "400 5001");
  }
  assert.equal(summaryOf(await pay(b, "192.0.2.4")), "200");
  assert.equal(summaryOf(await pay(b, "192.0.2.4")), "429 9001");
});

test("a client that has used up its quota gets 429 9001 for any actor; others are unaffected", async () => {
  const create = (client: string): Promise<Answered> =>
    node.request("/address", {
      method: "POST",
      body: String(newAddress()),
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        "X-Forwarded-For": client,
      },
    });
  let made = 0;
  let answer = await create("192.0.2.5");
  for (; answer.status === 200 && made < 100; made += 1) {
    answer = await create("192.0.2.5");
  }
  assert.equal(summaryOf(answer), "429 9001");
  assert.match(answer.text, /20000 bytes an hour from one client/);
  assert.ok(made > 3 && made < 100, `${made}`);
  assert.equal((await create("192.0.2.6")).status, 200);
});

function newAddress(): URLSearchParams {
  return new URLSearchParams({ publickey: publicPem(c.privateKey), addinfo: "i".repeat(4000) });
}

function creation(...headers: readonly string[]): string {
  const body = String(newAddress());
  return [
    "POST /address HTTP/1.1",
    "Host: x",
    "Content-Type: application/x-www-form-urlencoded",
    `Content-Length: ${body.length}`,
    ...headers,
    "",
    body,
  ].join("\r\n");
}

test("a write that waits for a block is not done once its client has left", async () => {
  await using one = await TestNode.start();
  const holder = await one.holder();
  const height = await one.height();
  const socket = connect(Number(new URL(one.url).port), "127.0.0.1");
  socket.end(creation(`Ledger-Height-Min: ${height + 1}`));
  // The node closes its side, too.
  await once(socket.resume(), "close");
  const before = one.running.service.reading().size;
  await one.pay(holder, 1n);
  // It looks every 10 ms: a write that it took would be in the block of the next one, or before it.
  await delay(100);
  assert.equal(
    summaryOf(await one.request("/address", { method: "POST", body: newAddress() })),
    "200",
  );
  assert.equal(one.running.service.reading().size, before + 2);
});

test("temporary keys count as a request each", async () => {
  await using limited = await TestNode.start("--rate-limit", "50");
  const { address } = await limited.holder();
  assert.equal(summaryOf(await limited.get(`/nonce/${address}?count=20`)), "200");
  assert.equal(summaryOf(await limited.get(`/getkey/transfer/${address}?count=20`)), "200");
  const refused = await limited.get(`/nonce/${address}?count=20`);
  assert.equal(summaryOf(refused), "429 9001");
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  assert.equal(summaryOf(await limited.get(`/nonce/${address}`)), "429 9001");
});
