import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { Moneta } from "../index.ts";

// What a node can answer that no ledger would, and what becomes of its clients.

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const LEDGER_ID = "a".repeat(64);

/** A server that answers whatever a test wants. */
class HostileNode implements AsyncDisposable {
  /** Paths with queries, in the order of requests. */
  readonly asked: string[] = [];
  readonly #server: Server;

  private constructor(answer: Answer) {
    this.#server = createServer((request, response) => {
      this.asked.push(request.url ?? "");
      answer(response, request);
    });
  }

  static async that(answer: Answer): Promise<HostileNode> {
    const node = new HostileNode(answer);
    node.#server.listen(0, "127.0.0.1");
    await once(node.#server, "listening");
    return node;
  }

  /** A client that knows the ledger. */
  client(options: ConstructorParameters<typeof Moneta>[1] = {}): Moneta {
    const { port } = this.#server.address() as AddressInfo;
    return new Moneta(`http://127.0.0.1:${port}`, {
      ledgerId: LEDGER_ID,
      timeoutMs: 10_000,
      retries: 0,
      ...options,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await Promise.resolve();
  }
}

const OF_LEDGER = { "Ledger-Height": "1", "Content-Type": "application/json" };
const OF_PROBLEM = { "Content-Type": "application/problem+json" };

/** Sends the same again and again, as long as somebody reads. */
function withoutEnd(response: ServerResponse, piece: Buffer): void {
  const go = (): void => {
    while (!response.destroyed && response.write(piece)) {}
  };
  response.on("drain", go);
  go();
}

const PIECE = Buffer.alloc(1 << 20, "x");

test("an answer without end is given up after 64 MiB", async () => {
  await using node = await HostileNode.that((response) => {
    withoutEnd(response.writeHead(200, OF_LEDGER), PIECE);
  });
  await assert.rejects(node.client().height(), { name: "RangeError", message: /67108864 bytes/ });
  await assert.rejects(node.client().request("height", {}, { bytesMax: 1000 }), {
    name: "RangeError",
    message: /1000 bytes/,
  });
});

test("a write whose answer has no end may have been done", async () => {
  await using node = await HostileNode.that((response) => {
    withoutEnd(response.writeHead(200, OF_LEDGER), PIECE);
  });
  await assert.rejects(node.client().request("faucet", { address: "MT" }), {
    name: "UnansweredError",
    mayHaveHappened: true,
  });
});

test("a problem without end is given up after 64 KiB", async () => {
  await using node = await HostileNode.that((response) => {
    withoutEnd(response.writeHead(400, OF_PROBLEM), PIECE);
  });
  await assert.rejects(node.client().height(), { name: "RangeError", message: /65536 bytes/ });
});

test("an event without end is given up, and the stream comes back", async () => {
  await using node = await HostileNode.that((response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    if (node.asked.length === 1) {
      response.write("event: transaction\ndata: ");
      withoutEnd(response, PIECE);
    } else {
      response.end('event: height\nid: 1\ndata: {"sn":7}\n\n');
    }
  });
  const causes: unknown[] = [];
  const events = node.client().events({}, { onReconnect: (cause) => causes.push(cause) });
  const { value } = await events.next();
  assert.deepEqual(value, { kind: "height", id: "1", height: 7 });
  assert.match(String(causes[0]), /RangeError.*67108864 bytes/);
  await events.return();
});

test("a line of an event costs no more than its length, whatever it has", async () => {
  const line = `${"a".repeat(200_000)}\u2028`;
  await using node = await HostileNode.that((response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.end(`${line}\nevent: height\nid: 1\ndata: {"sn":7}\n\n`);
  });
  const before = performance.now();
  const { value } = await node.client().events().next();
  assert.equal((value as { height: number }).height, 7);
  assert.ok(performance.now() - before < 5_000);
});

test("a node has no client reconnect without a pause", async () => {
  for (const retry of ["0", "-1", "-Infinity", "1e-9"]) {
    await using node = await HostileNode.that((response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.end(`retry: ${retry}\n\n`);
    });
    const events = node.client().events({}, { signal: AbortSignal.timeout(600) });
    assert.equal((await events.next()).done, true);
    assert.ok(node.asked.length <= 7, `${node.asked.length} requests with retry: ${retry}`);
  }
});

for (const problem of [
  "null",
  "7",
  "[]",
  "{}",
  '{"code":7}',
  '{"code":"5000","status":400}',
  '{"code":"constructor","detail":"x"}',
]) {
  test(`a problem that is ${problem} is none, and a write may have been done`, async () => {
    await using node = await HostileNode.that((response) => {
      response.writeHead(400, OF_PROBLEM).end(problem);
    });
    await assert.rejects(node.client().request("faucet", { address: "MT" }), {
      name: "UnansweredError",
      message: /status 400 of something else than a ledger/,
      mayHaveHappened: true,
    });
  });
}
