// A refused request always gets an answer, never a reset connection.
import assert from "node:assert/strict";
import { once } from "node:events";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { newKey, parsed, publicPem, TestNode } from "../testing/test-node.ts";
import { until } from "../testing/until.ts";
import { Connections } from "./connections.ts";
import { HEAD_BYTES_MAX } from "./path-rules.ts";
import { makeServer } from "./server.ts";

let node: TestNode;
before(async () => {
  node = await TestNode.start("--body-bytes-max", String(1 << 20));
});
after(() => node.stop());

interface Outcome {
  readonly answers: readonly string[];
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

/** A server whose connections are watched, which answers with `answer`. */
async function watched(
  answer: RequestListener,
  connections: Connections = new Connections(),
): Promise<AsyncDisposable & { readonly open: () => Socket }> {
  const server = createServer({ maxHeaderSize: HEAD_BYTES_MAX }, answer);
  connections.watch(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    open: () => connect(port, "127.0.0.1").on("error", () => undefined),
    async [Symbol.asyncDispose]() {
      await connections.close([server], { idleMs: 0, latestMs: 0 });
    },
  };
}

const EXPECT = "Expect: 100-continue\r\n";
const NDJSON_TYPE = "Content-Type: application/x-ndjson\r\n";
for (const { what, head, answer } of [
  { what: "no such path", head: `POST /nonsense HTTP/1.1\r\n${JSON_TYPE}`, answer: "404 9404" },
  { what: "no such method", head: `POST /block HTTP/1.1\r\n${JSON_TYPE}`, answer: "405 9405" },
  {
    what: "another type",
    head: "POST /transfer HTTP/1.1\r\nContent-Type: a/b\r\n",
    answer: "415 9415",
  },
  {
    what: "an encoding",
    head: `POST /transfer HTTP/1.1\r\n${JSON_TYPE}Content-Encoding: gzip\r\n`,
    answer: "415 9415",
  },
  { what: "lines elsewhere", head: `PUT /transfer HTTP/1.1\r\n${NDJSON_TYPE}`, answer: "405 9405" },
  { what: "two hosts", head: `POST /transfer HTTP/1.1\r\n${HOST}${JSON_TYPE}`, answer: "400 1006" },
]) {
  for (const [sent, length] of [
    ["a length", "Content-Length: 10\r\n"],
    ["chunks", "Transfer-Encoding: chunked\r\n"],
  ]) {
    test(`a body of ${sent} is not requested where the response is known: ${what}`, async () => {
      // Without the body the connection would stay open if it had been asked for.
      const text = await node.raw(`${head}${HOST}${length}${EXPECT}\r\n`);
      const [, status, code] = /^HTTP\/1\.1 (\d+) .*"code":"(\d+)"/s.exec(text) ?? [];
      assert.equal(`${status} ${code}`, answer, text);
    });
  }
}

test("a body too large for its length is not requested", async () => {
  const head = `POST /transfer HTTP/1.1\r\n${HOST}${JSON_TYPE}${LENGTH}${EXPECT}\r\n`;
  assert.match(await node.raw(head), /^HTTP\/1\.1 413 .*"code":"9413"/s);
});

test("a body that decides the response is requested, also of a stream of operations", async () => {
  for (const [path, type, body, says] of [
    ["/transfer", JSON_TYPE, "{}", /"code":"1000"/],
    ["/batch", NDJSON_TYPE, "{}\n", /"code":"1000"/],
  ] as const) {
    const request = httpRequest(node.url + path, {
      method: "POST",
      headers: {
        Expect: "100-continue",
        "Content-Type": type.slice("Content-Type: ".length, -2),
        "Content-Length": body.length,
      },
    });
    // A stream of operations is answered at once.
    const responded = once(request, "response") as Promise<[IncomingMessage]>;
    request.flushHeaders();
    await once(request, "continue");
    request.end(body);
    const [response] = await responded;
    let text = "";
    for await (const part of response.setEncoding("utf8")) {
      text += part;
    }
    assert.match(text, says);
  }
});

for (const more of ["", "Expect: something\r\n"]) {
  test(`requests that are sent ahead${more && ", with an Expect header,"} are handled one after the other, in their order`, async () => {
    let underWay = 0;
    let most = 0;
    await using server = await watched((request, response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      response.once("finish", () => {
        underWay -= 1;
      });
      setImmediate(() => response.end(`${request.url} answered`));
    });
    const paths = Array.from({ length: 101 }, (_, index) => `/${index}`);
    const socket = server.open();
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\n${HOST}${more}\r\n`).join(""));
    let text = "";
    for await (const chunk of socket.setEncoding("latin1")) {
      text += chunk;
      if (text.endsWith("/100 answered")) {
        break;
      }
    }
    assert.deepEqual(
      [...text.matchAll(/(\/\d+) answered/g)].map(([, path]) => path),
      paths,
    );
    assert.equal(most, 1);
  });
}

for (const [what, ahead] of [
  ["more than 100 requests", `GET / HTTP/1.1\r\n${HOST}\r\n`.repeat(101)],
  ["more than 64 KiB of requests", `GET /${"a".repeat(40_000)} HTTP/1.1\r\n${HOST}\r\n`.repeat(4)],
] as const) {
  test(`a client that sends ${what} ahead of an answer is disconnected`, async () => {
    let handled = 0;
    await using server = await watched(() => {
      handled += 1;
    });
    const socket = server.open().resume();
    socket.write(`GET / HTTP/1.1\r\n${HOST}\r\n${ahead}`);
    await once(socket, "close");
    assert.equal(handled, 1);
  });
}

test("a client that reads nothing of whole answers, however small, is disconnected; what is still being made or written may take its time", async () => {
  const stalledMs = 300;
  let unread: Socket | undefined;
  await using server = await watched((request, response) => {
    if (request.url === "/stream") {
      response.write("x".repeat(24 << 20));
    } else if (request.url === "/late") {
      setTimeout(() => response.end("late"), 5 * stalledMs);
    } else {
      unread = request.socket;
      response.end("x".repeat(60_000));
    }
  }, new Connections({ stalledMs }));
  const [small, stream, late] = ["/small", "/stream", "/late"].map((path) => {
    const socket = server.open().pause();
    // Sockets of both sides hold some megabytes.
    socket.write(`GET ${path} HTTP/1.1\r\n${HOST}\r\n`.repeat(path === "/small" ? 1000 : 1));
    return socket;
  }) as [Socket, Socket, Socket];
  const [answer] = (await once(late.resume(), "data")) as [Buffer];
  assert.match(String(answer), /late/);
  await until(() => unread?.destroyed === true);
  await once(small.resume(), "close");
  assert.ok(small.bytesRead < 60_000_000, "it was cut");
  for await (const _ of stream) {
    if (stream.bytesRead > 24 << 20) {
      return;
    }
  }
  assert.fail("what is not whole was cut");
});

test("the address of a client is known after it has disconnected, so that its limits hold for what it has left behind", async () => {
  const addresses: (string | undefined)[] = [];
  await using server = await watched((request, response) => {
    response.once("close", () => setImmediate(() => addresses.push(request.socket.remoteAddress)));
  });
  server.open().end(`GET / HTTP/1.1\r\n${HOST}\r\n`);
  await until(() => addresses.length === 1);
  assert.deepEqual(addresses, ["127.0.0.1"]);
});

test("an event stream is answered behind another request, and nothing behind it is handled", async () => {
  const { hostname, port } = new URL(node.url);
  const { service } = node.running;
  const before = service.reading().size;
  const socket = connect({ host: hostname, port: Number(port) });
  const ask = (path: string): string => `GET ${path} HTTP/1.1\r\n${HOST}\r\n`;
  const body = String(new URLSearchParams({ publickey: publicPem(newKey()) }));
  const form = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n`;
  const creation = `POST /address HTTP/1.1\r\n${HOST}${form}\r\n${body}`;
  socket.write(ask("/block") + ask("/events") + creation);
  let text = "";
  for await (const chunk of socket) {
    text += chunk;
    if (text.includes("event: height")) {
      break;
    }
  }
  assert.deepEqual(text.match(/HTTP.*$|^content-type: .*$/gim), [
    "HTTP/1.1 200 OK",
    "Content-Type: text/plain; charset=utf-8",
    "HTTP/1.1 200 OK",
    "Content-Type: text/event-stream",
  ]);
  // Its answer would come behind the stream. A write that was taken would be in the same block as
  // the next one, or before it.
  await node.holder();
  assert.equal(service.reading().size, before + 1);
});

test("behind a last answer nothing is handled, and its connection is closed without a reset", async () => {
  const handled: unknown[] = [];
  await using server = await watched((request, response) => {
    handled.push(request.url);
    setImmediate(() => response.writeHead(400, { Connection: "close" }).end("last"));
  });
  const socket = server.open();
  socket.write(`GET /1 HTTP/1.1\r\n${HOST}\r\n${`GET /2 HTTP/1.1\r\n${HOST}\r\n`.repeat(16)}`);
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk;
  });
  await once(socket, "end");
  assert.match(text, /^HTTP\/1\.1 400 .*last/s);
  assert.deepEqual(handled, ["/1"]);
});

