import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { after, before, test } from "node:test";
import Fastify from "fastify";
import { OperatorEvents } from "../../operator/operator-events.ts";
import { until } from "../../testing/until.ts";
import { Sender } from "./answer.ts";

// More than the socket buffers of both sides hold.
const LARGE = "x".repeat(24 << 20);
const MIB = "x".repeat(1 << 20);
const WAITING_BYTES_MAX = 80 << 20;

const app = Fastify({ forceCloseConnections: true, trustProxy: true });
let port: number;

before(async () => {
  const sender = new Sender(
    {
      height: () => 1,
      isEnding: () => false,
      operatorEvents: new OperatorEvents(),
      log: undefined,
    },
    WAITING_BYTES_MAX,
  );
  const answer = (body: string) => ({ contentType: "text/plain", body });
  // As the node's server does: the address stays known when the client disconnects.
  app.addHook("onRequest", async ({ ip }) => assert.ok(ip));
  app.get("/large", (request, reply) => {
    asked += 1;
    return sender.send(request, reply, answer(LARGE));
  });
  app.get("/small", (request, reply) => sender.send(request, reply, answer("small")));
  app.get("/parts", (request, reply) =>
    sender.sendChunks(request, reply, { contentType: "text/plain", chunks: parts() }),
  );
  app.get("/late", async (request, reply) => {
    await once(reply.raw, "close");
    sender.send(request, reply, answer(MIB));
    late += 1;
    return reply;
  });
  app.get("/late-parts", async (request, reply) => {
    await once(reply.raw, "close");
    sender.sendChunks(request, reply, { contentType: "text/plain", chunks: parts() });
    late += 1;
    return reply;
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = (app.server.address() as AddressInfo).port;
});
after(() => app.close());

let asked = 0;
let late = 0;
let partsMade = 0;
async function* parts(): AsyncGenerator<string> {
  for (let count = 0; count < 2; count += 1) {
    partsMade += 1;
    yield LARGE;
  }
}

/** Sends a request, and reads nothing of the answer. */
async function askUnread(path: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").pause();
  await once(socket, "connect");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return socket;
}

async function get(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; length: number; text: string }> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  const text = await answer.text();
  return { status: answer.status, length: text.length, text: text.slice(0, 500) };
}

test("once too much of large answers is unread, further large answers are 503 until there is room; small ones are not", async () => {
  const unread = await askUnread("/large");
  await until(() => asked === 1);
  assert.equal((await get("/large")).status, 503);
  assert.match((await get("/large")).text, /"code":"9002"/);
  assert.equal((await get("/small")).text, "small");
  const head = await fetch(`http://127.0.0.1:${port}/large`, { method: "HEAD" });
  assert.deepEqual([head.status, head.headers.get("content-length")], [200, String(LARGE.length)]);
  unread.destroy();
  await until(async () => (await get("/large")).status === 200);
});

test("a client that reads nothing leaves half of the room to others", async () => {
  asked = 0;
  const unread = await Promise.all(Array.from({ length: 4 }, () => askUnread("/large")));
  await until(() => asked === 4);
  assert.equal((await get("/large")).status, 503);
  const other = { "X-Forwarded-For": "192.0.2.1" };
  assert.equal((await get("/large", other)).status, 200);
  for (const socket of unread) {
    socket.destroy();
  }
  await until(async () => (await get("/large")).status === 200);
});

test("answers in parts pause while too much is unread by others, and are complete once there is room", async () => {
  partsMade = 0;
  const unread = [await askUnread("/parts"), await askUnread("/parts")];
  await until(() => partsMade === 2);
  const held = get("/parts");
  assert.equal((await get("/small")).text, "small", "a later request is answered meanwhile");
  assert.equal(partsMade, 2);
  for (const socket of unread) {
    socket.destroy();
  }
  const { status, length } = await held;
  assert.deepEqual([status, length], [200, 2 * LARGE.length]);
});

for (const { path, clients } of [
  { path: "/late", clients: 120 },
  { path: "/late-parts", clients: 10 },
]) {
  test(`${clients} clients that disconnect before ${path} is answered leave room for the large answers of others`, async () => {
    late = 0;
    for (let count = 1; count <= clients; count += 1) {
      (await askUnread(path)).destroy();
    }
    await until(() => late === clients);
    assert.equal((await get("/large")).status, 200);
    const { status, length } = await get("/parts");
    assert.deepEqual([status, length], [200, 2 * LARGE.length]);
  });
}
