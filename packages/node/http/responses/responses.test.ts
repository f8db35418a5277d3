import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  type Answered,
  type KeyHolder,
  parsed,
  publicPem,
  summaryOf,
  TestNode,
  transactionIdOf,
} from "../../testing/test-node.ts";

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";

let node: TestNode;
let a: KeyHolder;
let b: KeyHolder;
before(async () => {
  node = await TestNode.start();
  a = await node.holder({ coins: 1_000_000n });
  b = await node.holder();
});
after(() => node[Symbol.asyncDispose]());

/** One request of every route, each answered with 200. */
const ROUTES: readonly {
  readonly name: string;
  readonly type: "text/plain; charset=utf-8" | "application/json";
  readonly cache: "no-store" | "immutable";
  readonly hasTag: boolean;
  readonly send: () => Promise<Answered>;
}[] = [
  ...(
    [
      ["/", "no-store", false],
      ["/address/:a", "no-store", true],
      ["/address/:a?view=full", "no-store", true],
      ["/balance/:a", "no-store", true],
      ["/balance/:a/0", "no-store", true],
      ["/block/0", "immutable", true],
      ["/block/0/raw", "immutable", true],
      ["/transaction/:t", "immutable", true],
      ["/nonce/:a?count=2", "no-store", false],
      ["/openapi.json", "no-store", false],
      ["/health", "no-store", false],
      ["/ready", "no-store", false],
    ] as const
  ).map(([path, cache, hasTag]) => ({
    name: `GET ${path}`,
    type: "application/json" as const,
    cache,
    hasTag,
    // The one answer that is compressed on request.
    send: async () => node.get(await filled(path), { "Accept-Encoding": "identity" }),
  })),
  ...["/block", "/nonce/:a", "/getkey/transfer/:a"].map((path) => ({
    name: `GET ${path}`,
    type: "text/plain; charset=utf-8" as const,
    cache: "no-store" as const,
    hasTag: false,
    // The one answer that is compressed on request.
    send: async () => node.get(await filled(path), { "Accept-Encoding": "identity" }),
  })),
  {
    name: "POST /address",
    type: "text/plain; charset=utf-8",
    cache: "no-store",
    hasTag: false,
    send: () => node.post("/address", { publickey: publicPem(a.privateKey) }),
  },
  {
    name: "POST /address/bykey",
    type: "application/json",
    cache: "no-store",
    hasTag: false,
    send: () => node.post("/address/bykey", { publickey: publicPem(a.privateKey) }),
  },
  {
    name: "POST /transfer",
    type: "application/json",
    cache: "no-store",
    hasTag: false,
    send: async () =>
      node.post("/transfer", await node.transfer(a, { to: b.address, amount: "1" })),
  },
  {
    name: "POST /multitransfer",
    type: "application/json",
    cache: "no-store",
    hasTag: false,
    send: async () =>
      node.post(
        "/multitransfer",
        await node.multitransfer(a, [{ address: b.address, amount: 1, unlockdate: 0 }]),
      ),
  },
  {
    name: "POST /faucet",
    type: "application/json",
    cache: "no-store",
    hasTag: false,
    send: () => node.post("/faucet", { address: a.address }),
  },
];

async function filled(path: string): Promise<string> {
  const first = parsed<{ transaction: { id: string }[] }>(await node.get("/block/0"));
  return path.replace(":a", a.address).replace(":t", first.transaction[0]?.id ?? "");
}

for (const { name, type, cache, hasTag, send } of ROUTES) {
  test(`conventions §2: ${name} answers exactly ${type}, ${cache}${hasTag ? " and ETag" : ""}`, async () => {
    const answer = await send();
    assert.equal(answer.status, 200, answer.text);
    const { headers, text } = answer;
    assert.equal(headers.get("content-type"), type);
    assert.equal(headers.get("content-length"), String(Buffer.byteLength(text)));
    assert.equal(headers.get("ledger-height"), String(await node.height()));
    assert.match(
      headers.get("cache-control") ?? "",
      cache === "no-store" ? /^no-store$/ : /^public,.*immutable$/,
    );
    assert.equal(headers.has("etag"), hasTag);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/);
    assert.equal(headers.get("access-control-allow-origin"), "*");
    assert.equal(headers.has("x-powered-by"), false);
    if (type === "application/json") {
      assert.doesNotThrow(() => JSON.parse(text));
    } else {
      assert.match(text, /^[0-9A-Za-z]+$/);
    }
  });
}

const BAD: readonly { name: string; status: number; send: () => Promise<Answered> }[] = [
  { name: "GET /nothing", status: 404, send: () => node.get("/nothing") },
  { name: "GET /address/x", status: 400, send: () => node.get("/address/x") },
  {
    name: "GET /balance of an unknown address",
    status: 404,
    send: () => node.get(`/balance/${UNKNOWN}`),
  },
  { name: "GET /block/x", status: 404, send: () => node.get("/block/x") },
  { name: "GET /transfer", status: 405, send: () => node.get("/transfer") },
  { name: "POST /address", status: 405, send: () => node.post("/address", {}) },
  { name: "POST /transfer", status: 400, send: () => node.post("/transfer", {}) },
  { name: "POST /faucet", status: 400, send: () => node.post("/faucet", {}) },
  {
    name: "a body of another kind",
    status: 415,
    send: () => node.postJson("/transfer", "{}", { "Content-Type": "text/plain" }),
  },
  {
    name: "a body that is too large",
    status: 413,
    send: () => node.postJson("/transfer", "x".repeat(5_000_000)),
  },
];