test("a connection that fails before requests could come is closed, as one whose TLS handshake takes too long", async () => {
  const log = pino({ level: "silent" });
  const app = await makeServer(node.running.service, new Connections(), log);
  const server = createTcpServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [accepted] = (await once(server, "connection")) as [Socket];
  app.server.emit("clientError", new Error("no handshake"), accepted);
  assert.equal(accepted.destroyed, true);
  socket.destroy();
  server.close();
  await app.close();
});

/** A head of this many bytes, without its end. */
function unendedHead(bytes: number): string {
  const begin = `GET /block HTTP/1.1\r\n${HOST}X-Long: `;
  return begin + "a".repeat(bytes - begin.length);
}

test("of heads that do not end the node keeps so many bytes in all, and half of them of one client", async () => {
  const log = pino({ level: "silent" });
  const connections = new Connections({ headsBytesMax: 2 << 20 });
  const app = await makeServer(node.running.service, connections, log);
  const accepted: Socket[] = [];
  app.server.on("connection", (socket) => accepted.push(socket));
  const url = new URL(await app.listen({ port: 0, host: "127.0.0.1" }));
  const begin = (bytes: number) => {
    const socket = connect(Number(url.port), url.hostname).on("error", () => undefined);
    socket.write(unendedHead(bytes));
    const client = { socket, text: "" };
    socket.setEncoding("utf8").on("data", (part: string) => {
      client.text += part;
    });
    return client;
  };
  const large = Array.from({ length: 3 }, () => begin(400 << 10));
  // Read whole first: the node keeps the smallest, as the beginning of a large one would be.
  await until(
    () =>
      accepted.length === large.length &&
      accepted.every(({ bytesRead, destroyed }) => bytesRead === 400 << 10 || destroyed),
  );
  const clients = [...large, ...Array.from({ length: 3 }, () => begin(300 << 10))];
  const refused = (): typeof clients => clients.filter(({ text }) => text.includes('"9002"'));
  await until(() => refused().length === 3);
  for (const { socket, text } of refused()) {
    assert.match(text, /^HTTP\/1\.1 503 /);
    assert.match(text, /heads of requests are under way/);
    assert.match(text, /Retry-After: 1\r\n/);
    socket.end();
  }
  const kept = clients.filter(({ text }) => text === "");
  for (const { socket } of kept) {
    socket.write("\r\n\r\n");
  }
  await until(() => kept.every(({ text }) => text.startsWith("HTTP/1.1 200 ")));
  for (const { socket } of kept) {
    socket.destroy();
  }
  await connections.close([app.server], { idleMs: 0, latestMs: 0 });
});

