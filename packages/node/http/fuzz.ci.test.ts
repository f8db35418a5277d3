import assert from "node:assert/strict";
import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import {
  type AnyOperation,
  type AnyRead,
  DERIVED_OPERATIONS,
  OPERATIONS,
  type Parameter,
  READS,
} from "@moneta/protocol";
import { errorVectors } from "@moneta/protocol/test-vectors";
import fc from "fast-check";
import { byLane } from "../../ledger/testing/lane.ts";
import {
  type KeyHolder,
  publicPem,
  type RecordPart,
  signatureOf,
  TestNode,
} from "../testing/test-node.ts";

const ANSWER_WITHIN_MS = 120_000;

/** Statuses of each code that a request can cause. */
const STATUSES = Map.groupBy(
  errorVectors.errors.filter(({ status }) => status < 500),
  ({ code }) => code,
);

let node: TestNode;
let a: KeyHolder;
let b: KeyHolder;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
before(async () => {
  node = await TestNode.startWithOperator();
  a = await node.holder({ coins: 1000n });
  b = await node.holder();
});
after(async () => {
  agent.destroy();
  await node[Symbol.asyncDispose]();
});

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

interface Got {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Sends through node:http, which permits more than fetch. */
function send({ method, path, headers, body }: Sent): Promise<Got> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(node.url);
    const request = httpRequest(
      {
        host: "127.0.0.1",
        port,
        method,
        path,
        // Node sets no length for methods that usually have no body, which would turn the body into
        // the next request.
        headers: { ...headers, "Content-Length": Buffer.byteLength(body) },
        agent,
        timeout: ANSWER_WITHIN_MS,
      },
      (response) => {
        if (response.headers["content-type"] === "text/event-stream") {
          request.destroy(); // it would go on for ever
          resolve({ status: response.statusCode ?? 0, type: "text/event-stream", text: "" });
          return;
        }
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers["content-type"] ?? "",
            text: Buffer.concat(chunks).toString(),
          }),
        );
        response.on("error", reject);
      },
    );
    request.on("timeout", () => request.destroy(new Error("no answer in time")));
    request.on("error", reject);
    request.end(body);
  });
}

function checkAnswer({ status, type, text }: Got): void {
  if (status === 204 || status === 304) {
    assert.equal(text, "");
    return;
  }
  if (status === 200) {
    if (type === "application/json") {
      JSON.parse(text);
    } else if (type === "application/x-ndjson") {
      for (const line of text.split("\n").slice(0, -1)) {
        JSON.parse(line);
      }
    } else if (!["text/event-stream", "application/octet-stream"].includes(type)) {
      assert.match(type, /^text\/plain; (charset=utf-8|version=)/);
    }
    return;
  }
  assert.equal(type, "application/problem+json", `${status} ${text}`);
  const { code, status: same, detail } = JSON.parse(text) as Record<string, unknown>;
  assert.equal(same, status);
  assert.ok(typeof detail === "string" && detail !== "");
  const known = STATUSES.get(code as string) ?? [];
  assert.ok(
    known.some((one) => one.status === status),
    `${status} ${text}`,
  );
}

/** What only a valid write changes. */
async function state(): Promise<unknown> {
  return [await node.height(), await node.balances(node.treasury), await node.balances(a)];
}

async function changingNothing(run: () => Promise<void>): Promise<void> {
  const before = await state();
  await run();
  assert.deepEqual(await state(), before);
}

/** Texts that may break the parsing of any parameter. */
const NASTY: readonly string[] = [
  "",
  " ",
  "0",
  "00",
  "-0",
  "1e3",
  "1.0",
  "9".repeat(41),
  "1".repeat(5000),
  String(10n ** 40n),
  String(2n ** 53n),
  String(2n ** 64n),
  "NaN",
  "Infinity",
  "null",
  "undefined",
  "true",
  "__proto__",
  "constructor",
  "toString",
  "\u0000",
  "\ud7ff",
  "😀",
  "'; DROP TABLE balance; --",
  "%s%n",
  "../../etc/passwd",
  "$" + "{1}",
  "[]",
  "{}",
  "[".repeat(2000),
  '{"a":'.repeat(500),
  "full",
  "-----BEGIN ",
  "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----",
  "MTAlice00000000000000000000000005dc33c90",
  "K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX",
  "f".repeat(64),
  "9:0",
  "9:9:9",
  ":",
];

