import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { readFileSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { type RequestOptions, request as tlsRequest } from "node:https";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { TLSSocket, connect as tlsConnect } from "node:tls";
import { DROP_REASONS } from "./events/event-streams.ts";
import { EventStream } from "./testing/event-stream.ts";
import { TemporaryDirectory } from "./testing/temporary-directory.ts";
import {
  type Answered,
  newKey,
  type ProblemBody,
  parsed,
  publicPem,
  START,
  summaryOf,
  TestNode,
  transactionIdOf,
} from "./testing/test-node.ts";

const PUBLIC_KEY = publicPem(newKey());

/** The outcome of a request: its answer, or `refused` without a connection. */
async function outcome(answer: Promise<Answered>): Promise<string> {
  try {
    return summaryOf(await answer);
  } catch (thrown) {
    if (thrown instanceof TypeError || (thrown instanceof Error && "code" in thrown)) {
      return "refused";
    }
    throw thrown;
  }
}

test("a shutdown under load answers all accepted writes, and does nothing unanswered", async () => {
  await using node = await TestNode.start("--shutdown-seconds", "600");
  const from = await node.holder({ coins: 1000n });
  const to = await node.holder();
  const keys = parsed<string[]>(await node.get(`/nonce/${from.address}?count=300`));
  const all = await Promise.all(
    keys.map((checkkey) => node.transfer(from, { to: to.address, amount: "1", checkkey })),
  );
  const answers = all.map((params) => node.post("/transfer", params));
  const outcomes = answers.map(outcome);
  await Promise.race(answers);
  await node.stop();
  const settled = await Promise.all(outcomes);
  const accepted = settled.filter((each) => each === "200").length;
  for (const each of settled) {
    assert.match(each, /^(200|503 9002|refused)$/);
  }
  assert.ok(accepted > 0);
  await node.resume();
  assert.deepEqual(await node.balances(to), [`0: ${accepted}`]);
  for (const [index, params] of all.entries()) {
    if (settled[index] === "200") {
      assert.equal(summaryOf(await node.post("/transfer", params)), "200");
    }
  }
  assert.deepEqual(await node.balances(to), [`0: ${accepted}`]);
});

/** Resolves once nobody listens on a port. */
async function refuses(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      if (code === "ECONNREFUSED") {
        return;
      }
      assert.equal(code, "ECONNRESET", "made by the system, but not accepted any more");
    } finally {
      socket.destroy();
    }
  }
}