test("heads that have ended, and bodies, are no heads under way", async () => {
  const posted = `POST / HTTP/1.1\r\n${HOST}Content-Length: ${300 << 10}\r\n\r\n`;
  let answered = 0;
  const connections = new Connections({ headsBytesMax: 1 << 20 });
  await using server = await watched((request, response) => {
    request.resume().once("end", () => {
      response.end();
      answered += 1;
    });
  }, connections);
  const sockets = Array.from({ length: 8 }, () => server.open().resume());
  for (const socket of sockets) {
    const head = `${unendedHead(200 << 10)}\r\n\r\n`;
    socket.write(
      `${posted}${"b".repeat(300 << 10)}${head}${head}${posted}${"b".repeat(100 << 10)}`,
    );
  }
  await until(() => answered === 3 * sockets.length);
  // Longer than until the next look: bodies are still under way.
  await delay(300);
  for (const socket of sockets) {
    socket.write("b".repeat(200 << 10));
  }
  await until(() => answered === 4 * sockets.length);
  assert.equal(connections.count, sockets.length);
  for (const socket of sockets) {
    socket.destroy();
  }
});

for (const [behind, ahead] of [
  ["", ""],
  [" and a body that waits", `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\n\r\nb`],
  [
    " and chunks that wait",
    `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n1\r\nb\r\n0\r\n\r\n`,
  ],
] as const) {
  test(`heads that do not end count behind an answer that is under way${behind}, too`, async () => {
    const begun: ServerResponse[] = [];
    const connections = new Connections({ headsBytesMax: 2 << 20 });
    await using server = await watched((_request, response) => begun.push(response), connections);
    const sockets = Array.from({ length: 6 }, () => server.open());
    for (const socket of sockets) {
      // What is read together with the request before it does not count.
      socket.write(`GET / HTTP/1.1\r\n${HOST}\r\n${ahead}${unendedHead(480 << 10)}`);
    }
    await until(() => connections.count === 2);
    for (const response of begun) {
      response.end();
    }
    for (const socket of sockets) {
      socket.destroy();
    }
  });
}

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