for (const { name, status, send } of BAD) {
  test(`conventions §2.3, §3: the error of ${name} is application/problem+json with Ledger-Height`, async () => {
    const answer = await send();
    assert.equal(answer.status, status, answer.text);
    summaryOf(answer);
    const { headers } = answer;
    assert.equal(headers.get("ledger-height"), String(await node.height()));
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("access-control-allow-origin"), "*");
    assert.equal(headers.has("transaction-id"), false);
    assert.equal(headers.has("replay-nonce"), false);
    assert.ok(headers.get("x-request-id"));
  });
}

for (const path of ["/health", "/ready"]) {
  test(`conventions §2.3: ${path} carries Ledger-Height`, async () =>
    assert.equal((await node.get(path)).headers.get("ledger-height"), String(await node.height())));
}

test("conventions §2.3: /metrics carries Ledger-Height", async () =>
  assert.ok((await node.get("/metrics")).headers.has("ledger-height")));

test("a malformed path is answered with the headers of other answers", async () => {
  const { headers } = await node.get("/balance/%zz");
  assert.equal(headers.get("access-control-allow-origin"), "*");
});

test("conventions §2.3: what is answered before a request was read carries Ledger-Height, too", async () =>
  assert.match(await node.raw("nonsense\r\n\r\n"), /^ledger-height: \d+/im));

test("conventions §2.3: Ledger-Height of a write is its block or a later one", async () => {
  const params = await node.transfer(a, { to: b.address, amount: "1" });
  const answer = await node.post("/transfer", params);
  const block = Number.parseInt(transactionIdOf(answer).slice(0, 16), 16);
  assert.ok(Number(answer.headers.get("ledger-height")) >= block);
});

test("conventions §2.3: Ledger-Height of a read is the newest block that it reflects", async () => {
  const before = await node.get(`/balance/${b.address}`);
  await node.pay(b, 1n);
  const after = await node.get(`/balance/${b.address}`);
  const height = (answer: Answered): number => Number(answer.headers.get("ledger-height"));
  assert.equal(height(after), height(before) + 1);
  assert.notEqual(after.text, before.text);
});

test("conventions §2.3: Ledger-Height-Min of a block that is there is answered at once", async () => {
  const height = String(await node.height());
  for (const min of ["0", height]) {
    assert.equal(summaryOf(await node.get("/block", { "Ledger-Height-Min": min })), "200");
  }
});

test("conventions §2.3: Ledger-Height-Min of the next block waits for it", async () => {
  const min = String((await node.height()) + 1);
  const params = await node.transfer(a, { to: b.address, amount: "1" });
  const waiting = node.get(`/balance/${b.address}`, { "Ledger-Height-Min": min });
  // A later request that need not wait is answered first.
  const first = await Promise.race([
    waiting.then(() => "too early"),
    node.get("/block").then(() => "waits"),
  ]);
  assert.equal(first, "waits");
  assert.equal(summaryOf(await node.post("/transfer", params)), "200");
  const answer = await waiting;
  assert.equal(summaryOf(answer), "200");
  assert.ok(Number(answer.headers.get("ledger-height")) >= Number(min));
});

test("conventions §2.3: Ledger-Height-Min of a block that does not come is 503 9003 after 5 s, for reads and writes", async () => {
  const headers = { "Ledger-Height-Min": String((await node.height()) + 1000) };
  const params = await node.transfer(a, { to: b.address, amount: "1" });
  const started = performance.now();
  const answers = await Promise.all([
    node.get("/block", headers),
    node.get(`/balance/${a.address}`, headers),
    node.post("/transfer", params, headers),
  ]);
  const seconds = (performance.now() - started) / 1000;
  assert.deepEqual(answers.map(summaryOf), ["503 9003", "503 9003", "503 9003"]);
  assert.ok(seconds >= 4.9, `${seconds} s`);
  assert.equal(summaryOf(await node.post("/transfer", params)), "200");
});

for (const min of ["x", "-1", "1.5", "01", "", "9".repeat(30)]) {
  test(`conventions §2.3: Ledger-Height-Min ${min || "empty"} is refused at once or taken for absent`, async () => {
    const answer = await node.get("/block", { "Ledger-Height-Min": min });
    if (min === "") {
      assert.ok(answer.status === 200 || answer.status === 400);
    } else {
      assert.equal(answer.status, 400, answer.text);
    }
    summaryOf(answer);
  });
}

