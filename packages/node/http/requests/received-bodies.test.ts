import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import type { FastifyRequest } from "fastify";
import { summaryOf, TestNode } from "../../testing/test-node.ts";
import { FaultThrown } from "./fault-thrown.ts";
import { ReceivedBodies } from "./received-bodies.ts";

const A = "192.0.2.1";
const B = "192.0.2.2";
const C = "192.0.2.3";

/** A body of a client on its way, and what becomes of it. */
class Sent {
  readonly #stream = new PassThrough();
  readonly outcome: Promise<string>;

  constructor(bodies: ReceivedBodies, ip: string, length?: number) {
    const headers = length === undefined ? {} : { "content-length": String(length) };
    const request = { headers, ip } as unknown as FastifyRequest;
    this.outcome = bodies.read(request, this.#stream as unknown as IncomingMessage).then(
      (body) => body.toString(),
      (thrown) => (thrown instanceof FaultThrown ? thrown.fault.code : (thrown as Error).message),
    );
  }

  async brings(text: string): Promise<this> {
    this.#stream.write(text);
    await new Promise((resolve) => setImmediate(resolve));
    return this;
  }

  async ends(text = ""): Promise<string> {
    this.#stream.end(text);
    return await this.outcome;
  }

  async breaks(): Promise<string> {
    this.#stream.destroy(new Error("cut"));
    return await this.outcome;
  }
}

test("a body is whole when it ends, in however many pieces it comes, with a length and without", async () => {
  const bodies = new ReceivedBodies(10, 40);
  assert.equal(await new Sent(bodies, A, 4).ends("abcd"), "abcd");
  assert.equal(await (await new Sent(bodies, A, 4).brings("ab")).ends("cd"), "abcd");
  assert.equal(await (await new Sent(bodies, A).brings("ab")).ends("cd"), "abcd");
  assert.equal(await new Sent(bodies, A).ends(), "");
  assert.equal(await new Sent(bodies, A, 10).ends("0123456789"), "0123456789");
});

test("a body that is too large is 9413, at its length or at the byte too many", async () => {
  const bodies = new ReceivedBodies(10, 40);
  assert.equal(await new Sent(bodies, A, 11).outcome, "9413");
  assert.equal(await (await new Sent(bodies, A).brings("0123456789")).ends("x"), "9413");
});

test("bodies of one client that have not ended have half of the memory, those of all together all of it", async () => {
  const bodies = new ReceivedBodies(10, 40);
  const ofA = [
    await new Sent(bodies, A, 10).brings("012345678"),
    await new Sent(bodies, A, 10).brings("012345678"),
  ];
  assert.equal(await (await new Sent(bodies, A, 10).brings("012")).outcome, "9002");
  assert.equal(await new Sent(bodies, A, 10).ends("0123456789"), "0123456789"); // came at once
  const ofB = await new Sent(bodies, B).brings("0123456789");
  const more = await new Sent(bodies, B).brings("0123456789");
  assert.equal(await (await new Sent(bodies, C).brings("012")).outcome, "9002");
  // What has ended or was cut makes room.
  assert.equal(await ofB.ends(), "0123456789");
  assert.equal(await more.breaks(), "cut");
  assert.equal(await ofA[0]?.ends("9"), "0123456789");
  assert.equal(await (await new Sent(bodies, A, 10).brings("01234567")).ends("89"), "0123456789");
  assert.equal(await (await new Sent(bodies, C).brings("0123456789")).ends(), "0123456789");
});

test("clients that never end their bodies do not fill the memory of a node: 503 9002, and others are served", async () => {
  await using node = await TestNode.start();
  const { hostname: host, port } = new URL(node.url);
  const length = 4 << 20;
  const head = `POST /transfer HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const begun = Buffer.alloc(length - 1, "a");
  const sockets: Socket[] = [];
  let refused = "";
  for (let count = 0; count < 40 && refused === ""; count += 1) {
    const socket = connect(Number(port), host);
    sockets.push(socket);
    socket.on("error", () => undefined).on("data", (bytes) => (refused += bytes));
    socket.write(head);
    await new Promise((resolve) => socket.write(begun, resolve));
    await node.get("/health");
  }
  assert.match(refused, /^HTTP\/1\.1 503 /);
  assert.match(refused, /\r\nRetry-After: 1\r\n.*"code":"9002"/s);
  assert.ok(sockets.length > 32, `${sockets.length}`); // 128 MiB
  assert.equal(summaryOf(await node.post("/transfer", { from: "x" })), "400 1000 to");
  for (const socket of sockets) {
    socket.destroy();
  }
});
