import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { TestNode } from "../../node/testing/test-node.ts";
import {
  type Actor,
  type BatchWrite,
  Moneta,
  type PreparedWrite,
  ProblemError,
  type SentWrite,
  SigningKey,
  UnansweredError,
} from "../index.ts";

/** Writes, more than one batch has. */
const MORE = 1010;

let node: TestNode;
let moneta: Moneta;
let alice: Actor;
let bob: Actor;
let key: SigningKey;

before(async () => {
  node = await TestNode.start();
  moneta = new Moneta(node.url);
  key = await SigningKey.generate();
  alice = await moneta.createAddress(key);
  bob = await moneta.createAddress(await SigningKey.generate());
  await moneta.faucet({ address: alice.address, amount: 1_000_000n });
});
after(() => node?.[Symbol.asyncDispose]());

async function coins({ address }: Actor): Promise<bigint> {
  return (await moneta.balanceOfToken({ address, token: 0 }))[0]?.balance ?? 0n;
}

async function payments(count: number): Promise<PreparedWrite[]> {
  await alice.prefetchKeys(count);
  const payment = { to: bob.address, token: 0, amount: 1n };
  return await Promise.all(Array.from({ length: count }, () => alice.prepare("transfer", payment)));
}

/** All results; throws what the stream throws. */
async function all(
  writes: Iterable<BatchWrite> | AsyncIterable<BatchWrite>,
  of: Moneta = moneta,
): Promise<(SentWrite | ProblemError)[]> {
  const results: (SentWrite | ProblemError)[] = [];
  for await (const result of of.batchStream(writes)) {
    results.push(result);
  }
  return results;
}

/** A library whose requests are counted, and may be lost. */
function observed(
  onRequest: (path: string, count: number) => { readonly answerBytesMax: number } | undefined,
): Moneta {
  let count = 0;
  return new Moneta(node.url, {
    fetch: async (input, init) => {
      count += 1;
      const lost = onRequest(new URL(String(input)).pathname, count);
      const response = await fetch(input, init);
      return lost === undefined
        ? response
        : new Response(cut(response, lost.answerBytesMax), response);
    },
  });
}

function cut({ body }: Response, bytesMax: number): ReadableStream<Uint8Array> {
  let bytes = 0;
  return (body as ReadableStream<Uint8Array>).pipeThrough(
    new TransformStream({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes > bytesMax) {
          controller.error(new Error("the connection was lost"));
        } else {
          controller.enqueue(chunk);
        }
      },
    }),
  );
}

test("a stream returns a result for each write in their order, the first while others are not written yet", async () => {
  const [first, second] = (await payments(2)) as [PreparedWrite, PreparedWrite];
  let isFirstAnswered = false;
  async function* writes(): AsyncGenerator<BatchWrite> {
    yield first;
    while (!isFirstAnswered) {
      await delay(5);
    }
    yield { operation: "address", publickey: key.publicKeyPem, idempotency_key: "stream" };
    yield { operation: "mrc010auctionfinish", dexid: `DEX010_${"0".repeat(33)}` };
    yield second;
  }
  const results: (SentWrite | ProblemError)[] = [];
  for await (const result of moneta.batchStream(writes())) {
    isFirstAnswered = true;
    results.push(result);
  }
  const [paid, made, finished, last] = results;
  assert.deepEqual(paid, { transaction_id: (await moneta.send(first)).transaction_id });
  assert.match(String((made as SentWrite)["address"]), /^MT/);
  assert.ok(finished instanceof ProblemError && finished.code === "6004");
  assert.deepEqual(last, { transaction_id: (await moneta.send(second)).transaction_id });
});

test("a stream of more writes than a batch has is one request, and reads reflect it", async () => {
  const before = await coins(bob);
  const requests: string[] = [];
  const own = observed((path) => {
    requests.push(path);
    return undefined;
  });
  const results = await all(await payments(MORE), own);
  assert.equal(results.filter((each) => each instanceof ProblemError).length, 0);
  assert.deepEqual(requests.filter((path) => path === "/batch").length, 1);
  const [{ balance } = { balance: 0n }] = await own.balanceOfToken({
    address: bob.address,
    token: 0,
  });
  assert.equal(balance, before + BigInt(MORE));
});

test("a stream whose answer is lost is opened again, and nothing is done twice", async () => {
  const before = await coins(bob);
  let lost = 0;
  const own = observed((path) => {
    if (path !== "/batch" || lost === 2) {
      return undefined;
    }
    lost += 1;
    return { answerBytesMax: 2000 };
  });
  const results = await all(await payments(300), own);
  assert.equal(lost, 2);
  assert.equal(results.length, 300);
  assert.equal(results.filter((each) => each instanceof ProblemError).length, 0);
  assert.equal(new Set(results.map((each) => (each as SentWrite).transaction_id)).size, 300);
  assert.equal(await coins(bob), before + 300n);
});

test("what cannot be repeated throws when its answer is lost", async () => {
  const own = observed((path) => (path === "/batch" ? { answerBytesMax: 0 } : undefined));
  const write = { operation: "address", publickey: key.publicKeyPem };
  await assert.rejects(all([write], own), (thrown) => {
    return thrown instanceof UnansweredError && thrown.mayHaveHappened;
  });
});