const nasty = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.bigInt().map(String) },
  { weight: 1, arbitrary: fc.base64String({ maxLength: 200 }) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
);

/** A text that the parameter accepts, so that later checks are reached, too. */
function plausible(parameter: Parameter<unknown>): fc.Arbitrary<string> {
  const { schema, role, takesJson } = parameter;
  if (role === "temporaryKey") {
    return fc.constant("KEY");
  }
  if (role === "signature") {
    return fc.constantFrom("SIGNATURE", "MEQ=");
  }
  if (takesJson) {
    return fc
      .array(
        fc.record(
          {
            address: fc.constantFrom("A", "B", "x"),
            amount: fc.oneof(fc.nat().map(String), fc.double(), fc.nat()),
            unlockdate: fc.oneof(fc.nat().map(String), fc.nat(), fc.string()),
            tag: fc.oneof(fc.string(), fc.nat()),
            memo: fc.string({ maxLength: 20 }),
          },
          { requiredKeys: ["address", "amount"] },
        ),
        { maxLength: 4 },
      )
      .map((list) => JSON.stringify(list));
  }
  if (schema["pattern"] === "^MT[0-9A-Za-z]{30}[0-9a-f]{8}$") {
    return fc.constantFrom("A", "B");
  }
  if (schema["pattern"] === "^(0|[1-9][0-9]{0,40})$") {
    return fc.oneof(fc.constant("0"), fc.nat({ max: 3000 }).map(String));
  }
  return fc.constantFrom("full", "0", "transfer", "A", "PEM");
}

type Values = Readonly<Record<string, string>>;

function values(description: AnyOperation | AnyRead): fc.Arbitrary<Values> {
  const parameters = Object.entries(description.parameters) as [string, Parameter<unknown>][];
  const arbitraries = Object.fromEntries(
    parameters.map(([name, parameter]) => [
      name,
      fc.oneof({ weight: 5, arbitrary: plausible(parameter) }, { weight: 1, arbitrary: nasty }),
    ]),
  );
  return fc.record(arbitraries, { requiredKeys: [] }) as fc.Arbitrary<Values>;
}

const CONTENT_TYPES: readonly string[] = [
  "application/x-www-form-urlencoded",
  "application/json",
  "application/json; charset=utf-16",
  "text/plain",
  "multipart/form-data",
  ";",
  "",
];

const headers = fc.dictionary(
  fc.constantFrom(
    "Ledger-Height-Min",
    "Idempotency-Key",
    "If-None-Match",
    "X-Request-Id",
    "X-Forwarded-For",
    "Origin",
    "Accept",
    "Accept-Encoding",
    "Cookie",
    "Content-Encoding",
    "Range",
  ),
  fc.constantFrom("", "0", "x", "-1", "*", '"', "gzip", "\u00e9", "x".repeat(300), "bytes=0-1"),
  { maxKeys: 2 },
);

const sendings = fc.record({
  place: fc.constantFrom("query", "form", "json", "nodes"),
  contentType: fc.option(fc.constantFrom(...CONTENT_TYPES), { nil: undefined, freq: 8 }),
  headers,
  method: fc.option(fc.constantFrom("GET", "PUT", "DELETE", "PATCH", "OPTIONS"), {
    nil: undefined,
    freq: 15,
  }),
  garbled: fc.option(fc.constantFrom("%", "&", "=", "%zz", "\u00ff", "}", ",", "#", '"'), {
    nil: undefined,
    freq: 8,
  }),
});
type Sending = typeof sendings extends fc.Arbitrary<infer S> ? S : never;

