import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { after, before, mock, test } from "node:test";
import { ForwardingProxy } from "../../node/testing/forwarding-proxy.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import {
  type Actor,
  type BatchWrite,
  everyItem,
  Moneta,
  type PreparedWrite,
  ProblemError,
  Proposal,
  type SentWrite,
  SigningKey,
  UnansweredError,
} from "../index.ts";
import { verifyTransaction } from "../proof.ts";

// One ledger by the URLs of two nodes. Two proxies in front of one node stand for them, because
// what matters here is what the client sends where.

let node: TestNode;
/** Shared by tests that leave both of its nodes as they were: without retries, and with one. */
let stages: readonly [Stage, Stage];
before(async () => {
  node = await TestNode.start();
  stages = [await stage({ retries: 0 }), await stage({ retries: 1 })];
});
after(async () => {
  for (const each of stages ?? []) {
    await each[Symbol.asyncDispose]();
  }
  await node?.[Symbol.asyncDispose]();
});

interface Sent {
  readonly url: string;
  readonly body: unknown;
  readonly heightMin: string | null;
}

interface Stage extends AsyncDisposable {
  readonly a: ForwardingProxy;
  readonly b: ForwardingProxy;
  readonly moneta: Moneta;
  readonly alice: Actor;
  readonly bob: Actor;
  readonly sent: Sent[];
  /** Called before each request. */
  onSend: () => void;
  coins(): Promise<bigint>;
}

async function stage(options: { readonly retries?: number } = {}): Promise<Stage> {
  const a = await ForwardingProxy.to(node.url);
  const b = await ForwardingProxy.to(node.url);
  const sent: Sent[] = [];
  const show = { onSend: (): void => undefined };
  const recorded = recordedIn(sent);
  const moneta = new Moneta([a.url, b.url], {
    ...options,
    fetch: async (input, init) => {
      show.onSend();
      return await recorded(input, init);
    },
  });
  const direct = new Moneta(node.url);
  const key = await SigningKey.generate();
  const alice = moneta.actor((await direct.createAddress(key)).address, key);
  const bob = moneta.actor((await direct.createAddress(key)).address, key);
  await direct.faucet({ address: alice.address });
  await moneta.ledgerId();
  await alice.prefetchKeys(20);
  sent.length = 0;
  return Object.assign(show, {
    a,
    b,
    moneta,
    alice,
    bob,
    sent,
    async coins() {
      const [held] = await direct.balanceOfToken({ address: bob.address, token: 0 });
      return held?.balance ?? 0n;
    },
    async [Symbol.asyncDispose]() {
      await a[Symbol.asyncDispose]();
      await b[Symbol.asyncDispose]();
    },
  });
}

/** `fetch` that notes what it sends. */
function recordedIn(sent: Sent[]): typeof fetch {
  return async (input, init) => {
    const heightMin = new Headers(init?.headers).get("ledger-height-min");
    sent.push({ url: String(input), body: init?.body, heightMin });
    return await fetch(input, init);
  };
}

function pay({ alice, bob }: Stage): Promise<{ readonly transaction_id: string }> {
  return alice.transfer({ to: bob.address, token: 0, amount: 1n });
}

/** Answers with a problem, as a node does. */
function refuse(response: ServerResponse, code: string, status = 503): true {
  const problem = { type: `urn:${code}`, title: "", status, detail: `it says ${code}`, code };
  response.writeHead(status, { "Content-Type": "application/problem+json" });
  response.end(JSON.stringify(problem));
  return true;
}

function isWrite({ method }: { readonly method?: string | undefined }): boolean {
  return method === "POST";
}

function nodesOf({ sent }: Stage, path: string): string[] {
  return sent.filter(({ url }) => url.endsWith(path)).map(({ url }) => new URL(url).origin);
}

test("all requests go to the first node while it answers", async () => {
  await using show = await stage();
  await pay(show);
  await show.moneta.blocks({ limit: 1 });
  assert.equal(show.moneta.url, show.a.url);
  assert.deepEqual(show.b.asked, []);
});

