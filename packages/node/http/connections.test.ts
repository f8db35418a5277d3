// A refused request always gets an answer, never a reset connection.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { parsed, TestNode } from "../testing/test-node.ts";

let node: TestNode;
before(async () => {
  node = await TestNode.start("--body-bytes-max", String(1 << 20));
});
after(() => node.stop());

interface Outcome {
  /** Status and code of each answer. */
  readonly answers: readonly string[];
  /** What the socket failed with. */
  readonly failure: string | undefined;
}

/** Sends all parts, then reads until the node closes the connection. */
async function exchange(...parts: readonly (string | Uint8Array)[]): Promise<Outcome> {
  const { hostname, port } = new URL(node.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).pause();
  let failure: string | undefined;
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.once("error", (error: Error & { code?: string }) => {
    failure = error.code;
  });
  for (const part of parts) {
    await new Promise<void>((resolve) => socket.write(part, () => resolve()));
  }
  let text = "";
  socket.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  socket.once("end", () => socket.end());
  socket.resume();
  await closed;
  const answers = [...text.matchAll(/HTTP\/1\.1 (\d{3}) .*?(?=HTTP\/1\.1 \d{3} |$)/gs)].map(
    ([answer, status]) => [status, /"code":"(\d{4})"/.exec(answer)?.[1]].filter(Boolean).join(" "),
  );
  return { answers, failure };
}

/** More than socket buffers hold, and than a body may have. */
const LARGE = Buffer.alloc(12 << 20, "a");
const HOST = "Host: x\r\n";
const JSON_TYPE = "Content-Type: application/json\r\n";
const LENGTH = `Content-Length: ${LARGE.length}\r\n`;
const CLOSE = "Connection: close\r\n";
const CHUNK = [`${LARGE.length.toString(16)}\r\n`, LARGE, "\r\n0\r\n\r\n"];