/** A request of a route with these parameters, in the given places. */
function requestOf(route: string, given: Values, sending: Sending): Sent {
  const [method, pattern] = route.split(" ") as [string, string];
  const rest = new Map(Object.entries(given));
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name) ?? "x";
    rest.delete(name);
    return encodeURIComponent(value.toWellFormed());
  });
  const others = Object.fromEntries(rest);
  const encoded = Object.entries(others)
    .map((pair) => pair.map((text) => encodeURIComponent(text.toWellFormed())).join("="))
    .join("&");
  const isQuery = sending.place === "query" || method === "GET";
  let body = "";
  let type: string = "application/json";
  if (!isQuery && sending.place === "form") {
    [body, type] = [encoded, "application/x-www-form-urlencoded"];
  } else if (!isQuery) {
    const members = Object.entries(others).map(([name, value]) => {
      const isNode = sending.place === "nodes" && isJson(value);
      return `${JSON.stringify(name)}:${isNode ? value : JSON.stringify(value)}`;
    });
    body = `{${members.join()}}`;
  }
  const query = isQuery && encoded !== "" ? `?${encoded}` : "";
  const garbled = sending.garbled ?? "";
  const used = sending.method ?? method;
  return {
    method: used,
    path: isQuery && garbled !== "\u00ff" ? path + query + garbled : path + query,
    headers: {
      ...sending.headers,
      ...(body === "" ? {} : { "Content-Type": sending.contentType ?? type }),
    },
    body: body === "" ? body : Buffer.from(body + garbled, "latin1"),
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Replaces names by what exists. */
async function filledIn(given: Values): Promise<Values> {
  const known = new Map([
    ["A", a.address],
    ["B", b.address],
    ["PEM", publicPem(b.privateKey)],
  ]);
  const filled = Object.fromEntries(
    Object.entries(given).map(([name, text]) => [
      name,
      known.get(text) ??
        text.replaceAll('"A"', `"${a.address}"`).replaceAll('"B"', `"${b.address}"`),
    ]),
  );
  for (const name of Object.keys(given)) {
    if (given[name] === "KEY") {
      filled[name] = await node.key(a);
    } else if (given[name] === "SIGNATURE") {
      // Well-formed, and of something else, so that nothing is ever valid.
      filled[name] = signatureOf("something else", a);
    }
  }
  return filled;
}

const ALL = [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS].filter(
  ({ route }) => route !== undefined,
);
/** Requests without a signature may succeed and change the state. */
const UNSIGNED: ReadonlySet<string> = new Set(["address", "faucet"]);

for (const description of ALL) {
  const route = description.route as string;
  test(`no malformed request of ${route} gets a 500, hangs or changes anything`, async () => {
    const run = (): Promise<void> =>
      fc.assert(
        fc.asyncProperty(values(description), sendings, async (given, sending) => {
          const sent = requestOf(route, await filledIn(given), sending);
          // Waits of 5 s are tested elsewhere.
          checkAnswer(await send(sent));
        }),
        { numRuns: byLane({ quick: 12, long: 1000 }) },
      );
    await (UNSIGNED.has(description.name) ? run() : changingNothing(run));
  });
}

test("no path gets a 500, hangs or changes anything", () =>
  changingNothing(() =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom("GET", "POST", "PUT", "HEAD", "OPTIONS", "DELETE", "PATCH"),
        fc.array(
          fc.oneof(
            fc.constantFrom(
              "address",
              "balance",
              "block",
              "transaction",
              "nonce",
              "getkey",
              "raw",
              "bykey",
              "..",
              ".",
              "%2f",
              "%00",
              "%",
              "%ff",
              ":address",
              "*",
            ),
            fc.string({ maxLength: 12 }).map((text) => encodeURIComponent(text.toWellFormed())),
          ),
          { maxLength: 5 },
        ),
        async (method, parts) => {
          const got = await send({ method, path: `/${parts.join("/")}`, headers: {}, body: "" });
          if (method === "HEAD") {
            assert.ok(got.status < 500 && got.text === "");
          } else {
            checkAnswer(got);
          }
        },
      ),
      { numRuns: byLane({ quick: 50, long: 5000 }) },
    ),
  ));