for (const [what, fail] of [
  [
    "closes connections",
    (a: ForwardingProxy) => {
      a.target = undefined;
    },
  ],
  ["cannot be reached", (a: ForwardingProxy) => a[Symbol.asyncDispose]()],
  ...([502, 503, 504] as const).map((status) => [
    `answers ${status} of a proxy`,
    (a: ForwardingProxy) => {
      a.answer = (_, response) => Boolean(response.writeHead(status).end());
    },
  ]),
  ...["9002", "9003", "9006"].map((code) => [
    `refuses with 503 ${code}`,
    (a: ForwardingProxy) => {
      a.answer = (_, response) => refuse(response, code);
    },
  ]),
] as [string, (a: ForwardingProxy) => unknown][]) {
  test(`a node that ${what} is left at once: reads and writes go to the next, and stay there`, async () => {
    await using show = await stage();
    const { url } = show.a;
    await fail(show.a);
    assert.ok((await show.moneta.blocks({ limit: 1 })).items.length > 0);
    await pay(show);
    await pay(show);
    assert.equal(await show.coins(), 2n);
    assert.equal(show.moneta.url, show.b.url);
    assert.equal(show.sent.filter((one) => one.url.startsWith(url)).length, 1);
  });
}

test("the same signed bytes go to the next node, and are done once, if an answer is lost", async () => {
  await using show = await stage();
  show.a.loses = isWrite;
  const { transaction_id } = await pay(show);
  assert.deepEqual(nodesOf(show, "/transfer"), [show.a.url, show.b.url]);
  const [first, second] = show.sent.filter(({ url }) => url.endsWith("/transfer"));
  assert.equal(first?.body, second?.body);
  assert.equal(await show.coins(), 1n);
  const { items } = await show.moneta.addressTransactions({ address: show.bob.address });
  assert.equal(items[0]?.id, transaction_id);
});

test("a refusal of the ledger is not requested elsewhere", async () => {
  await using show = await stage();
  await assert.rejects(
    show.bob.transfer({ to: show.alice.address, token: 0, amount: 1n }),
    (error) => error instanceof ProblemError && error.code === "5001",
  );
  assert.deepEqual(show.b.asked, []);
});

test("too many requests are no reason to ask another node", async () => {
  await using show = await stage({ retries: 1 });
  show.a.answer = (_, response) => refuse(response, "9001", 429);
  await assert.rejects(show.moneta.blocks(), { name: "ProblemError" });
  assert.deepEqual(show.b.asked, []);
});

test("an address is one, by every call that makes one, though its first answer is lost", async () => {
  await using show = await stage();
  const makers = [
    (key: SigningKey) => show.moneta.createAddress(key),
    (key: SigningKey) => show.moneta.request("address", { publickey: key.publicKeyPem }),
    async (key: SigningKey) => {
      const write: BatchWrite = { operation: "address", publickey: key.publicKeyPem };
      return await show.moneta.batch([write]);
    },
    async (key: SigningKey) => {
      const write: BatchWrite = { operation: "address", publickey: key.publicKeyPem };
      return await Array.fromAsync(show.moneta.batchStream([write]));
    },
  ];
  for (const make of makers) {
    let lost = 0;
    for (const proxy of [show.a, show.b]) {
      proxy.loses = (request) => {
        lost += isWrite(request) ? 1 : 0;
        return isWrite(request) && lost === 1;
      };
    }
    const key = await SigningKey.generate();
    await make(key);
    assert.equal(lost, 2);
    const addresses = await show.moneta.addressByKey({ publickey: key.publicKeyPem });
    assert.equal(addresses.length, 1);
  }
});

test("nodes that all fail are each asked so often, and no more", async () => {
  await using show = await stage({ retries: 2 });
  show.a.target = undefined;
  show.b.target = undefined;
  await assert.rejects(pay(show), (error) => {
    return error instanceof UnansweredError && error.mayHaveHappened;
  });
  assert.equal(nodesOf(show, "/transfer").length, 6);
});

test("nodes that all refuse for good are each asked once", async () => {
  await using show = await stage();
  for (const proxy of [show.a, show.b]) {
    proxy.answer = (_, response) => refuse(response, "9006");
  }
  await assert.rejects(show.moneta.blocks(), { name: "ProblemError", code: "9006" });
  assert.equal(show.sent.length, 2);
});

test("what a client has seen at one node it waits for at another, with writes too", async () => {
  await using show = await stage();
  await pay(show);
  const height = await node.height();
  await show.moneta.blocks({ limit: 1 });
  show.a.target = undefined;
  show.sent.length = 0;
  await show.moneta.blocks({ limit: 1 });
  await pay(show);
  await show.moneta.batch([
    await show.alice.prepare("transfer", { to: show.bob.address, token: 0, amount: 1n }),
  ]);
  assert.ok(show.sent.length >= 4);
  for (const { heightMin } of show.sent) {
    assert.ok(Number(heightMin) >= height, `${heightMin}`);
  }
});