test("conventions §2.4: Transaction-Id and Replay-Nonce of a write; the nonce serves the next one", async () => {
  let checkkey = await node.key(a);
  for (let time = 0; time < 3; time += 1) {
    const params = await node.transfer(a, { to: b.address, amount: "1", checkkey });
    const answer = await node.post("/transfer", params);
    assert.equal(answer.headers.get("transaction-id"), transactionIdOf(answer));
    checkkey = answer.headers.get("replay-nonce") ?? "";
    assert.match(checkkey, /^[A-Za-z][0-9A-Za-z]{39,63}$/);
  }
  const list = [{ address: b.address, amount: "1", unlockdate: "0" }];
  const answer = await node.post("/multitransfer", await node.multitransfer(a, list));
  assert.equal(answer.headers.get("transaction-id"), transactionIdOf(answer));
  assert.ok(answer.headers.get("replay-nonce"));
});

test("accounts §7.3: a Replay-Nonce serves while the node's clock is behind the ledger time by more than a key is valid", async () => {
  await using behind = await TestNode.start();
  const from = await behind.holder({ coins: 10n });
  const to = await behind.holder();
  behind.now -= 1000;
  const created = await behind.post("/address", { publickey: publicPem(from.privateKey) });
  const own = { ...from, address: created.text };
  await behind.pay(own, 5n);
  for (const [payer, first] of [
    [own, created.headers.get("replay-nonce")],
    [from, await behind.key(from)],
  ] as const) {
    let checkkey = first ?? "";
    for (let time = 0; time < 3; time += 1) {
      const params = await behind.transfer(payer, { to: to.address, amount: "1", checkkey });
      const answer = await behind.post("/transfer", params);
      assert.equal(summaryOf(answer), "200");
      checkkey = answer.headers.get("replay-nonce") ?? "";
    }
  }
});

for (const path of ["/balance/:a", "/address/:a", "/block/0", "/block/0/raw", "/transaction/:t"]) {
  test(`conventions §2.5: ${path} is 304 for who has it already`, async () => {
    const path_ = await filled(path);
    const first = await node.get(path_);
    const etag = first.headers.get("etag") ?? "";
    assert.match(etag, /^(W\/)?"[^"]+"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await node.get(path_, { "If-None-Match": known });
      assert.equal(again.status, 304, known);
      assert.equal(again.text, "");
      assert.equal(again.headers.get("etag"), etag);
      assert.equal(again.headers.get("cache-control"), first.headers.get("cache-control"));
    }
    assert.equal((await node.get(path_, { "If-None-Match": '"other"' })).status, 200);
  });
}

test("conventions §2.5: a balance that has changed has another ETag", async () => {
  const before = await node.get(`/balance/${b.address}`);
  await node.pay(b, 1n);
  const headers = { "If-None-Match": before.headers.get("etag") ?? "" };
  const after = await node.get(`/balance/${b.address}`, headers);
  assert.equal(after.status, 200);
  assert.notEqual(after.headers.get("etag"), before.headers.get("etag"));
});

test("HEAD answers what GET does, without the body", async () => {
  for (const path of [
    "/",
    "/block",
    "/block/0",
    `/balance/${a.address}`,
    "/balance/x",
    "/nothing",
  ]) {
    const [get, head] = [await node.get(path), await node.request(path, { method: "HEAD" })];
    assert.equal(head.status, get.status, path);
    assert.equal(head.text, "");
    for (const name of ["content-type", "ledger-height", "etag", "cache-control"]) {
      assert.equal(head.headers.get(name), get.headers.get(name), `${name} of ${path}`);
    }
  }
});

test("a browser's preflight is answered for every route", async () => {
  const paths = ["/transfer", "/address", `/balance/${a.address}`, "/block"];
  for (const path of [...paths, "/mrc402/dex", "/token/dex", "/token/holders/0"]) {
    const { status, headers } = await node.request(path, {
      method: "OPTIONS",
      headers: {
        Origin: "https://wallet.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,idempotency-key,ledger-height-min",
      },
    });
    assert.equal(status, 204);
    assert.equal(headers.get("access-control-allow-origin"), "*");
    assert.match(headers.get("access-control-allow-methods") ?? "", /POST/);
    assert.match(headers.get("access-control-allow-headers") ?? "", /^\*$|idempotency-key/i);
  }
});

test("a browser's script may read the headers of the contract", async () => {
  const { headers } = await node.get("/block", { Origin: "https://wallet.example" });
  const exposed = (headers.get("access-control-expose-headers") ?? "").toLowerCase().split(/, ?/);
  for (const name of ["ledger-height", "transaction-id", "replay-nonce", "retry-after", "link"]) {
    assert.ok(exposed.includes(name), name);
  }
});

test("GET / answers name, version, deployment, height and native coin", async () => {
  const root = parsed<Record<string, unknown>>(await node.get("/"));
  const { name, version, deployment, height, ledger, ledger_id } = root;
  assert.equal(name, "Moneta");
  assert.match(version as string, /^\d+\.\d+\.\d+/);
  assert.deepEqual([deployment, height, ledger], ["test", await node.height(), "localhost/test"]);
  assert.equal(ledger_id, node.ledgerId);
});
