import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { after, before, test } from "node:test";
import {
  type Answered,
  type KeyHolder,
  newKey,
  problemOf,
  publicPem,
  summaryOf,
  TestNode,
} from "../testing/test-node.ts";

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";

let node: TestNode;
let a: KeyHolder;
let b: KeyHolder;
before(async () => {
  node = await TestNode.start("--faucet-calls-max", "1");
  a = await node.holder({ coins: 1000n });
  b = await node.holder();
});
after(() => node[Symbol.asyncDispose]());

type Change = Readonly<Record<string, string>>;

async function transfer(change: Change, by: KeyHolder = a): Promise<Answered> {
  const params = await node.transfer(a, { to: b.address, amount: "1" }, { by });
  return node.post("/transfer", { ...params, ...change });
}

function address(publickey: string): Promise<Answered> {
  return node.post("/address", { publickey });
}

function spki(type: "rsa" | "secp256k1"): string {
  const { publicKey } =
    type === "rsa"
      ? generateKeyPairSync("rsa", { modulusLength: 1024 })
      : generateKeyPairSync("ec", { namedCurve: type });
  return publicKey.export({ type: "spki", format: "pem" }).toString();
}

/**
 * Codes that no description lists, or that have several statuses, and a useful word that `detail`
 * must have. The request matrix has the others.
 */
const FAULTS: readonly {
  readonly code: string;
  readonly status: number;
  readonly parameter?: string;
  readonly says: string;
  readonly send: () => Promise<Answered>;
}[] = [
  { code: "1007", status: 400, says: "JSON", send: () => node.postJson("/transfer", "[") },
  {
    code: "3090",
    status: 404,
    parameter: "address",
    says: UNKNOWN,
    send: () => node.get(`/address/${UNKNOWN}`),
  },
  {
    code: "3090",
    status: 400,
    parameter: "address",
    says: UNKNOWN,
    send: () => node.get(`/nonce/${UNKNOWN}`),
  },
  {
    code: "3090",
    status: 404,
    parameter: "publickey",
    says: "publickey",
    send: () => node.post("/address/bykey", { publickey: publicPem(newKey()) }),
  },
  { code: "3102", status: 405, says: "P-256", send: () => address(spki("secp256k1")) },
  { code: "3103", status: 405, says: "base64", send: () => address("!") },
  {
    code: "3104",
    status: 405,
    says: "private",
    send: () => address(newKey().export({ type: "pkcs8", format: "pem" }).toString()),
  },
  { code: "3105", status: 405, says: "DER", send: () => address("aGVsbG8=") },
  { code: "3106", status: 405, says: "elliptic-curve", send: () => address(spki("rsa")) },
  {
    code: "9001",
    status: 429,
    says: "24 hours",
    async send() {
      const { address } = await node.holder();
      await node.post("/faucet", { address });
      return node.post("/faucet", { address });
    },
  },
  { code: "9404", status: 404, says: "/nothing", send: () => node.get("/nothing?x=1") },
  { code: "9405", status: 405, says: "POST", send: () => node.get("/transfer") },
  {
    code: "9413",
    status: 413,
    says: "4194304",
    send: () => node.postJson("/transfer", "x".repeat(4194305)),
  },
  {
    code: "9415",
    status: 415,
    says: "text/plain",
    send: () => node.postJson("/transfer", "x", { "Content-Type": "text/plain" }),
  },
];

for (const { code, status, parameter, says, send } of FAULTS) {
  test(`conventions §3: ${code} has status ${status} and says what was wrong${parameter ? ` with ${parameter}` : ""}`, async () => {
    const answer = await send();
    const problem = problemOf(answer);
    assert.equal(`${problem.code} ${answer.status}`, `${code} ${status}`, answer.text);
    assert.ok(problem.detail.includes(says), problem.detail);
    if (parameter !== undefined) {
      assert.equal(problem.parameter, parameter);
    }
  });
}

test("conventions §3: a value is shown in part if it is long, and never breaks the JSON", async () => {
  for (const value of ["x".repeat(100_000), '"}\\', "😀".repeat(60), "\u2028", "</script>"]) {
    const answer = await transfer({ amount: value });
    assert.equal(summaryOf(answer), "400 1101 amount");
    assert.ok(answer.text.length < 2000, `${answer.text.length} characters`);
  }
});

test("conventions §3: what fails changes nothing, and its temporary key serves after all", async () => {
  const height = await node.height();
  const balances = [await node.balances(a), await node.balances(b)];
  const right = await node.transfer(a, { to: b.address, amount: "1" });
  const tooMuch = await node.transfer(a, {
    to: b.address,
    amount: "100000",
    checkkey: right.checkkey,
  });
  for (const [answer, params] of [
    ["400 5001", tooMuch],
    ["401 2010", { ...right, signature: tooMuch.signature }],
    ["401 2230 signature", { ...right, signature: "?" }],
    ["404 4001 token", { ...right, token: "5" }],
    ["404 3090 to", { ...right, to: UNKNOWN }],
    ["400 1102 unlockdate", { ...right, unlockdate: "x" }],
  ] as const) {
    assert.equal(
      summaryOf(await node.post("/transfer", params)).replace("2010 signature", "2010"),
      answer,
    );
  }
  assert.equal(await node.height(), height);
  assert.deepEqual([await node.balances(a), await node.balances(b)], balances);
  assert.equal(summaryOf(await node.post("/transfer", right)), "200");
  assert.equal(await node.height(), height + 1);
});