/** Nodes are in doubt about the first so many writes. */
function inDoubt(show: Stage, count: number): void {
  let left = count;
  for (const proxy of [show.a, show.b]) {
    proxy.answer = (request, response) => {
      if (!isWrite(request) || left === 0) {
        return false;
      }
      left -= 1;
      return refuse(response, "9004");
    };
  }
}

test("what a refused write has seen at one node, its history waits for at another", async () => {
  await using show = await stage();
  const { a, moneta, alice, bob, sent } = show;
  const prepared = await alice.prepare("transfer", { to: bob.address, token: 0, amount: 1n });
  await new Moneta(node.url).faucet({ address: bob.address });
  const height = String(await node.height());
  a.answer = (request, response) => {
    response.setHeader("Ledger-Height", height);
    return isWrite(request) && refuse(response, "2020", 401);
  };
  for (const client of [moneta, new Moneta(a.url, { fetch: recordedIn(sent) })]) {
    await assert.rejects(client.send(prepared), { code: "2020" });
    assert.equal(await client.findSent(prepared), undefined);
    assert.equal(sent.at(-1)?.heightMin, height);
  }
});

test("a write in doubt is repeated until its one outcome, longer than there are retries", async () => {
  await using show = await stage({ retries: 1 });
  inDoubt(show, 9);
  await pay(show);
  assert.equal(nodesOf(show, "/transfer").length, 10);
  assert.equal(new Set(show.sent.map(({ body }) => body)).size, 1);
  assert.equal(await show.coins(), 1n);
});

test("a write in doubt that a repeat would do twice is not repeated", async () => {
  await using show = await stage();
  inDoubt(show, 1);
  await assert.rejects(show.moneta.faucet({ address: show.bob.address }), (error) => {
    return error instanceof UnansweredError && error.mayHaveHappened;
  });
});

/** What becomes of an operation: 200, the code of a refusal, or its connection is lost. */
type Fate = "200" | "2020" | "5000" | "9002" | "9004" | "9500" | "lost";

/**
 * Lets all writes have these fates, the first request's operations those of the first list, and so
 * on; the last list holds for all later requests. Each takes longer than a doubt is waited for.
 */
function fated(show: Stage, ...fates: readonly (readonly Fate[])[]): void {
  let count = 0;
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  show.onSend = () => mock.timers.tick(121_000);
  for (const proxy of [show.a, show.b]) {
    proxy.answer = (request, response) => {
      if (isWrite(request)) {
        void answerAs(fates[count] ?? (fates.at(-1) as readonly Fate[]), request, response);
        count += 1;
      }
      return isWrite(request);
    };
  }
}

/** Lets writes be done again. */
function unfated(show: Stage): void {
  mock.timers.reset();
  show.onSend = () => undefined;
  for (const proxy of [show.a, show.b]) {
    proxy.answer = () => false;
  }
}