/** A connection on which one request after the other may be sent. */
function client(url: string): { readonly socket: Socket; send(head: string): Promise<string> } {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  socket.setEncoding("utf8");
  return {
    socket,
    async send(head) {
      const answer = new Promise<string>((resolve) => {
        socket.once("data", (text) => resolve(String(text)));
        socket.once("close", () => resolve("closed"));
      });
      socket.write(`${head}\r\n${HOST}\r\n`);
      const text = await answer;
      const code = /"code":"(\d{4})"/.exec(text)?.[1];
      return [/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? text, code].filter(Boolean).join(" ");
    },
  };
}

const BLOCK = "GET /block HTTP/1.1";
const STREAM = "GET /events HTTP/1.1";

test("a client's longest idle connection makes room for a new one; when all are in use a new one is 429 9001, is counted, and another is closed for it once there is room", async () => {
  await using limited = await TestNode.start(
    ...["--connections-per-client-max", "3", "--operator-listen", "127.0.0.1:0"],
  );
  const open = async (head: string) => {
    const one = client(limited.url);
    return { one, answer: await one.send(head) };
  };
  const idle = await open(BLOCK);
  assert.equal((await open(STREAM)).answer, "200");
  const last = await open(STREAM);
  const closed = once(idle.one.socket, "close");
  assert.equal((await open(STREAM)).answer, "200");
  await closed;
  for (let count = 0; count < 3; count += 1) {
    assert.equal((await open(BLOCK)).answer, "429 9001");
  }
  const text = await (await fetch(`${limited.running.operatorUrl}/metrics`)).text();
  assert.match(text, /^moneta_connections 3$/m, "the operator's are not among them");
  assert.match(text, /^moneta_connections_refused_total\{reason="client"\} 3$/m);
  last.one.socket.destroy();
  await until(async () => (await open(BLOCK)).answer === "200");
});

test("behind a proxy the requests of a client that are under way are counted, on whatever connections", async () => {
  const more = ["--connections-per-client-max", "2", "--trust-proxy", "1"];
  await using limited = await TestNode.start(...more);
  const from = (ip: string, head: string): Promise<string> =>
    client(limited.url).send(`${head}\r\nX-Forwarded-For: ${ip}`);
  assert.equal(await from("192.0.2.1", STREAM), "200");
  assert.equal(await from("192.0.2.1", STREAM), "200");
  assert.equal(await from("192.0.2.1", BLOCK), "429 9001");
  assert.equal(await from("192.0.2.1", "GET /ready HTTP/1.1"), "200");
  assert.equal(await from("192.0.2.2", BLOCK), "200");
  const proxy = client(limited.url);
  for (let count = 0; count < 5; count += 1) {
    assert.equal(await proxy.send(`${BLOCK}\r\nX-Forwarded-For: 192.0.2.3`), "200");
  }
});

test("when all connections are in use, one beyond them is served checks of the node alone", async () => {
  const connections = new Connections({ max: 2 });
  const app = await makeServer(node.running.service, connections, pino({ level: "silent" }));
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  for (let count = 0; count < 2; count += 1) {
    assert.equal(await client(url).send(STREAM), "200");
  }
  const beyond = client(url);
  for (const path of ["/ready", "/health", "/ready?for=writes"]) {
    assert.equal(await beyond.send(`GET ${path} HTTP/1.1`), "200");
  }
  const closed = once(beyond.socket, "close");
  assert.equal(await beyond.send(BLOCK), "503 9002");
  await closed;
  await connections.close([app.server], { idleMs: 0, latestMs: 0 });
  await app.close();
});