test("design: an operation that fails does not disturb its neighbours in the block", async () => {
  const keys = (await node.get(`/nonce/${a.address}?count=20`)).text;
  const all = await Promise.all(
    (JSON.parse(keys) as string[]).map((checkkey, index) =>
      node.transfer(a, { to: b.address, amount: index % 2 === 0 ? "1" : "1000000", checkkey }),
    ),
  );
  const [before] = await node.balances(b, "0");
  const answers = await Promise.all(all.map((params) => node.post("/transfer", params)));
  assert.deepEqual(
    answers.map(summaryOf),
    all.map((_, index) => (index % 2 === 0 ? "200" : "400 5001")),
  );
  assert.deepEqual(await node.balances(b, "0"), [String(Number(before) + 10)]);
});

for (const { path, allow } of [
  { path: "/transfer", allow: "POST" },
  { path: "/transfer/", allow: "POST" },
  { path: "/multitransfer", allow: "POST" },
  { path: "/address", allow: "POST" },
  { path: `/address/${UNKNOWN}`, allow: "GET" },
  { path: "/address/bykey", allow: "POST" },
  { path: "/faucet", allow: "POST" },
  { path: "/", allow: "GET" },
  { path: "/nonce/x", allow: "GET" },
  { path: "/getkey/x/y", allow: "GET" },
  { path: "/balance/x", allow: "GET" },
  { path: "/balance/x/0", allow: "GET" },
  { path: "/block", allow: "GET" },
  { path: "/block/0", allow: "GET" },
  { path: "/block/0/raw", allow: "GET" },
  { path: "/transaction/x", allow: "GET" },
  { path: "/openapi.json", allow: "GET" },
  { path: "/health", allow: "GET" },
  { path: "/ready", allow: "GET" },
  { path: "/metrics", allow: "GET" },
  { path: "/token", allow: "POST" },
  { path: "/token/burn/K", allow: "PUT" },
  { path: "/token/increase/K", allow: "PUT" },
  { path: "/token/update/K", allow: "PUT" },
  { path: "/token/1/image", allow: "GET" },
  { path: "/totalsupply/0", allow: "GET" },
]) {
  test(`conventions §3: other methods than ${allow} on ${path} are 405 9405 with Allow`, async () => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      if (method === allow || (path === "/address/bykey" && method === "GET")) {
        continue;
      }
      const answer = await node.request(path, { method });
      assert.equal(summaryOf(answer), "405 9405", method);
      const allowed = (answer.headers.get("allow") ?? "").split(", ");
      assert.ok(allowed.includes(allow) && !allowed.includes(method), allowed.join());
    }
  });
}

test("conventions §3: the 405 of a public key that is none has Allow, as RFC 9110 §15.5.6 requires", async () => {
  for (const publickey of ["", "!", "aGVsbG8="]) {
    const answer = await node.post("/address", { publickey });
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get("allow"), "POST");
  }
});

test("conventions §3: GET /address/bykey is no address: 400 3190 or 405", async () =>
  assert.match(summaryOf(await node.get("/address/bykey")), /^(400 3190|405 9405)/));

for (const path of [
  "/nothing",
  "/transfer/x",
  "/Transfer",
  "/address/x/y",
  "/nonce",
  "/getkey/x",
  "/balance",
  "/transaction",
  "/block/0/raw/x",
  "/%2e%2e/etc/passwd",
  "/index.html",
  "/balance/x/0/y",
]) {
  test(`conventions §3: ${path} is 404 9404 for every method`, async () => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      assert.equal(summaryOf(await node.request(path, { method })), "404 9404", method);
    }
  });
}

for (const [path, status, code] of [
  ["/block", 405, "9405"],
  ["/block/?x=1", 405, "9405"],
  ["/balance/x", 405, "9405"],
  ["/token/dex", 404, "9404"],
  ["/unknown", 404, "9404"],
  ["/balance/%zz", 400, "1006"],
] as const) {
  test(`conventions §3: uncommon methods are ${status} ${code} on ${path}`, async () => {
    for (const method of ["QUERY", "PROPFIND", "SEARCH", "TRACE"]) {
      const answer = await node.raw(
        `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} .*"code":"${code}"`, "s"), method);
    }
  });
}

for (const [path, parameter, what] of [
  ["/mrc400/sword", "mrc400id", "a project"],
  ["/mrc401/sword", "mrc401id", "an item"],
  ["/mrc402/sword", "mrc402id", "a multi-unit item"],
  ["/mrc402/dex/sword", "dexid", "a listing"],
  ["/token/dex/sword", "dexid", "a listing"],
  ["/mrc040/sword", "mrc040id", "an order"],
  ["/mrc020/sword", "mrc020key", "a sealed text"],
  ["/item/sword/transactions", "id", "an item, a listing or a project"],
] as const) {
  test(`6004 at ${path} says what the id should be of`, async () => {
    const { code, detail } = problemOf(await node.get(path));
    assert.equal(code, "6004", detail);
    assert.equal(detail, `${parameter} "sword" is not the id of ${what} on this ledger.`);
  });
}

test("moneta_problems_total counts what no route has seen, too: heads too large, no HTTP, CONNECT", async () => {
  const counts = async (): Promise<number[]> => {
    const { text } = await node.get("/metrics");
    return ["9431", "1006", "9405"].map((code) =>
      Number(
        new RegExp(`^moneta_problems_total{code="${code}"} (\\d+)$`, "m").exec(text)?.[1] ?? 0,
      ),
    );
  };
  const before = await counts();
  for (const { sent, code } of [
    { sent: `GET /block HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(600_000)}\r\n\r\n`, code: "9431" },
    { sent: "no HTTP at all\r\n\r\n", code: "1006" },
    { sent: "CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n", code: "9405" },
  ]) {
    assert.match(await node.raw(sent), new RegExp(`"code":"${code}"`));
  }
  assert.deepEqual(
    await counts(),
    before.map((count) => count + 1),
  );
});