async function answerAs(
  fates: readonly Fate[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const headers = { "Ledger-Height": "1", "Content-Type": "application/json" };
  const result = { transaction_id: "0".repeat(64) };
  const results = fates.map((fate) => {
    const problem = { type: "", title: "", status: 503, detail: `it says ${fate}`, code: fate };
    return JSON.stringify(
      fate === "200" ? { status: 200, ...result, result } : { status: 503, problem },
    );
  });
  const [first = "lost"] = fates;
  const isStream = request.headers["content-type"] === "application/x-ndjson";
  if (isStream) {
    response.writeHead(200, headers).flushHeaders();
  }
  let lines = 0;
  for await (const chunk of request.setEncoding("utf8")) {
    for (const _ of isStream && first !== "lost" ? chunk.matchAll(/\n/g) : []) {
      response.write(`${results[lines++]}\n`);
    }
    if (first === "lost") {
      break; // which destroys the connection
    }
  }
  if (isStream || first === "lost") {
    response.end();
  } else if (request.url === "/batch") {
    response.writeHead(200, headers).end(`{"results":[${results.join(",")}]}`);
  } else if (first === "200") {
    response.writeHead(200, headers).end(JSON.stringify(result));
  } else {
    refuse(response, first);
  }
}

/** Sends a payment, or several, in each of the ways in which it can be sent. */
const WAYS: Readonly<
  Record<string, (show: Stage, writes: readonly PreparedWrite[]) => Promise<readonly unknown[]>>
> = {
  alone: async ({ moneta }, [write]) => [await moneta.send(write as PreparedWrite)],
  "in a batch": ({ moneta }, writes) => moneta.batch(writes),
  "in a stream": ({ moneta }, writes) => Array.fromAsync(moneta.batchStream(writes)),
};

async function payments({ alice, bob }: Stage, count: number): Promise<readonly PreparedWrite[]> {
  const payment = { to: bob.address, token: 0, amount: 1n };
  return await Promise.all(Array.from({ length: count }, () => alice.prepare("transfer", payment)));
}

for (const [way, send] of Object.entries(WAYS)) {
  for (const first of ["9004", "lost"] as const) {
    for (const then of ["9002", "2020", "9500"] as const) {
      test(`a write ${way} that is first ${first}, and then ${then}, may have been done`, async () => {
        const show = stages[first === "lost" ? 1 : 0];
        const writes = await payments(show, 1);
        fated(show, [first], [then]);
        try {
          await assert.rejects(send(show, writes), (error) => {
            return error instanceof UnansweredError && error.mayHaveHappened;
          });
        } finally {
          unfated(show);
        }
      });
    }
  }

  test(`a write ${way} that a node has a fault at may have been done`, async () => {
    const [show] = stages;
    const writes = await payments(show, 1);
    fated(show, ["9500"]);
    try {
      await assert.rejects(send(show, writes), (error) => {
        return error instanceof UnansweredError && error.mayHaveHappened;
      });
    } finally {
      unfated(show);
    }
  });

  test(`a write ${way} that was in doubt is refused by the rules as ever, and is done if it is`, async () => {
    const [show] = stages;
    const writes = await payments(show, 1);
    for (const fate of ["5000", "200"] as const) {
      fated(show, ["9004"], [fate]);
      try {
        const [result] = await send(show, writes).catch((error) => [error]);
        const code = result instanceof ProblemError ? result.code : result.transaction_id && "200";
        assert.equal(code, fate, String(result));
      } finally {
        unfated(show);
      }
    }
  });

  test(`a write ${way} that is 9004, after which no node can be reached, may have been done`, async () => {
    await using show = await stage({ retries: 0 });
    const writes = await payments(show, 1);
    fated(show, ["9004"]);
    await show.b[Symbol.asyncDispose]();
    const { answer } = show.a;
    show.a.answer = (request, response) => {
      response.setHeader("Connection", "close");
      response.once("finish", () => void show.a[Symbol.asyncDispose]());
      return answer(request, response);
    };
    try {
      await assert.rejects(send(show, writes), (error) => {
        return error instanceof UnansweredError && error.mayHaveHappened;
      });
    } finally {
      mock.timers.reset();
    }
  });
}

for (const [way, send] of Object.entries(WAYS).slice(1)) {
  test(`of writes ${way} only those that may have been done are not known`, async () => {
    const [show] = stages;
    const writes = await payments(show, 2);
    fated(show, ["9004", "9002"], ["200", "9002"], ["9002"]);
    try {
      const [one, two] = (await send(show, writes)) as [SentWrite, unknown];
      assert.equal(one.transaction_id, "0".repeat(64));
      assert.ok(two instanceof ProblemError && two.code === "9002");
    } finally {
      unfated(show);
    }
  });
}

test("operations of a batch in doubt are repeated at the next node, and only those", async () => {
  await using show = await stage();
  const writes = await Promise.all(
    [1n, 2n, 3n].map((amount) =>
      show.alice.prepare("transfer", { to: show.bob.address, token: 0, amount }),
    ),
  );
  show.a.change = (path, body) => {
    if (path !== "/batch") {
      return body;
    }
    const { results } = JSON.parse(body);
    const problem = { type: "", title: "", status: 503, detail: "", code: "9004" };
    results[1] = { status: 503, problem };
    return JSON.stringify({ results });
  };
  const results = await show.moneta.batch(writes);
  assert.equal(results.filter((each) => each instanceof Error).length, 0);
  assert.deepEqual(nodesOf(show, "/batch"), [show.a.url, show.b.url]);
  const counts = show.sent
    .filter(({ url }) => url.endsWith("/batch"))
    .map(({ body }) => JSON.parse(String(body)).operations.length);
  assert.deepEqual(counts, [3, 1]);
  assert.equal(await show.coins(), 6n);
});

test("a stream of writes continues at the next node, and does each once", async () => {
  await using show = await stage();
  const writes: PreparedWrite[] = [];
  for (let n = 0; n < 10; n += 1) {
    writes.push(
      await show.alice.prepare("transfer", { to: show.bob.address, token: 0, amount: 1n }),
    );
  }
  show.a.loses = isWrite;
  const results = await Array.fromAsync(show.moneta.batchStream(writes));
  assert.equal(results.filter((each) => each instanceof Error).length, 0);
  assert.deepEqual(nodesOf(show, "/batch"), [show.a.url, show.b.url]);
  assert.equal(await show.coins(), 10n);
});

test("groups, forecasts and proofs go to the next node too", async () => {
  await using show = await stage();
  show.a.loses = isWrite;
  const group = await Proposal.propose(show.moneta, [
    {
      actor: show.alice.address,
      operation: "transfer",
      to: show.bob.address,
      token: "0",
      amount: 2n,
    },
    {
      actor: show.bob.address,
      operation: "transfer",
      to: show.alice.address,
      token: "0",
      amount: 1n,
    },
  ]);
  await group.sign(show.alice);
  await group.sign(show.bob);
  const [first] = await group.submit();
  assert.equal(await show.coins(), 1n);
  show.b.target = undefined;
  show.a.loses = () => false;
  const report = await verifyTransaction(show.moneta, first?.transaction_id ?? "");
  assert.equal(report.verdict, "verified");
});

test("an event stream continues at the next node without gap or repeat", async () => {
  await using show = await stage();
  const stop = new AbortController();
  const wanted: string[] = [];
  const got: string[] = [];
  for await (const event of show.moneta.events(
    { address: [show.bob.address] },
    { signal: stop.signal },
  )) {
    if (event.kind === "transaction") {
      got.push(event.id);
    }
    if (got.length === 12) {
      break;
    }
    if (got.length === wanted.length) {
      // Every second time the node that streams is lost, while more is paid.
      const [up, down] = wanted.length % 4 === 0 ? [show.a, show.b] : [show.b, show.a];
      up.target = node.url;
      down.target = undefined;
      down.breakOff();
      wanted.push((await pay(show)).transaction_id, (await pay(show)).transaction_id);
    }
  }
  assert.deepEqual(got, wanted.slice(0, 12));
});

test("lists go on at the next node", async () => {
  await using show = await stage();
  for (let n = 0; n < 5; n += 1) {
    await pay(show);
  }
  const { address } = show.bob;
  const amounts: unknown[] = [];
  const page = (cursor: string | undefined) =>
    show.moneta.addressTransactions({ address, cursor, limit: 2 });
  for await (const { id } of everyItem(page)) {
    amounts.push(id);
    show.a.target = undefined;
  }
  assert.equal(new Set(amounts).size, amounts.length);
  assert.ok(amounts.length >= 5);
  assert.equal(show.moneta.url, show.b.url);
});

test("by the URL of a follower alone everything is done, and read there", async () => {
  await using follower = await TestNode.start("--log", node.url);
  const moneta = new Moneta(follower.url);
  const alice = await moneta.createAddress(await SigningKey.generate());
  const bob = await moneta.createAddress(await SigningKey.generate());
  await moneta.faucet({ address: alice.address });
  const payment = { to: bob.address, token: 0, amount: 2n };
  const { transaction_id } = await alice.transfer(payment);
  const prepared = () => Promise.all([1, 2].map(() => alice.prepare("transfer", payment)));
  await moneta.batch(await prepared());
  await Array.fromAsync(moneta.batchStream(await prepared()));
  const group = await Proposal.propose(
    moneta,
    [1, 2].map(() => ({ actor: alice.address, operation: "transfer", ...payment, token: "0" })),
  );
  await group.sign(alice);
  assert.equal((await group.effects(bob.address)).gets.length, 1);
  await group.submit();
  assert.equal((await moneta.balanceOfToken({ address: bob.address, token: 0 }))[0]?.balance, 14n);
  assert.equal((await verifyTransaction(moneta, transaction_id)).verdict, "verified");
});

test("a follower as the second of two nodes: reads and streams go on there while the first is away", async () => {
  await using first = await ForwardingProxy.to(node.url);
  await using follower = await TestNode.start("--log", node.url);
  const moneta = new Moneta([first.url, follower.url]);
  const alice = await moneta.createAddress(await SigningKey.generate());
  await using stream = moneta.events({ address: [alice.address] });
  await stream.next();
  await moneta.faucet({ address: alice.address, amount: 5n });
  first.target = undefined;
  first.breakOff();
  assert.equal((await moneta.balanceOfToken({ address: alice.address, token: 0 }))[0]?.balance, 5n);
  await moneta.faucet({ address: alice.address, amount: 6n });
  const amounts: unknown[] = [];
  while (amounts.length < 2) {
    const { value } = await stream.next();
    if (value?.kind === "transaction") {
      amounts.push(value.transaction.parameters[2]);
    }
  }
  assert.deepEqual(amounts, ["5", "6"]);
});
