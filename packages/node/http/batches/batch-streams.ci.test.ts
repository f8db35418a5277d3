import assert from "node:assert/strict";
import { subscribe } from "node:diagnostics_channel";
import { EventEmitter, once } from "node:events";
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type Server,
} from "node:http";
import { connect, type Socket } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { byLane } from "../../../ledger/testing/lane.ts";
import {
  type Element,
  ones,
  type BatchResult as Result,
  resultSummaryOf,
  transferElements,
  walletPayments,
} from "../../testing/requests/batch-requests.ts";
import { peakBytes, ServiceProcess } from "../../testing/service-process.ts";
import { type KeyHolder, type ProblemBody, summaryOf, TestNode } from "../../testing/test-node.ts";
import { until } from "../../testing/until.ts";

/** A client that writes lines and reads results at the same time. */
class LineClient implements AsyncDisposable {
  readonly request: ClientRequest;
  readonly #response: Promise<IncomingMessage>;
  #lines: AsyncIterator<string> | undefined;

  constructor({ url }: { readonly url: string }, headers: Readonly<Record<string, string>> = {}) {
    this.request = httpRequest(`${url}/batch`, {
      method: "POST",
      headers: { "Content-Type": "application/x-ndjson", ...headers },
      agent: false,
    });
    this.request.on("error", () => undefined); // the response has it too
    this.#response = once(this.request, "response").then(([response]) => response);
    this.#response.catch(() => undefined);
    this.request.flushHeaders();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.request.destroy();
  }

  get response(): Promise<IncomingMessage> {
    return this.#response;
  }

  async write(text: string | Buffer): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.request.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  end(): this {
    this.request.end();
    return this;
  }

  /** The next result, undefined at the end of the answer. */
  async next(): Promise<Result | undefined> {
    this.#lines ??= linesOf(await this.#response);
    const { done, value } = await this.#lines.next();
    return done === true ? undefined : (JSON.parse(value) as Result);
  }