test("a request that is half received when the shutdown begins is finished and answered", async () => {
  await using node = await TestNode.start();
  const from = await node.holder({ coins: 1n });
  const params = await node.transfer(from, { to: node.treasury.address, amount: "1" });
  const body = String(new URLSearchParams(params));
  const port = Number(new URL(node.url).port);
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  socket.write(
    `POST /transfer HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  const [first] = await once(socket, "data");
  assert.equal(first, "HTTP/1.1 100 Continue\r\n\r\n");
  socket.write(body.slice(0, 20));
  const stopped = node.stop();
  await refuses(port);
  socket.write(body.slice(20));
  assert.match((await socket.toArray()).join(""), /^HTTP\/1\.1 200 /);
  await stopped;
  await node.resume();
  assert.deepEqual(await node.balances(from), ["0: 0"]);
});

test("after a shutdown connections are refused", async () => {
  await using node = await TestNode.start();
  const { url } = node;
  await fetch(`${url}/block`);
  await node.stop();
  await assert.rejects(fetch(`${url}/block`));
});

test("a client that never finishes its request delays a shutdown by the seconds of the setting", async () => {
  await using node = await TestNode.start("--shutdown-seconds", "1");
  const socket = connect(Number(new URL(node.url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  await new Promise<void>((resolve) => {
    socket.write("POST /transfer HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc", () =>
      resolve(),
    );
  });
  await node.get("/block");
  const started = performance.now();
  await node.stop();
  assert.ok(
    performance.now() - started < 60_000,
    "no longer than the setting and what a loaded machine adds",
  );
  socket.destroy();
});

test("a node can be stopped right after its start", async () => {
  for (let time = 0; time < 3; time += 1) {
    await using node = await TestNode.start();
    await node.stop();
  }
});

for (const flags of [
  ["--queue-max", "2"],
  ["--queue-bytes-max", "1024"],
]) {
  test(`writes beyond ${flags[0]} are 503 9002 with Retry-After, and nothing of them is written`, async () => {
    await using node = await TestNode.start(...flags);
    const from = await node.holder({ coins: 1000n });
    const to = await node.holder();
    const keys = parsed<string[]>(await node.get(`/nonce/${from.address}?count=100`));
    const all = await Promise.all(
      keys.map((checkkey) => node.transfer(from, { to: to.address, amount: "1", checkkey })),
    );
    const answers = await Promise.all(all.map((params) => node.post("/transfer", params)));
    const refused = answers.filter(({ status }) => status !== 200);
    assert.ok(refused.length > 0);
    for (const answer of refused) {
      assert.equal(summaryOf(answer), "503 9002");
      assert.ok(Number(answer.headers.get("retry-after")) > 0);
    }
    assert.deepEqual(await node.balances(to), [`0: ${100 - refused.length}`]);
    const again = all[answers.findIndex(({ status }) => status !== 200)] ?? {};
    assert.equal(summaryOf(await node.post("/transfer", again)), "200");
  });
}

test("chain §2.2: no block takes more operations than --block-bytes-max, but one of any size", async () => {
  await using node = await TestNode.start("--block-bytes-max", "1024");
  const from = await node.holder({ coins: 1000n });
  const to = await node.holder();
  const keys = parsed<string[]>(await node.get(`/nonce/${from.address}?count=30`));
  const memo = "m".repeat(2000);
  const all = await Promise.all(
    keys.map((checkkey, index) =>
      node.transfer(from, {
        to: to.address,
        amount: "1",
        checkkey,
        ...(index === 7 ? { memo } : {}),
      }),
    ),
  );
  const answers = await Promise.all(all.map((params) => node.post("/transfer", params)));
  assert.deepEqual(new Set(answers.map(summaryOf)), new Set(["200"]));
  for (let height = 0; height <= (await node.height()); height += 1) {
    const block = parsed<{ operations: object[] }>(await node.get(`/block/${height}/raw`));
    const sizes = block.operations.map((operation) => JSON.stringify(operation).length);
    const sum = sizes.reduce((total, size) => total + size, 0);
    assert.ok(height === 0 || sizes.length === 1 || sum <= 1024, `block ${height} has ${sum}`);
  }
});

test("accounts §4: too many addresses from one client: 429 9001 with Retry-After; reads go on", async () => {
  await using node = await TestNode.start("--address-rate-limit", "3");
  for (let time = 0; time < 3; time += 1) {
    assert.equal(summaryOf(await node.post("/address", { publickey: PUBLIC_KEY })), "200");
  }
  const answer = await node.post("/address", { publickey: PUBLIC_KEY });
  assert.equal(summaryOf(answer), "429 9001");
  const wait = Number(answer.headers.get("retry-after"));
  assert.ok(wait >= 1 && wait <= 60, String(wait));
  assert.ok(answer.headers.has("ledger-height"));
  assert.equal(summaryOf(await node.post("/address/bykey", { publickey: PUBLIC_KEY })), "200");
  assert.equal(summaryOf(await node.get("/block")), "200");
});

test("too many requests from one client: 429 9001; addresses may be limited tighter", async () => {
  await using node = await TestNode.start("--rate-limit", "6", "--address-rate-limit", "2");
  const answers: string[] = [];
  for (let time = 0; time < 3; time += 1) {
    answers.push(summaryOf(await node.post("/address", { publickey: PUBLIC_KEY })));
  }
  assert.deepEqual(answers, ["200", "200", "429 9001"]);
  const reads: string[] = [];
  for (let time = 0; time < 8; time += 1) {
    reads.push(summaryOf(await node.get("/block")));
  }
  assert.equal(reads[0], "200");
  assert.equal(reads.at(-1), "429 9001");
});

test("requests of paths that are not there count as well, with any method", async () => {
  await using node = await TestNode.start("--rate-limit", "4");
  const answers: string[] = [];
  for (const method of ["GET", "POST", "GET", "PROPFIND", "GET", "PROPFIND"]) {
    answers.push(summaryOf(await node.request("/nothing", { method })));
  }
  assert.deepEqual(answers, [...Array(4).fill("404 9404"), "429 9001", "429 9001"]);
  assert.equal(summaryOf(await node.get("/block")), "429 9001");
});

for (const { hops, own, spoofed, other } of [
  // The client counted: the peer, the peer of the last proxy, the peer of the one before it.
  { hops: "0", own: "429 9001", spoofed: "429 9001", other: "429 9001" },
  { hops: "1", own: "429 9001", spoofed: "429 9001", other: "200" },
  { hops: "2", own: "429 9001", spoofed: "200", other: "200" },
]) {
  test(`--trust-proxy ${hops} trusts that many addresses at the end of X-Forwarded-For, and none before`, async () => {
    await using node = await TestNode.start("--rate-limit", "2", "--trust-proxy", hops);
    const from = async (addresses: string): Promise<string> =>
      summaryOf(await node.get("/block", { "X-Forwarded-For": addresses }));
    assert.equal(await from("192.0.2.1"), "200");
    assert.equal(await from("192.0.2.1"), "200");
    assert.equal(await from("192.0.2.1"), own);
    assert.equal(await from("192.0.2.7, 192.0.2.1"), spoofed, "the client has written one itself");
    assert.equal(await from("192.0.2.2"), other);
  });
}

test("/health is up, /ready has the height", async () => {
  await using node = await TestNode.start();
  assert.deepEqual(parsed(await node.get("/health")), { status: "up" });
  await node.holder();
  assert.deepEqual(parsed(await node.get("/ready")), {
    status: "ready",
    height: 1,
    writes: "accepted",
  });
  assert.equal(summaryOf(await node.get("/ready?for=writes")), "200");
  for (const query of ["for=wirtes", "for=", "for=writes&for=reads"]) {
    const answer = await node.get(`/ready?${query}`);
    assert.equal(summaryOf(answer), "400 3005 for", query);
    assert.match(parsed<ProblemBody>(answer).detail, /must be "writes" or left out/);
  }
});

test("/metrics counts requests by route, operations by outcome, and shows queue, blocks and height", async () => {
  await using node = await TestNode.start();
  const from = await node.holder({ coins: 5n });
  const to = node.treasury.address;
  const params = await node.transfer(from, { to, amount: "5" });
  await node.post("/transfer", params);
  await node.post("/transfer", params);
  const tooMuch = await node.transfer(from, { to, amount: "5" });
  assert.equal(summaryOf(await node.post("/transfer", tooMuch)), "400 5001");
  await node.get("/nothing/at/all");
  await node.get(`/balance/${to}`);

  const response = await node.get("/metrics");
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-type") ?? "", /^text\/plain; version=/);
  const { text } = response;
  const value = (line: RegExp): number => Number(line.exec(text)?.[1]);
  assert.equal(value(/^moneta_operations_total\{outcome="done"\} (\d+)$/m), 3);
  assert.equal(value(/^moneta_operations_total\{outcome="refused"\} (\d+)$/m), 1);
  assert.equal(value(/^moneta_height (\d+)$/m), 3);
  assert.equal(value(/^moneta_queue_length (\d+)$/m), 0);
  assert.equal(value(/^moneta_block_operations_count(?:\{\})? (\d+)$/m), 3);
  assert.equal(value(/^moneta_block_sync_seconds_count(?:\{\})? (\d+)$/m), 3);
  assert.match(
    text,
    /moneta_http_request_duration_seconds_count\{.*route="\/transfer".*status="200".*\} 3\n/,
  );
  assert.match(
    text,
    /moneta_http_request_duration_seconds_count\{.*route="\/transfer".*status="400".*\} 1\n/,
  );
  assert.match(text, /route="\/balance\/:address"/);
  assert.doesNotMatch(text, /at\/all/);
  assert.match(text, /^process_cpu_seconds_total/m);
});

test("/metrics has the age of the newest block, the free space, and the limits", async () => {
  await using node = await TestNode.start("--queue-max", "77", "--event-streams-max", "5");
  const value = async (line: RegExp): Promise<number> =>
    Number(line.exec((await node.get("/metrics")).text)?.[1]);
  assert.equal(await value(/^moneta_newest_block_timestamp_seconds (\d+)$/m), START);
  assert.equal(await value(/^moneta_transactions (\d+)$/m), 3);

  node.now += 60;
  await node.holder();
  assert.equal(await value(/^moneta_newest_block_timestamp_seconds (\d+)$/m), START + 60);
  assert.equal(await value(/^moneta_transactions (\d+)$/m), 4);
  assert.equal(await value(/^moneta_queue_limit (\d+)$/m), 77);
  assert.equal(await value(/^moneta_event_streams_limit (\d+)$/m), 5);

  const { bavail, blocks, bsize } = statfsSync(node.data);
  const free = await value(/^moneta_disk_free_bytes (\d+)$/m);
  assert.ok(Math.abs(free - bavail * bsize) < 2 ** 30, `${free} bytes, others write meanwhile`);
  assert.equal(await value(/^moneta_disk_size_bytes (\d+)$/m), blocks * bsize);
  const ledger = statSync(join(node.data, "ledger.db")).size;
  assert.equal(await value(/^moneta_ledger_file_bytes\{file="ledger\.db"\} (\d+)$/m), ledger);
  assert.ok((await value(/^moneta_ledger_file_bytes\{file="ledger\.db-wal"\} (\d+)$/m)) > 0);
  assert.match(
    (await node.get("/metrics")).text,
    /^moneta_info\{version="[^"]+",ledger="localhost\/test",deployment="test",verifier="(platform|native)"\} 1$/m,
  );
});

test("/metrics has counters from the start, so that the first count shows as an increase", async () => {
  await using node = await TestNode.start();
  const { text } = await node.get("/metrics");
  for (const outcome of ["done", "repeat", "refused"]) {
    assert.ok(text.includes(`moneta_operations_total{outcome="${outcome}"} 0\n`), outcome);
    assert.ok(text.includes(`moneta_groups_total{outcome="${outcome}"} 0\n`), outcome);
  }
  for (const reason of DROP_REASONS) {
    assert.ok(text.includes(`moneta_event_streams_dropped_total{reason="${reason}"} 0\n`), reason);
  }
});

test("/metrics has the size of the newest signed checkpoint, which is signed on request and not with each block", async () => {
  await using node = await TestNode.start();
  const signed = async (): Promise<string | undefined> =>
    /^moneta_checkpoint_transactions (\d+)$/m.exec((await node.get("/metrics")).text)?.[1];
  assert.equal(await signed(), "0");
  await node.holder();
  assert.equal(await signed(), "0");
  await node.get("/checkpoint");
  assert.equal(await signed(), "4");
  await node.restart();
  assert.equal(await signed(), "4");
});

test("a request has an id, its own if harmless, and an error names it", async () => {
  await using node = await TestNode.start();
  const given = await node.get("/nothing", { "X-Request-Id": "my-id.1" });
  assert.equal(given.headers.get("x-request-id"), "my-id.1");
  for (const id of ["a b", "x".repeat(65), "<script>", "é"]) {
    const answer = await node.get("/nothing", { "X-Request-Id": id });
    assert.notEqual(answer.headers.get("x-request-id"), id);
    assert.ok(answer.headers.get("x-request-id"));
  }
});

interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate for 127.0.0.1, made with the openssl command; undefined if there is none. */
function certificate(directory: string): Certificate | undefined {
  const [cert, key] = [join(directory, "cert.pem"), join(directory, "key.pem")];
  try {
    // biome-ignore format: an option and its value belong together
    execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
      "-nodes", "-keyout", key, "-out", cert, "-days", "1", "-subj", "/CN=localhost",
      "-addext", "subjectAltName=IP:127.0.0.1"], { stdio: "pipe" });
    return { cert, key };
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") {
      return undefined;
    }
    throw thrown;
  }
}

interface Tls {
  readonly node: TestNode;
  readonly url: URL;
  readonly ca: Buffer;
  send(path: string, options?: RequestOptions, body?: string): Promise<Answered>;
}

/** Runs a test with a folder that has a certificate and its key, or skips it loudly. */
function certificateTest(
  name: string,
  run: (made: {
    readonly cert: string;
    readonly key: string;
    readonly folder: string;
  }) => Promise<void>,
): void {
  test(name, async (t) => {
    using directory = new TemporaryDirectory("tls");
    const made = certificate(directory.path);
    if (made === undefined) {
      t.skip("NO OPENSSL COMMAND: TLS is not tested");
      return;
    }
    await run({ ...made, folder: directory.path });
  });
}

/** Runs a test with a node that has HTTPS, or skips it loudly. */
function tlsTest(name: string, run: (tls: Tls) => Promise<void>): void {
  certificateTest(name, async ({ cert, key }) => {
    // biome-ignore format: an option and its value belong together
    await using node = await TestNode.start(
      "--tls-cert", cert, "--tls-key", key, "--tls-port", "0", "--shutdown-seconds", "600");
    const url = new URL(node.running.urls[1] as string);
    const ca = readFileSync(cert);
    await run({
      node,
      url,
      ca,
      send: (path, options = {}, body = "") =>
        new Promise((resolve, reject) => {
          const request = tlsRequest(
            new URL(path, url),
            { ca, timeout: 120_000, ...options },
            (response) => {
              const chunks: Buffer[] = [];
              response.on("data", (chunk: Buffer) => chunks.push(chunk));
              response.on("error", reject);
              response.on("end", () =>
                resolve({
                  status: response.statusCode ?? 0,
                  headers: new Headers(response.headers as Record<string, string>),
                  text: Buffer.concat(chunks).toString(),
                }),
              );
            },
          );
          request.on("timeout", () => request.destroy(new Error("no answer in time")));
          request.on("error", reject);
          request.end(body);
        }),
    });
  });
}

/** Connections to the port of HTTPS that are no request under way. */
const IDLE_ON_TLS: readonly {
  readonly what: string;
  readonly open: (port: number) => Socket;
}[] = [
  { what: "that send nothing", open: (port) => connect(port, "127.0.0.1") },
  {
    what: "with a handshake that does not end",
    open: (port) => {
      const socket = connect(port, "127.0.0.1");
      socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])); // the beginning of a hello
      return socket;
    },
  },
  {
    what: "that are idle",
    open: (port) => tlsConnect({ port, host: "127.0.0.1", rejectUnauthorized: false }),
  },
];

for (const { what, open } of IDLE_ON_TLS) {
  certificateTest(
    `connections of one client ${what} count on the port of HTTPS, and the longest idle ones go`,
    async ({ cert, key }) => {
      // biome-ignore format: an option and its value belong together
      await using node = await TestNode.start("--tls-cert", cert, "--tls-key", key,
        "--tls-port", "0", "--connections-per-client-max", "3", "--operator-listen", "127.0.0.1:0");
      const { port } = new URL(node.running.urls[1] as string);
      const metrics = async (): Promise<string> =>
        await (await fetch(`${node.running.operatorUrl}/metrics`)).text();
      const sockets: Socket[] = [];
      for (let count = 0; count < 6; count += 1) {
        const [longest] = sockets.slice(-3);
        const isClosed = count < 3 ? undefined : once(longest as Socket, "close");
        const socket = open(Number(port)).on("error", () => undefined);
        sockets.push(socket);
        await once(socket, socket instanceof TLSSocket ? "secureConnect" : "connect");
        await isClosed;
      }
      assert.deepEqual(
        sockets.map(({ destroyed }) => destroyed),
        [true, true, true, false, false, false],
      );
      assert.match(await metrics(), /^moneta_connections 3$/m);
      assert.equal(summaryOf(await node.get("/block")), "200"); // in the place of another
      assert.match(await metrics(), /^moneta_connections 3$/m);
      for (const socket of sockets) {
        socket.destroy();
      }
    },
  );
}

certificateTest(
  "plain HTTP on the port of HTTPS is closed, and leaves no connection",
  async ({ cert, key }) => {
    // biome-ignore format: an option and its value belong together
    await using node = await TestNode.start("--tls-cert", cert, "--tls-key", key,
    "--tls-port", "0", "--connections-per-client-max", "3", "--operator-listen", "127.0.0.1:0");
    const { port } = new URL(node.running.urls[1] as string);
    for (let count = 0; count < 6; count += 1) {
      const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
      const closed = once(socket, "close");
      socket.resume().write("GET /block HTTP/1.1\r\nHost: x\r\n\r\n");
      await closed;
    }
    const text = await (await fetch(`${node.running.operatorUrl}/metrics`)).text();
    assert.match(text, /^moneta_connections 0$/m);
    assert.match(text, /^moneta_connections_refused_total\{reason="client"\} 0$/m);
  },
);

certificateTest(
  "a certificate or a key that cannot be used is named, and what is wrong with it",
  async ({ cert, key, folder }) => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
    const form = { type: "pkcs8", format: "pem" } as const;
    const locked = { cipher: "aes-128-cbc", passphrase: "secret" };
    const written = (name: string, content: string | Buffer): string => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const pem = String(privateKey.export({ ...form, ...locked }));
    const other = written("other.pem", privateKey.export(form));
    const encrypted = written("encrypted.pem", pem);
    const older = written("older.pem", privateKey.export({ ...form, ...locked, type: "sec1" }));
    // What comes of one key in 256 whose padding happens to fit no pass phrase: garbage.
    const garbage = written("garbage.pem", pem.replace(/\n.*\n/, "\n"));
    for (const { flags, says } of [
      { flags: { cert: key, key }, says: `--tls-cert ${key} is no certificate in PEM` },
      { flags: { cert, key: cert }, says: `--tls-key ${cert} is no private key in PEM` },
      { flags: { cert, key: other }, says: `--tls-key ${other} is not the key of the certificate` },
      { flags: { cert, key: encrypted }, says: `--tls-key ${encrypted} is encrypted: ` },
      { flags: { cert, key: older }, says: `--tls-key ${older} is encrypted: ` },
      { flags: { cert, key: garbage }, says: `--tls-key ${garbage} is encrypted: ` },
      { flags: { cert: encrypted, key }, says: `--tls-cert ${encrypted} is no certificate in PEM` },
    ]) {
      // biome-ignore format: a flag and its value belong together
      const start = TestNode.start("--tls-cert", flags.cert, "--tls-key", flags.key, "--tls-port", "0");
      await assert.rejects(
        start,
        ({ name, message }: Error) => name === "SettingProblem" && message.startsWith(says),
      );
    }
    const start = TestNode.start("--faucet-key", encrypted);
    await assert.rejects(start, { message: /^--faucet-key .*encrypted\.pem is encrypted: / });
  },
);

test("a host of two addresses is answered at both, by HTTP and HTTPS, also what is under way at a shutdown", async (t) => {
  using directory = new TemporaryDirectory("tls");
  const made = certificate(directory.path);
  if (made === undefined) {
    t.skip("NO OPENSSL COMMAND: TLS is not tested");
    return;
  }
  const hasIpv6 = Object.values(networkInterfaces()).some((each) =>
    each?.some(({ address }) => address === "::1"),
  );
  const addresses = ["127.0.0.1", hasIpv6 ? "::1" : "127.0.0.2"];
  // A name may have addresses that this machine lacks.
  const addressesOf = async () => ["203.0.113.1", ...addresses];
  // biome-ignore format: an option and its value belong together
  await using node = await TestNode.with({ addressesOf, idleMs: 2000 }, "--host", "localhost",
    "--tls-cert", made.cert, "--tls-key", made.key, "--tls-port", "0");
  const request = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const sockets: Socket[] = [];
  for (const url of node.running.urls) {
    const { protocol, port } = new URL(url);
    for (const host of addresses) {
      const to = { host, port: Number(port) };
      const socket =
        protocol === "http:" ? connect(to) : tlsConnect({ ...to, rejectUnauthorized: false });
      sockets.push(socket);
      socket.write(request);
      const [answer] = (await once(socket, "data")) as [Buffer];
      assert.match(String(answer), /^HTTP\/1\.1 200 .*\{"status":"up"\}$/s, `${url} at ${host}`);
    }
  }
  const stopped = node.stop();
  const last = await Promise.all(
    sockets.map(async (socket) => {
      socket.write(request);
      let text = "";
      for await (const chunk of socket) {
        text += chunk;
      }
      return text;
    }),
  );
  for (const text of last) {
    assert.match(text, /^HTTP\/1\.1 200 .*\{"status":"up"\}$/s);
  }
  await stopped;
});

const FORM = {
  method: "POST",
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
} as const;

tlsTest("HTTPS on a port of its own answers what HTTP does", async ({ node, url, send }) => {
  assert.equal(url.protocol, "https:");
  assert.notEqual(url.port, new URL(node.url).port);
  assert.equal((await send("/block/0")).text, (await node.get("/block/0")).text);
  const from = await node.holder({ coins: 5n });
  const params = await node.transfer(from, { to: node.treasury.address, amount: "5" });
  const id = transactionIdOf(await send("/transfer", FORM, String(new URLSearchParams(params))));
  assert.equal(transactionIdOf(await node.post("/transfer", params)), id);
  assert.equal(summaryOf(await send("/nothing")), "404 9404");
  const memo = "m".repeat(400 * 1024);
  assert.equal(summaryOf(await send(`/address/x?memo=${memo}`)), "400 3190 address");
});

tlsTest(
  "a stream of events over HTTPS is told of what is written, and ends at a shutdown",
  async ({ node, url }) => {
    using stream = await EventStream.open(url.origin);
    const { address } = await node.holder();
    assert.equal(JSON.parse((await stream.nextTransaction()).data).address, address);
    await node.stop();
    assert.equal(await stream.nextOrEnd(), undefined);
  },
);

tlsTest("a shutdown answers what came over HTTPS, too", async ({ node, send }) => {
  const from = await node.holder({ coins: 1000n });
  const to = await node.holder();
  const keys = parsed<string[]>(await node.get(`/nonce/${from.address}?count=100`));
  const all = await Promise.all(
    keys.map((checkkey) => node.transfer(from, { to: to.address, amount: "1", checkkey })),
  );
  const answers = all.map((params) => send("/transfer", FORM, String(new URLSearchParams(params))));
  const outcomes = answers.map(outcome);
  await Promise.race(answers);
  await node.stop();
  const settled = await Promise.all(outcomes);
  for (const each of settled) {
    assert.match(each, /^(200|503 9002|refused)$/);
  }
  await node.resume();
  const accepted = settled.filter((each) => each === "200").length;
  assert.deepEqual(await node.balances(to), [`0: ${accepted}`]);
});

tlsTest(
  "an idle connection over HTTPS does not keep a node from stopping",
  async ({ node, url, ca }) => {
    const socket = tlsConnect({ host: "127.0.0.1", port: Number(url.port), ca });
    socket.on("error", () => undefined);
    await new Promise((resolve) => socket.once("secureConnect", resolve));
    socket.write("GET /block HTTP/1.1\r\nHost: x\r\n\r\n");
    await new Promise((resolve) => socket.once("data", resolve));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await node.stop();
    await Promise.race([
      closed,
      new Promise((_, reject) => {
        setTimeout(reject, 60_000, new Error("the connection is still open")).unref();
      }),
    ]);
  },
);

tlsTest(
  "answers over HTTPS ask for HTTPS next time, those over HTTP do not",
  async ({ node, send }) => {
    const name = "strict-transport-security";
    assert.equal((await send("/block")).headers.get(name), "max-age=31536000");
    assert.equal((await send("/nothing")).headers.get(name), "max-age=31536000");
    assert.equal((await node.get("/block")).headers.get(name), null);
  },
);

for (const { options, protocol } of [
  { options: { maxVersion: "TLSv1.2", ciphers: "ECDHE+AESGCM" }, protocol: "TLSv1.2" },
  { options: { minVersion: "TLSv1.3" }, protocol: "TLSv1.3" },
  { options: { maxVersion: "TLSv1.2", ciphers: "ECDHE+AES:!AESGCM:!AESCCM" }, protocol: undefined },
  { options: { maxVersion: "TLSv1.2", ciphers: "AESGCM:!ECDHE:!DHE" }, protocol: undefined },
  { options: { minVersion: "TLSv1.1", maxVersion: "TLSv1.1" }, protocol: undefined },
] as const) {
  tlsTest(
    `a client with ${JSON.stringify(options)} gets ${protocol ?? "no connection"}`,
    async ({ url, ca }) => {
      const socket = tlsConnect({ host: "127.0.0.1", port: Number(url.port), ca, ...options });
      const got = await new Promise((resolve) => {
        socket.once("secureConnect", () => resolve(socket.getProtocol()));
        socket.once("error", () => resolve(undefined));
      });
      socket.destroy();
      assert.equal(got, protocol);
    },
  );
}