for (const { what, parts, answers } of [
  {
    what: "a body too large",
    parts: [`POST /transfer HTTP/1.1\r\n${HOST}${JSON_TYPE}${LENGTH}\r\n`, LARGE],
    answers: ["413 9413"],
  },
  {
    what: "a body too large, from one who closes",
    parts: [`POST /transfer HTTP/1.1\r\n${HOST}${CLOSE}${JSON_TYPE}${LENGTH}\r\n`, LARGE],
    answers: ["413 9413"],
  },
  {
    what: "a body too large in chunks",
    parts: [
      `POST /transfer HTTP/1.1\r\n${HOST}${CLOSE}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`,
      ...CHUNK,
    ],
    answers: ["413 9413"],
  },
  {
    what: "a large body in an encoding",
    parts: [
      `POST /transfer HTTP/1.1\r\n${HOST}${CLOSE}Content-Encoding: gzip\r\n${JSON_TYPE}${LENGTH}\r\n`,
      LARGE,
    ],
    answers: ["415 9415"],
  },
  {
    what: "a large body to nowhere",
    parts: [`POST /nonsense HTTP/1.1\r\n${HOST}${CLOSE}${JSON_TYPE}${LENGTH}\r\n`, LARGE],
    answers: ["413 9413"],
  },
  {
    what: "a large body with two Host headers",
    parts: [`POST /transfer HTTP/1.1\r\n${HOST}${HOST}${JSON_TYPE}${LENGTH}\r\n`, LARGE],
    answers: ["400 1006"],
  },
  {
    what: "a large head",
    parts: [`GET /block?x=${"a".repeat(600 * 1024)} HTTP/1.1\r\n${HOST}\r\n`, LARGE],
    answers: ["431 9431"],
  },
  { what: "no HTTP at all", parts: ["nonsense\r\n\r\n", LARGE], answers: ["400 1006"] },
  {
    what: "TLS",
    parts: [Buffer.from("160301020001000001fc0303", "hex"), LARGE],
    answers: ["400 1006"],
  },
  {
    what: "a chunk that is none",
    parts: [
      `POST /transfer HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
      LARGE,
    ],
    answers: ["400 1006"],
  },
  {
    what: "two lengths",
    parts: [
      `POST /transfer HTTP/1.1\r\n${HOST}${JSON_TYPE}${LENGTH}Transfer-Encoding: chunked\r\n\r\n`,
      LARGE,
    ],
    answers: ["400 1006"],
  },
  {
    what: "a good request and then no HTTP",
    parts: [`GET /block HTTP/1.1\r\n${HOST}\r\nnonsense\r\n\r\n`, LARGE],
    answers: ["200", "400 1006"],
  },
  { what: "CONNECT", parts: [`CONNECT x:1 HTTP/1.1\r\n${HOST}\r\n`, LARGE], answers: ["405 9405"] },
  {
    what: "two Host headers",
    parts: ["GET /block HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
    answers: ["400 1006"],
  },
  {
    what: "the same Host twice",
    parts: ["GET /block HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n"],
    answers: ["400 1006"],
  },
  { what: "no Host header", parts: ["GET /block HTTP/1.1\r\n\r\n"], answers: ["400 1006"] },
  {
    what: "HTTP/1.0 without a Host header",
    parts: ["GET /block HTTP/1.0\r\n\r\n"],
    answers: ["200"],
  },
  { what: "HTTP/0.9 in one line", parts: ["GET /block\r\n"], answers: ["400 1006"] },
  { what: "HTTP/0.9 in one line", parts: ["GET /block\n"], answers: ["400 1006"] },
  {
    what: "a request line in two parts",
    parts: ["GET /blo", `ck HTTP/1.1\r\n${HOST}${CLOSE}\r\n`],
    answers: ["200"],
  },
  {
    what: "a request line before its headers",
    parts: ["GET /block HTTP/1.1\r\n", `${HOST}${CLOSE}\r\n`],
    answers: ["200"],
  },
  {
    what: "two requests at once",
    parts: [`GET /block HTTP/1.1\r\n${HOST}\r\nGET /block HTTP/1.1\r\n${HOST}${CLOSE}\r\n`],
    answers: ["200", "200"],
  },
  { what: "HTTP/0.9", parts: ["GET /block\r\n\r\n"], answers: ["400 1006"] },
  {
    what: "HTTP/0.9 with a head",
    parts: [`GET /block HTTP/0.9\r\n${HOST}\r\n`],
    answers: ["400 1006"],
  },
  {
    what: "HTTP/2.0 in the request line",
    parts: [`GET /block HTTP/2.0\r\n${HOST}\r\n`],
    answers: ["400 1006"],
  },
  {
    what: "the preface of HTTP/2",
    parts: ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    answers: ["400 1006"],
  },
  { what: "HTTP/1.2", parts: [`GET /block HTTP/1.2\r\n${HOST}\r\n`], answers: ["400 1006"] },
]) {
  test(`${what}: ${answers.join(", then ")}, and the connection is closed without a reset`, async () =>
    assert.deepEqual(await exchange(...parts), { answers, failure: undefined }));
}

test("after a short body that was refused unread the connection stays open", async () => {
  const refused = `POST /transfer HTTP/1.1\r\n${HOST}Content-Encoding: gzip\r\n${JSON_TYPE}Content-Length: 3\r\n\r\nabc`;
  const next = `GET /block HTTP/1.1\r\n${HOST}${CLOSE}\r\n`;
  assert.deepEqual(await exchange(refused, next), {
    answers: ["415 9415", "200"],
    failure: undefined,
  });
});

test("a client that never ends is not read for ever", async () => {
  const { hostname, port } = new URL(node.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => undefined);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(`POST /transfer HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`);
  let sent = 0;
  const send = (): void => {
    while (
      !socket.destroyed &&
      socket.write(
        Buffer.concat([Buffer.from("100000\r\n"), LARGE.subarray(0, 1 << 20), Buffer.from("\r\n")]),
      )
    ) {
      sent += 1 << 20;
    }
    sent += 1 << 20;
    socket.once("drain", send);
  };
  send();
  await closed;
  assert.ok(sent < 1 << 30, `${sent} bytes were read`);
});

for (const [given, shown] of [
  ["..", undefined],
  [".", undefined],
  ["a..b", undefined],
  ["-a", undefined],
  ["x:65536", undefined],
  ["x:0", undefined],
  ["x:99999", undefined],
  ["x y", undefined],
  ["x:65535", "http://x:65535"],
  ["Ledger.example", "http://Ledger.example"],
  ["[::1]:80", "http://[::1]:80"],
] as const) {
  test(`the reference for a client that reached the node at ${given} has ${shown ?? "the usual URL"}`, async () => {
    const answer = await node.raw(
      `GET /openapi.json HTTP/1.1\r\nHost: ${given}\r\nX-Forwarded-Host: evil.example\r\nConnection: close\r\n\r\n`,
    );
    const { servers } = parsed<{ servers: { url: string }[] }>({
      text: answer.slice(answer.indexOf("\r\n\r\n") + 4),
    } as never);
    assert.equal(servers[0]?.url, shown ?? "http://127.0.0.1:20922");
  });
}