  /** All results up to the end of the answer, which must be complete. */
  async rest(): Promise<readonly Result[]> {
    const results: Result[] = [];
    for (let result = await this.next(); result !== undefined; result = await this.next()) {
      results.push(result);
    }
    assert.ok((await this.#response).complete, "the answer was cut");
    return results;
  }
}

/** The lines of a body; throws if it is cut. */
async function* linesOf(body: IncomingMessage): AsyncGenerator<string> {
  let begun = "";
  for await (const chunk of body.setEncoding("utf8")) {
    const lines = (begun + chunk).split("\n");
    begun = lines.pop() ?? "";
    yield* lines;
  }
  assert.equal(begun, "", "the last line has no end");
}

const LINE_BYTES_MAX = 4096;

let node: TestNode;
let a: KeyHolder;
let b: KeyHolder;
before(async () => {
  node = await TestNode.start("--body-bytes-max", String(LINE_BYTES_MAX), "--queue-max", "500");
  a = await node.holder({ coins: 1_000_000n });
  b = await node.holder();
});
after(() => node[Symbol.asyncDispose]());

async function coins(holder: KeyHolder, of = node): Promise<bigint> {
  return BigInt((await of.balances(holder, "0"))[0] ?? "0");
}

/** Lines with transfers of these amounts, without line ends. */
async function transfers(
  amounts: readonly (string | number)[],
  { of = node, from = a, to = b } = {},
): Promise<readonly string[]> {
  return (await transferElements(of, [from, to], amounts)).map((each) => JSON.stringify(each));
}

const UNKNOWN = '{"operation":"nothing"}';

test("batches §1.2: an answer begins before the request ends, and a line is answered while the next one is not there yet", async () => {
  const [first = "", second = ""] = await transfers(ones(2));
  await using client = new LineClient(node);
  const response = await client.response;
  assert.equal(response.statusCode, 200);
  assert.equal(response.headers["content-type"], "application/x-ndjson");
  assert.match(String(response.headers["ledger-height"]), /^\d+$/);
  await client.write(`${first}\n`);
  const answered = (await client.next()) as Result;
  assert.equal(resultSummaryOf(answered), "200");
  assert.deepEqual(Object.keys(answered), ["status", "transaction_id", "result", "temporary_key"]);
  await client.write(`${second}\n`);
  assert.equal(resultSummaryOf((await client.next()) as Result), "200");
  assert.deepEqual(await client.end().rest(), []);
});

test("batches §1.2: lines end in LF or CRLF, empty ones are neither answered nor counted, the last one needs no end", async () => {
  const before = await coins(b);
  const [first, second, third, fourth] = await transfers([1, 2, 3, 4]);
  await using client = new LineClient(node);
  await client.write(`\n\r\n${first}\r\n\n\r\n${second}\n`);
  // Cut anywhere: within a line's end, within a line.
  await client.write(`${third}\r`);
  assert.equal(resultSummaryOf((await client.next()) as Result), "200");
  await client.write(`\n${fourth?.slice(0, 40)}`);
  await client.write(`${fourth?.slice(40)}`);
  const rest = await client.end().rest();
  assert.deepEqual(rest.map(resultSummaryOf), ["200", "200", "200"]);
  assert.equal(await coins(b), before + 10n);
});

test("batches §1.2: a line that is no JSON object, no operation, no UTF-8 or refused is answered by its problem, and the others are done", async () => {
  const [good = "", dear = "", last = ""] = await transfers([1, "1000000000", 1]);
  const tooLong = Buffer.alloc(LINE_BYTES_MAX + 1, "x");
  const muchTooLong = Buffer.alloc(1 << 20, "x");
  const longest = `{"operation":"transfer","memo":"${"m".repeat(LINE_BYTES_MAX - 34)}"}`;
  assert.equal(longest.length, LINE_BYTES_MAX);
  await using client = new LineClient(node);
  const results = client.rest();
  for (const line of [
    good,
    "{",
    " ",
    "null",
    "[]",
    '"transfer"',
    "{} {}",
    '{"operation":"transfer","to":"a","to":"b"}',
    UNKNOWN,
    '{"operation":"faucet"}',
    '{"operation":"batch","operations":[]}',
    Buffer.from([0x7b, 0xff, 0x7d]),
    tooLong,
    muchTooLong,
    longest,
    Buffer.concat([Buffer.from(longest), Buffer.from("\r")]),
    dear,
    `\t${last} `,
  ]) {
    await client.write(line);
    await client.write("\n");
  }
  client.end();
  assert.deepEqual((await results).map(resultSummaryOf), [
    "200",
    "400 1007 operations[1] at 1",
    "400 1007 operations[2] at 2",
    "400 1007 operations[3] at 3",
    "400 1007 operations[4] at 4",
    "400 1007 operations[5] at 5",
    "400 1007 operations[6] at 6",
    "400 1007 operations[7] at 7",
    "400 3005 operations[8].operation at 8",
    "400 3005 operations[9].operation at 9",
    "400 3005 operations[10].operation at 10",
    "400 1006 at 11",
    "413 9413 at 12",
    "413 9413 at 13",
    "400 1000 from at 14",
    "400 1000 from at 15",
    "400 5001 at 16",
    "200",
  ]);
});

test("batches §1.2: a stream of nothing is answered with nothing", async () => {
  await using client = new LineClient(node);
  assert.deepEqual(await client.end().rest(), []);
});

test("lines are not tried out: with dry=1 they are refused, and nothing is done", async () => {
  const [line = ""] = await transfers([1]);
  const height = await node.height();
  const headers = { "Content-Type": "application/x-ndjson" };
  const answer = await node.request("/batch?dry=1", { method: "POST", body: line, headers });
  assert.equal(summaryOf(answer), "415 9415");
  assert.equal(await node.height(), height);
});

test("what an earlier line brings is spent by a later one, and the same lines again are done once", async () => {
  const [from, to] = [await node.holder({ coins: 5n }), await node.holder()];
  const [there = ""] = await transfers([5], { from, to });
  const [back = ""] = await transfers([5], { from: to, to: from });
  for (const _ of ["first", "again"]) {
    await using client = new LineClient(node);
    await client.write(`${there}\n${back}\n`);
    assert.deepEqual((await client.end().rest()).map(resultSummaryOf), ["200", "200"]);
    assert.equal(await coins(from), 5n);
  }
});

test("batches §1.2: a client that goes away leaves what was admitted to be done, a line without its end is not", async () => {
  const [from, to] = [await node.holder({ coins: 10n }), await node.holder()];
  const [first = "", second = ""] = await transfers([1, 2], { from, to });
  await using client = new LineClient(node);
  await client.write(`${first}\n${second}`);
  await client.next();
  client.request.destroy();
  await node.running.service.queue.drain();
  assert.equal(await coins(to), 1n);
  // Half-closed in the middle: no more can come.
  const socket = connect(Number(new URL(node.url).port), "127.0.0.1");
  const head = "POST /batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n";
  socket.end(`${head}Content-Length: 100000\r\n\r\n${second}`);
  await once(socket.resume(), "close");
  assert.equal(await coins(to), 1n);
});

/** Writes lines as fast as the node takes them, until the connection closes. */
async function writeAll(
  { request }: LineClient,
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  let goOn: () => void = () => undefined;
  const wake = (): void => goOn();
  using _ = disposable(() => request.off("drain", wake).off("close", wake));
  request.on("drain", wake).on("close", wake);
  let piece = "";
  for await (const line of lines) {
    piece += `${line}\n`;
    if (piece.length > 16_000) {
      if (!request.write(piece) && !request.destroyed) {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      }
      piece = "";
    }
    if (request.destroyed) {
      return;
    }
  }
  request.write(piece);
}

function disposable(end: () => unknown): Disposable {
  return { [Symbol.dispose]: () => void end() };
}

function* repeated(line: string, count: number): Generator<string> {
  for (let written = 0; written < count; written += 1) {
    yield line;
  }
}

const REQUESTS = new EventEmitter();
subscribe("http.server.request.start", (message) => REQUESTS.emit("start", message));

/** The node's side of the next request. */
async function nextRequest(): Promise<{
  readonly request: IncomingMessage;
  readonly server: Server;
  readonly socket: Socket;
}> {
  const [begun] = await once(REQUESTS, "start");
  return begun;
}

test("batches §1.2: a stream whose client never reads ends with 9408, after the results of all admitted operations", async () => {
  // A busy machine may leave this process, which is client and node, without a line for a second.
  await using own = await TestNode.start("--batch-stream-idle-seconds", "5");
  const [from, to] = [await own.holder({ coins: 1000n }), await own.holder()];
  const lines = await transfers(ones(200), { of: own, from, to });
  const most = 300_000;
  const begun = nextRequest();
  await using client = new LineClient(own);
  const written = writeAll(client, [...lines, ...repeated(UNKNOWN, most)]);
  const { request } = await begun;
  await client.response;
  await until(() => request.listenerCount("readable") === 0, "the node ends what it has held up");
  // What had been written can still be read.
  const results = await client.rest();
  client.request.destroy();
  await written;
  assert.ok(results.length < most / 2, `${results.length}`);
  assert.deepEqual(
    results.map(({ status, problem }, index) => (status === 200 ? index : problem?.index)),
    results.map((_, index) => index),
  );
  assert.equal(resultSummaryOf(results.at(-1) as Result), `408 9408 at ${results.length - 1}`);
  assert.match(results.at(-1)?.problem?.detail ?? "", /read while you write/);
  assert.equal(results.filter(({ status }) => status === 200).length, 200);
  assert.equal(await coins(to, own), 200n);
});

/** Transfers that are done, in thousands: until the caches of the database are full, and further ones. */
const [FIRST_THOUSANDS, PAID_THOUSANDS] = byLane({ quick: [1, 1], long: [120, 180] });

test("batches §1.2: memory stays flat while a slow client sends many lines; every operation with a result is done", async () => {
  await using service = await ServiceProcess.start();
  const payments = await walletPayments(service.url, 10_000_000n);
  const refused = JSON.stringify({ operation: "transfer", memo: "b".repeat(64_000) });
  const run = async (thousands: number, refusals: number): Promise<void> => {
    await using client = new LineClient(service);
    const lines = async function* (): AsyncGenerator<string> {
      for (let count = 0; count < thousands; count += 1) {
        yield* (await payments.next()).map((each: Element) => JSON.stringify(each));
      }
      yield* repeated(refused, refusals);
    };
    const written = writeAll(client, lines()).then(() => client.end());
    const counts = new Map<string, number>();
    for await (const line of linesOf(await client.response)) {
      const { status, problem } = JSON.parse(line) as Result;
      const outcome = problem?.code ?? String(status);
      const count = (counts.get(outcome) ?? 0) + 1;
      counts.set(outcome, count);
      if (count % 25 === 0) {
        await delay(4); // slower than the node
      }
    }
    await written;
    assert.deepEqual(Object.fromEntries(counts), { 200: 1000 * thousands, 1000: refusals });
  };
  await run(FIRST_THOUSANDS, 250);
  const before = peakBytes(service.pid);
  await run(PAID_THOUSANDS, 2500); // 160 MB
  const grown = peakBytes(service.pid) - before;
  assert.ok(grown < 100 << 20, `${grown >> 20} MiB more`);
  const entries = await (await fetch(`${service.url}/balance/${payments.to}/0`)).json();
  const [{ balance }] = entries as [{ readonly balance: string }];
  assert.equal(balance, String(1000 * (FIRST_THOUSANDS + PAID_THOUSANDS)));
});

test("batches §1.2: at most 64 operations of a stream are under way", async () => {
  const { queue } = node.running.service;
  let most = 0;
  const note = (): void => {
    most = Math.max(most, queue.length);
  };
  queue.on("result", note);
  await using client = new LineClient(node);
  await client.write(`${(await transfers(ones(500))).join("\n")}\n`);
  const results = await client.end().rest();
  queue.off("result", note);
  assert.ok(results.every(({ status }) => status === 200));
  assert.ok(most > 1 && most <= 64, `${most}`);
});

test("batches §1.2: streams are bounded, those of a client as well, more are 9002 until one has ended; each line counts as a request", async () => {
  // biome-ignore format: a flag and its value belong together
  await using own = await TestNode.start("--batch-streams-max", "3", "--batch-streams-per-client-max", "2", "--trust-proxy", "1", "--rate-limit", "5");
  const open = (ip: string): LineClient => new LineClient(own, { "X-Forwarded-For": ip });
  const refusedWith = async (ip: string): Promise<string> => {
    const headers = { "Content-Type": "application/x-ndjson", "X-Forwarded-For": ip };
    const answer = await own.request("/batch", { method: "POST", body: UNKNOWN, headers });
    assert.equal(summaryOf(answer), "503 9002");
    assert.equal(answer.headers.get("retry-after"), "10");
    return (JSON.parse(answer.text) as ProblemBody).detail;
  };
  await using first = open("192.0.2.1");
  await using second = open("192.0.2.1");
  await Promise.all([first.response, second.response]);
  assert.match(await refusedWith("192.0.2.1"), /2 streams of operations of this client/);
  await using third = open("192.0.2.2");
  await third.response;
  assert.match(await refusedWith("192.0.2.3"), /3 streams of operations already/);
  assert.deepEqual(await second.end().rest(), []);
  await using fourth = open("192.0.2.3");
  assert.equal((await fourth.response).statusCode, 200);
  await third.end().rest();
  await using counted = open("192.0.2.4");
  await counted.write(`${UNKNOWN}\n`.repeat(8));
  const results = await counted.end().rest();
  assert.deepEqual(
    results.map(({ status }) => status),
    [400, 400, 400, 400, 400, 429, 429, 429],
  );
  assert.ok((results.at(-1)?.problem?.retry_after ?? 0) > 0);
});

test("batches §1.5: while the queue is full for 5 s a line and all later ones are 9002", async () => {
  const before = await coins(b);
  const lines = await transfers(ones(3));
  const { queue } = node.running.service;
  await using client = new LineClient(node);
  await client.write(`${lines[0]}\n`);
  assert.equal(resultSummaryOf((await client.next()) as Result), "200");
  queue.hold(1000, 0);
  await client.write(`${lines[1]}\n`);
  assert.equal(resultSummaryOf((await client.next()) as Result), "503 9002 at 1");
  queue.release(1000, 0);
  await client.write(`${lines[2]}\n{\n`);
  assert.deepEqual((await client.end().rest()).map(resultSummaryOf), [
    "503 9002 at 2",
    "503 9002 at 3",
  ]);
  assert.equal(await coins(b), before + 1n);
});

test("a stream may take longer than other requests, and has no size", async () => {
  const body = `${(await transfers(ones(50))).join("\n")}\n`;
  assert.ok(body.length > 2 * LINE_BYTES_MAX);
  const begun = nextRequest();
  await using client = new LineClient(node, { "Content-Length": String(body.length) });
  await client.write(body.slice(0, 5000));
  await client.next();
  // What Node does when a request has taken longer than its `requestTimeout`.
  const late = Object.assign(new Error("late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
  const { server, socket } = await begun;
  server.emit("clientError", late, socket);
  await client.write(body.slice(5000));
  const results = await client.end().rest();
  assert.equal(results.length, 49);
  assert.ok(results.every(({ status }) => status === 200));
});

/** What the garbage collector leaves, bytes. */
function heapBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test("100 idle streams share one timer and cost a few KiB each; /metrics has them, and one more is 9002", async (t) => {
  // biome-ignore format: a flag and its value belong together
  await using own = await TestNode.start("--batch-streams-per-client-max", "0", "--batch-stream-idle-seconds", "3600");
  const timers = (): number =>
    process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  assert.equal(await own.metric("moneta_batch_streams"), 0);
  assert.equal(await own.metric("moneta_batch_streams_limit"), 100);
  const clients = [new LineClient(own)];
  await clients[0]?.response;
  const [bytes, timersOfOne] = [heapBytes(), timers()];
  for (let opened = 1; opened < 100; opened += 1) {
    const client = new LineClient(own);
    clients.push(client);
    assert.equal((await client.response).statusCode, 200);
  }
  const each = (heapBytes() - bytes) / 99;
  t.diagnostic(`${Math.round(each / 1024)} KiB each, both ends; ${timers() - timersOfOne} timers`);
  assert.ok(each < 100 << 10, `${each} bytes`);
  assert.ok(timers() <= timersOfOne + 1, "no timer of their own");
  assert.equal(await own.metric("moneta_batch_streams"), 100);
  await using more = new LineClient(own);
  assert.equal((await more.response).statusCode, 503);
  for (const client of clients) {
    assert.deepEqual(await client.end().rest(), []);
  }
  assert.equal(await own.metric("moneta_batch_streams"), 0);
});

test("long lines of all streams have bounded memory: one waits for another, and neither is ended", async () => {
  // biome-ignore format: a flag and its value belong together
  await using own = await TestNode.start("--body-bytes-max", "200000", "--queue-bytes-max", "200000", "--batch-stream-idle-seconds", "2");
  const long = `{"operation":"transfer","memo":"${"m".repeat(150_000)}"}`;
  const begun = nextRequest();
  await using first = new LineClient(own);
  const { socket } = await begun;
  await first.write(long.slice(0, 100_000));
  await until(() => socket.bytesRead >= 100_000, "the node has read the first line's beginning");
  await using second = new LineClient(own);
  await second.write(`${long}\n`);
  second.end(); // or it could be ended for lack of another line
  const order: string[] = [];
  const answerOf = async (client: LineClient): Promise<void> => {
    order.push(resultSummaryOf((await client.next()) as Result));
  };
  await Promise.all([answerOf(second), answerOf(first)]);
  // The first one never ends its line, and is ended: its memory goes to the second.
  assert.deepEqual(order, ["408 9408 at 0", "400 1000 from at 0"]);
  assert.deepEqual(await first.rest(), []);
  assert.deepEqual(await second.rest(), []);
});

test("batches §1.2: a client that never reads is disconnected; a stream without a line for 30 s ends with 9408", async () => {
  await using own = await TestNode.start("--batch-stream-idle-seconds", "1");
  await using deaf = new LineClient(own);
  const written = writeAll(deaf, repeated(UNKNOWN, 1_000_000));
  await new Promise((resolve) => deaf.request.once("close", resolve));
  await written;
  // Its place is free again.
  await using silent = new LineClient(own);
  await silent.write(`${UNKNOWN}\n`);
  await using dripping = new LineClient(own);
  const dripped = setInterval(() => dripping.request.write("\n\r\n"), 100);
  const results = await silent.rest();
  assert.deepEqual(results.map(resultSummaryOf), [
    "400 3005 operations[0].operation at 0",
    "408 9408 at 1",
  ]);
  assert.deepEqual((await dripping.rest()).map(resultSummaryOf), ["408 9408 at 0"]);
  clearInterval(dripped);
});

test("batches §1.2: at a shutdown nothing more is read, what is under way is answered, and a last line is 9002", async () => {
  const before = await coins(b);
  const lines = await transfers(ones(100));
  await using client = new LineClient(node);
  await client.write(`${lines.join("\n")}\n`);
  await client.next();
  await using silent = new LineClient(node);
  await silent.response;
  const stopped = node.stop();
  const results = await client.rest();
  const done = results.filter(({ status }) => status === 200).length + 1;
  assert.deepEqual(resultSummaryOf(results[done - 1] as Result), `503 9002 at ${done}`);
  assert.deepEqual((await silent.rest()).map(resultSummaryOf), ["503 9002 at 0"]);
  await stopped;
  await node.resume();
  assert.equal(await coins(b), before + BigInt(done));
});