const REQUEST_LINES: readonly string[] = [
  "GET / HTTP/1.1",
  "GET / HTTP/1.0",
  "GET / HTTP/3.0",
  "GET /",
  "GET  /  HTTP/1.1",
  "get / http/1.1",
  "POST /transfer HTTP/1.1",
  "GET http://elsewhere/block HTTP/1.1",
  "GET * HTTP/1.1",
  "OPTIONS * HTTP/1.1",
  "CONNECT elsewhere:443 HTTP/1.1",
  "PRI * HTTP/2.0",
  "FOO /block HTTP/1.1",
  "GET /block\u0000 HTTP/1.1",
  "GET /balance/\u00ff\u00fe HTTP/1.1",
  "\u0016\u0003\u0001",
  "",
];

const HEADER_LINES: readonly string[] = [
  "Host: x",
  "Host: y",
  "Connection: close",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Content-Length: 5",
  "Content-Length: -1",
  "Content-Length: 99999999999999999999",
  "Content-Length: 0",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: gzip",
  "Content-Type: application/json",
  "Expect: 100-continue",
  "Expect: something",
  "X:",
  ": x",
  "no colon",
  " folded",
  "X: a\u0000b",
  "X: \u00ff",
  `X: ${"x".repeat(20_000)}`,
  "Ledger-Height-Min: x",
];

const garbage = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc
    .tuple(
      fc.constantFrom(...REQUEST_LINES),
      fc.array(fc.constantFrom(...HEADER_LINES), { maxLength: 5 }),
      fc.constantFrom("\r\n", "\n", "\r", "\r\n\r\n"),
      fc.constantFrom(
        "",
        "hello",
        "{}",
        "5\r\nhello\r\n0\r\n\r\n",
        "zz\r\n",
        "ffffffffffffffff\r\n",
      ),
    )
    .map(([line, lines, end, body]) => Buffer.from([line, ...lines, "", body].join(end), "latin1")),
);

/** Sends bytes and then the end of the stream; returns the answer. */
function sendBytes(bytes: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(new URL(node.url).port), "127.0.0.1", () => socket.end(bytes));
    socket.setTimeout(ANSWER_WITHIN_MS, () => {
      socket.destroy();
      reject(new Error("the connection was not closed in time"));
    });
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", () => undefined); // reset by the node, which has read enough
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
  });
}

test("no bytes on the socket get a 500, keep the connection, stop the node or change anything", () =>
  changingNothing(async () => {
    await fc.assert(
      fc.asyncProperty(garbage, async (bytes) => {
        const answer = await sendBytes(bytes);
        if (answer !== "") {
          const status = /^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1];
          assert.ok(status !== undefined && Number(status) < 500, answer);
          // An error explains itself, or has no body where Node itself answers.
          const body = answer.slice(answer.indexOf("\r\n\r\n") + 4);
          assert.ok(
            Number(status) < 400 || answer.includes("problem+json") || body === "0\r\n\r\n",
            answer,
          );
        }
      }),
      { numRuns: byLane({ quick: 100, long: 5000 }) },
    );
  }));

test("connections cut in the middle of a request or an answer do no harm", () =>
  changingNothing(async () => {
    const { port } = new URL(node.url);
    for (let round = 0; round < 40; round += 1) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), "127.0.0.1", () => {
          const head = "POST /transfer HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n";
          socket.write(head.slice(0, (round * 7) % head.length));
          setImmediate(() => socket.resetAndDestroy());
        });
        socket.on("error", () => undefined);
        socket.on("close", () => resolve());
      });
    }
  }));

test("every transaction that the fuzzing made can be read", async () => {
  const height = await node.height();
  for (let sn = Math.max(0, height - 30); sn <= height; sn += 1) {
    const { transaction } = (await (await fetch(`${node.url}/block/${sn}`)).json()) as {
      transaction: { id: string }[];
    };
    for (const { id } of transaction) {
      const record: RecordPart = await node.transaction(id);
      assert.ok(record.type !== "");
    }
  }
});