test("what the caller's iteration throws, and a write that is none, end the stream behind what was sent", async () => {
  const [payment] = (await payments(1)) as [PreparedWrite];
  const before = await coins(bob);
  function* failing(): Generator<BatchWrite> {
    yield payment;
    throw new RangeError("no more");
  }
  const results: unknown[] = [];
  const run = async (writes: Iterable<BatchWrite>): Promise<void> => {
    for await (const result of moneta.batchStream(writes)) {
      results.push(result);
    }
  };
  await assert.rejects(run(failing()), { name: "RangeError", message: "no more" });
  await assert.rejects(run([payment, { operation: "nonce" }]), { name: "TypeError" });
  assert.equal(results.length, 2);
  assert.equal(await coins(bob), before + 1n);
});

test("a loop that is left takes no more writes, and a signal ends a stream with its reason", async () => {
  let taken = 0;
  const closed = Promise.withResolvers<void>();
  async function* endless(): AsyncGenerator<BatchWrite> {
    try {
      for (;;) {
        taken += 1;
        yield { operation: "mrc010auctionfinish", dexid: `DEX010_${"0".repeat(33)}` };
      }
    } finally {
      closed.resolve();
    }
  }
  for await (const _ of moneta.batchStream(endless())) {
    break;
  }
  await closed.promise;
  assert.ok(taken < 3000, `${taken}`);
  const abort = new AbortController();
  const aborted = async (): Promise<void> => {
    for await (const _ of moneta.batchStream(endless(), { signal: abort.signal })) {
      abort.abort(new Error("enough"));
    }
  };
  await assert.rejects(aborted(), /enough/);
});

test("a stream takes 8 MiB of writes at most before their results are taken", async () => {
  let taken = 0;
  function* large(): Generator<BatchWrite> {
    for (; taken < 100; taken += 1) {
      yield { operation: "transfer", memo: "m".repeat(1 << 20) };
    }
  }
  const results = moneta.batchStream(large());
  const { value } = await results.next();
  assert.ok(value instanceof ProblemError && value.code === "1000");
  const atFirst = taken;
  let { done } = await results.next();
  while (done !== true) {
    ({ done } = await results.next());
  }
  assert.ok(atFirst <= 10, `${atFirst}`);
  assert.equal(taken, 100);
});

test("where a node takes no streams, the writes go in batches", async () => {
  await using own = await TestNode.start("--batch-streams-max", "0");
  const requests: string[] = [];
  const moneta = new Moneta(own.url, {
    fetch: (input, init) => {
      requests.push(new URL(String(input)).pathname);
      return fetch(input, init);
    },
  });
  const write = { operation: "mrc010auctionfinish", dexid: `DEX010_${"0".repeat(33)}` };
  const results = await all(
    Array.from({ length: MORE }, () => write),
    moneta,
  );
  assert.equal(results.length, MORE);
  assert.ok(results.every((each) => each instanceof ProblemError && each.code === "6004"));
  assert.deepEqual(requests.filter((path) => path === "/batch").length, 3);
});

test("where no request can be read while it is written, as in browsers, the writes go in batches", async (t) => {
  const before = await coins(bob);
  const writes = await payments(MORE);
  const requests: string[] = [];
  const own = observed((path) => {
    requests.push(path);
    return undefined;
  });
  const scope = globalThis as { window?: unknown };
  scope.window = {};
  t.after(() => {
    delete scope.window;
  });
  const results = await all(writes, own);
  assert.equal(results.length, MORE);
  assert.ok(results.every((each) => !(each instanceof ProblemError)));
  assert.deepEqual(requests.filter((path) => path === "/batch").length, 2);
  assert.equal(await coins(bob), before + BigInt(MORE));
});

test("writes that a node refuses for now are sent again", async () => {
  await using own = await TestNode.start("--queue-max", "100");
  const moneta = new Moneta(own.url);
  const { queue } = own.running.service;
  const alice = await moneta.createAddress(key);
  await moneta.faucet({ address: alice.address, amount: 1000n });
  await alice.prefetchKeys(20);
  const payment = { to: (await moneta.createAddress(key)).address, token: 0, amount: 1n };
  const writes: BatchWrite[] = [];
  for (let count = 0; count < 20; count += 1) {
    writes.push(await alice.prepare("transfer", payment));
  }
  queue.hold(200, 0);
  const refused = setTimeout(() => queue.release(200, 0), 5500);
  const results = await all(writes, moneta);
  clearTimeout(refused);
  assert.equal(results.filter((each) => each instanceof ProblemError).length, 0);
  assert.equal((await moneta.balanceOfToken({ address: payment.to, token: 0 }))[0]?.balance, 20n);
});

test("an executed line behind one refused for now is not reported as not executed where the node is gone", async () => {
  const lines = [
    { status: 503, problem: { code: "9002", status: 503, detail: "Overloaded." } },
    { status: 200, transaction_id: "1".repeat(64), result: "MT" },
  ];
  let requests = 0;
  const own = new Moneta("http://127.0.0.1", {
    ledgerId: "a".repeat(64),
    retries: 1,
    fetch: async (_, { body } = {}) => {
      requests += 1;
      if (requests > 1) {
        const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
        throw new TypeError("fetch failed", { cause });
      }
      assert.ok(body instanceof ReadableStream);
      const reader = body.getReader();
      await reader.read();
      await reader.read();
      const answer = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      return new Response(answer, { headers: { "Ledger-Height": "1" } });
    },
  });
  const write = { operation: "address", publickey: key.publicKeyPem };
  await assert.rejects(all([write, write], own), {
    name: "UnansweredError",
    mayHaveHappened: true,
  });
});
