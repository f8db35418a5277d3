import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DERIVED_OPERATIONS, OPERATIONS, READS } from "@moneta/protocol";
import { problemOf, summaryOf, TestNode } from "../testing/test-node.ts";

let node: TestNode;
before(async () => {
  node = await TestNode.startWithOperator();
});
after(() => node[Symbol.asyncDispose]());

/** Methods of each described path, with `x` in the place of what is named in braces. */
const METHODS = new Map<string, Set<string>>();
for (const { route = "", otherRoutes = [] } of [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS]) {
  for (const [method = "", path] of [route, ...otherRoutes].map((each) => each.split(" "))) {
    const filled = path?.replaceAll(/\{\w+\}/g, "x");
    if (filled !== undefined) {
      METHODS.set(filled, (METHODS.get(filled) ?? new Set()).add(method));
    }
  }
}
for (const path of ["/", "/openapi.json", "/health", "/ready", "/metrics"]) {
  METHODS.set(path, new Set(["GET"]));
}

/** Reserved words with a route of their own. Source: tokens §1.2. */
const RESERVED = [
  ...["/token/dex", "/mrc401/offer", "/mrc401/offers", "/mrc402/offer", "/mrc402/offers"],
  ...["/mrc402/dex", "/mrc040/orders", "/mrc040/trades"],
];

for (const [path, methods] of METHODS) {
  const refused = RESERVED.includes(path) ? "404 9404" : "405 9405";
  test(`conventions §3: other methods than ${[...methods]} on ${path} are ${refused}`, async () => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      if (methods.has(method) || (path === "/address/bykey" && method === "GET")) {
        continue;
      }
      const answer = await node.request(path, { method });
      assert.equal(summaryOf(answer), refused, method);
      if (refused === "404 9404") {
        continue;
      }
      const allowed = (answer.headers.get("allow") ?? "").split(", ");
      assert.ok(
        [...methods].every((each) => allowed.includes(each)),
        allowed.join(),
      );
      assert.ok(!allowed.includes(method), allowed.join());
    }
  });
}

for (const { route, example = {} } of READS) {
  const [, path = ""] = route?.split(" ") ?? [];
  const values = example as Readonly<Record<string, string>>;
  const names = [...path.matchAll(/\{(\w+)\}(?=\/)/g)].map(([, name]) => name as string);
  for (const name of names) {
    test(`conventions §1.4: ${route} with nothing in the place of ${name}: 1000`, async () => {
      const filled = path
        .replace(`{${name}}`, "")
        .replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? "x");
      assert.equal(summaryOf(await node.get(filled)), `400 1000 ${name}`);
    });
  }
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

/** Paths without the last name in braces, such as `/token/buy`: no word of an operation is an id. */
const CUT = [...METHODS.keys()]
  .filter((path) => /^\/(token|mrc\d+)\/.*\/x$/.test(path))
  .map((path) => path.slice(0, -2))
  .filter((path) => !METHODS.has(path));

for (const path of [
  ...new Set(CUT),
  ..."/nothing /transfer/x /Transfer /address/x/y /nonce /getkey/x /balance /transaction /block/0/raw/x /balance/x/0/y".split(
    " ",
  ),
  ...["/%2e%2e/etc/passwd", "/index.html"],
]) {
  test(`conventions §3, mrc401 §1.2, mrc402 §1.6, tokens §1.2: ${path} is 404 9404 for every method, also with a slash behind it`, async () => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      assert.equal(summaryOf(await node.request(path, { method })), "404 9404", method);
      assert.equal(summaryOf(await node.request(`${path}/`, { method })), "404 9404", method);
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

for (const [path, answer] of [
  ["/address/MTAlice00000000000000000000000005dc33c90", "404 3090 address"],
  ["/balance/MTAlice00000000000000000000000005dc33c90", "404 3090 address"],
  ["/block/999999", "404 6001 block"],
  [`/block/${"0".repeat(64)}`, "404 6001 block"],
  ["/block/999999/raw", "404 6001 block"],
  [`/transaction/${"0".repeat(64)}`, "404 6008 transaction_id"],
] as const) {
  test(`conventions §3: ${path} is not on this ledger: ${answer}`, async () =>
    assert.equal(summaryOf(await node.get(path)), answer));
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
