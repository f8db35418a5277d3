import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { readFileSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type RequestOptions, request as tlsRequest } from "node:https";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { TLSSocket, connect as tlsConnect } from "node:tls";
import { DROP_REASONS } from "./events/event-streams.ts";
import { tlsServer } from "./http/servers.ts";
import { readSettings } from "./settings.ts";
import { EventStream } from "./testing/event-stream.ts";
import { TemporaryDirectory } from "./testing/temporary-directory.ts";
import {
  type Answered,
  newKey,
  type Params,
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

/** Resolves once a port has no listener. */
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

for (const flags of [
  ["--queue-max", "2"],
  ["--queue-bytes-max", "1024"],
]) {
  test(`writes beyond ${flags[0]} are 503 9002 with Retry-After, and nothing of them is written`, async () => {
    await using node = await TestNode.start(...flags);
    const from = await node.holder({ coins: 1000n });
    const to = await node.holder();
    const all = await node.transfers(from, to, Array(40).fill(1));
    const answers = await Promise.all(all.map((params) => node.post("/transfer", params)));
    const refused = answers.filter(({ status }) => status !== 200);
    assert.ok(refused.length > 0);
    for (const answer of refused) {
      assert.equal(summaryOf(answer), "503 9002");
      assert.ok(Number(answer.headers.get("retry-after")) > 0);
    }
    assert.deepEqual(await node.balances(to), [`0: ${all.length - refused.length}`]);
    const again = all[answers.findIndex(({ status }) => status !== 200)] ?? {};
    assert.equal(summaryOf(await node.post("/transfer", again)), "200");
  });
}

test("chain §2.2: no block takes more operations than --block-bytes-max, but one of any size", async () => {
  await using node = await TestNode.start("--block-bytes-max", "1024");
  const from = await node.holder({ coins: 1000n });
  const to = await node.holder();
  const all: Params[] = await node.transfers(from, to, Array(30).fill(1));
  all[7] = { ...all[7], memo: "m".repeat(2000) };
  const answers = await Promise.all(all.map((params) => node.post("/transfer", params)));
  assert.deepEqual(new Set(answers.map(summaryOf)), new Set(["200"]));
  for (let height = 1; height <= (await node.height()); height += 1) {
    const block = parsed<{ operations: object[] }>(await node.get(`/block/${height}/raw`));
    const sizes = block.operations.map((operation) => JSON.stringify(operation).length);
    const sum = sizes.reduce((total, size) => total + size, 0);
    assert.ok(sizes.length === 1 || sum <= 1024, `block ${height} has ${sum}`);
  }
});

test("accounts §4: too many addresses or requests of one client: 429 9001 with Retry-After; unknown paths count, with any method", async () => {
  await using node = await TestNode.start("--rate-limit", "10", "--address-rate-limit", "3");
  let asked = 0;
  const ask = async (path: string, method = "GET", body?: URLSearchParams): Promise<Answered> => {
    asked += 1;
    // Without a proxy the header names no other client.
    const headers = { "X-Forwarded-For": `192.0.2.${asked}` };
    return await node.request(path, { method, headers, ...(body && { body }) });
  };
  const key = new URLSearchParams({ publickey: PUBLIC_KEY });
  for (let time = 0; time < 3; time += 1) {
    assert.equal(summaryOf(await ask("/address", "POST", key)), "200");
  }
  const refused = await ask("/address", "POST", key);
  assert.equal(summaryOf(refused), "429 9001");
  const wait = Number(refused.headers.get("retry-after"));
  assert.ok(wait >= 1 && wait <= 60, String(wait));
  assert.ok(refused.headers.has("ledger-height"));
  assert.equal(summaryOf(await ask("/address/bykey", "POST", key)), "200");
  assert.equal(summaryOf(await ask("/block")), "200");
  for (const method of ["GET", "POST", "PROPFIND", "GET", "PROPFIND", "POST"]) {
    const answer = summaryOf(await ask("/nothing", method));
    assert.equal(answer, asked <= 10 ? "404 9404" : "429 9001");
  }
  assert.equal(summaryOf(await ask("/block")), "429 9001");
});

test("--trust-proxy 2 trusts two addresses at the end of X-Forwarded-For, and none before", async () => {
  await using node = await TestNode.start("--rate-limit", "2", "--trust-proxy", "2");
  for (const [addresses, answer] of [
    ["192.0.2.7, 192.0.2.1", "200"],
    ["192.0.2.7, 192.0.2.2", "200"],
    ["192.0.2.7, 192.0.2.1", "429 9001"],
    ["203.0.113.1, 192.0.2.7, 192.0.2.1", "429 9001"],
    ["192.0.2.8, 192.0.2.1", "200"],
  ] as const) {
    const answered = summaryOf(await node.get("/block", { "X-Forwarded-For": addresses }));
    assert.equal(answered, answer, addresses);
  }
});

test("/health, /ready, /metrics, and ids of requests", async (t) => {
  await using node = await TestNode.start("--queue-max", "77", "--event-streams-max", "5");
  const first = (await node.get("/metrics")).text;
  await t.test(
    "/metrics has counters from the start, so that the first count is an increase",
    () => {
      for (const outcome of ["done", "repeat", "refused"]) {
        assert.ok(first.includes(`moneta_operations_total{outcome="${outcome}"} 0\n`), outcome);
        assert.ok(first.includes(`moneta_groups_total{outcome="${outcome}"} 0\n`), outcome);
      }
      for (const reason of DROP_REASONS) {
        const counter = `moneta_event_streams_dropped_total{reason="${reason}"} 0\n`;
        assert.ok(first.includes(counter), reason);
      }
    },
  );
  await t.test("/health is up, /ready has the height", async () => {
    assert.deepEqual(parsed(await node.get("/health")), { status: "up" });
    assert.deepEqual(parsed(await node.get("/ready")), {
      status: "ready",
      height: 0,
      writes: "accepted",
    });
    assert.equal(summaryOf(await node.get("/ready?for=writes")), "200");
    for (const query of ["for=wirtes", "for=", "for=writes&for=reads"]) {
      const answer = await node.get(`/ready?${query}`);
      assert.equal(summaryOf(answer), "400 3005 for", query);
      assert.match(parsed<ProblemBody>(answer).detail, /must be "writes" or left out/);
    }
  });
  await t.test("a request has an id, its own if harmless", async () => {
    const given = await node.get("/nothing", { "X-Request-Id": "my-id.1" });
    assert.equal(given.headers.get("x-request-id"), "my-id.1");
    for (const id of ["a b", "x".repeat(65), "<script>", "é"]) {
      const answer = await node.get("/nothing", { "X-Request-Id": id });
      assert.notEqual(answer.headers.get("x-request-id"), id);
      assert.ok(answer.headers.get("x-request-id"));
    }
  });
  await t.test("a checkpoint is signed on request and not with each block", async () => {
    assert.equal(await node.metric("moneta_checkpoint_transactions"), 0);
    await node.holder();
    assert.equal(await node.metric("moneta_checkpoint_transactions"), 0);
    await node.get("/checkpoint");
    assert.equal(await node.metric("moneta_checkpoint_transactions"), 4);
    await node.restart();
    assert.equal(await node.metric("moneta_checkpoint_transactions"), 4);
  });
  await t.test(
    "/metrics counts requests by route, operations by outcome, and shows queue, blocks and height",
    async () => {
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
      assert.match(response.headers.get("content-type") ?? "", /^text\/plain; version=/);
      const { text } = response;
      const value = (line: RegExp): number => Number(line.exec(text)?.[1]);
      assert.equal(value(/^moneta_operations_total\{outcome="done"\} (\d+)$/m), 3);
      assert.equal(value(/^moneta_operations_total\{outcome="refused"\} (\d+)$/m), 1);
      assert.equal(value(/^moneta_height (\d+)$/m), 4);
      assert.equal(value(/^moneta_queue_length (\d+)$/m), 0);
      assert.equal(value(/^moneta_block_operations_count(?:\{\})? (\d+)$/m), 3);
      assert.equal(value(/^moneta_block_sync_seconds_count(?:\{\})? (\d+)$/m), 3);
      const transfers = /moneta_http_request_duration_seconds_count\{.*route="\/transfer".*/;
      assert.match(text, new RegExp(`${transfers.source}status="200".*\\} 3\n`));
      assert.match(text, new RegExp(`${transfers.source}status="400".*\\} 1\n`));
      assert.match(text, /route="\/balance\/:address"/);
      assert.doesNotMatch(text, /at\/all/);
      assert.match(text, /^process_cpu_seconds_total/m);
    },
  );
  await t.test(
    "/metrics has the age of the newest block, the free space, and the limits",
    async () => {
      assert.equal(await node.metric("moneta_newest_block_timestamp_seconds"), START);
      const transactions = await node.metric("moneta_transactions");
      node.now += 60;
      await node.holder();
      assert.equal(await node.metric("moneta_newest_block_timestamp_seconds"), START + 60);
      assert.equal(await node.metric("moneta_transactions"), transactions + 1);
      assert.equal(await node.metric("moneta_queue_limit"), 77);
      assert.equal(await node.metric("moneta_event_streams_limit"), 5);
      const { bavail, blocks, bsize } = statfsSync(node.data);
      const free = await node.metric("moneta_disk_free_bytes");
      assert.ok(Math.abs(free - bavail * bsize) < 2 ** 30, `${free} bytes, others write meanwhile`);
      assert.equal(await node.metric("moneta_disk_size_bytes"), blocks * bsize);
      const { text } = await node.get("/metrics");
      const bytes = (file: string): number =>
        Number(
          new RegExp(`^moneta_ledger_file_bytes\\{file="${file}"\\} (\\d+)$`, "m").exec(text)?.[1],
        );
      assert.equal(bytes("ledger.db"), statSync(join(node.data, "ledger.db")).size);
      assert.ok(bytes("ledger.db-wal") > 0);
      assert.match(
        text,
        /^moneta_info\{version="[^"]+",ledger="localhost\/test",deployment="test",verifier="(platform|native)"\} 1$/m,
      );
    },
  );
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

/** Runs a test with a folder that has a certificate and its key, or skips it loudly. */
function certificateTest(
  name: string,
  run: (
    made: Certificate & { readonly folder: string; readonly flags: readonly string[] },
  ) => Promise<void>,
): void {
  test(name, async (t) => {
    using directory = new TemporaryDirectory("tls");
    const made = certificate(directory.path);
    if (made === undefined) {
      t.skip("NO OPENSSL COMMAND: TLS is not tested");
      return;
    }
    const { cert, key } = made;
    const flags = ["--tls-cert", cert, "--tls-key", key, "--tls-port", "0"];
    await run({ ...made, folder: directory.path, flags });
  });
}

function tlsUrl(node: TestNode): URL {
  return new URL(node.running.urls[1] as string);
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

certificateTest(
  "connections that are no request under way count on the port of HTTPS, and the longest idle ones of a client go",
  async ({ flags }) => {
    const limits = ["--connections-per-client-max", "3", "--operator-listen", "127.0.0.1:0"];
    await using node = await TestNode.start(...flags, ...limits);
    const port = Number(tlsUrl(node).port);
    const metrics = async (): Promise<string> =>
      await (await fetch(`${node.running.operatorUrl}/metrics`)).text();
    for (let count = 0; count < 6; count += 1) {
      const plain = connect(port, "127.0.0.1").on("error", () => undefined);
      const closed = once(plain, "close");
      plain.resume().write("GET /block HTTP/1.1\r\nHost: x\r\n\r\n");
      await closed;
    }
    assert.match(await metrics(), /^moneta_connections 0$/m, "plain HTTP leaves no connection");
    assert.match(await metrics(), /^moneta_connections_refused_total\{reason="client"\} 0$/m);
    const sockets: Socket[] = [];
    for (const { what, open } of IDLE_ON_TLS) {
      for (let count = 0; count < 3; count += 1) {
        const longest = sockets.at(-3);
        const isClosed = longest && once(longest, "close");
        const socket = open(port).on("error", () => undefined);
        sockets.push(socket);
        await once(socket, socket instanceof TLSSocket ? "secureConnect" : "connect");
        await isClosed;
      }
      const open3 = sockets.map(({ destroyed }) => !destroyed);
      assert.deepEqual(open3, [...open3.slice(3).map(() => false), true, true, true], what);
      assert.match(await metrics(), /^moneta_connections 3$/m, what);
    }
    assert.equal(summaryOf(await node.get("/block")), "200"); // in the place of another
    assert.match(await metrics(), /^moneta_connections 3$/m);
    for (const socket of sockets) {
      socket.destroy();
    }
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
    const app = { server: createServer(), routing: () => undefined };
    for (const { flags, says } of [
      { flags: { cert: key, key }, says: `--tls-cert ${key} is no certificate in PEM` },
      { flags: { cert, key: cert }, says: `--tls-key ${cert} is no private key in PEM` },
      { flags: { cert, key: other }, says: `--tls-key ${other} is not the key of the certificate` },
      { flags: { cert, key: encrypted }, says: `--tls-key ${encrypted} is encrypted: ` },
      { flags: { cert, key: older }, says: `--tls-key ${older} is encrypted: ` },
      { flags: { cert, key: garbage }, says: `--tls-key ${garbage} is encrypted: ` },
      { flags: { cert: encrypted, key }, says: `--tls-cert ${encrypted} is no certificate in PEM` },
    ]) {
      const args = ["--data", folder, "--tls-cert", flags.cert, "--tls-key", flags.key];
      assert.throws(
        () => tlsServer(app, readSettings(args, {})),
        ({ name, message }: Error) => name === "SettingProblem" && message.startsWith(says),
      );
    }
    await assert.rejects(TestNode.start("--tls-cert", key, "--tls-key", key, "--tls-port", "0"), {
      message: `--tls-cert ${key} is no certificate in PEM`,
    });
    const start = TestNode.start("--faucet-key", encrypted);
    await assert.rejects(start, { message: /^--faucet-key .*encrypted\.pem is encrypted: / });
  },
);

certificateTest(
  "a host of two addresses is answered at both, by HTTP and HTTPS, also what is under way at a shutdown",
  async ({ flags }) => {
    const hasIpv6 = Object.values(networkInterfaces()).some((each) =>
      each?.some(({ address }) => address === "::1"),
    );
    const addresses = ["127.0.0.1", hasIpv6 ? "::1" : "127.0.0.2"];
    // A name may have addresses that this machine lacks.
    const addressesOf = async () => ["203.0.113.1", ...addresses];
    await using node = await TestNode.with(
      { addressesOf, idleMs: 2000 },
      "--host",
      "localhost",
      ...flags,
    );
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
  },
);

certificateTest(
  "HTTPS on a port of its own answers what HTTP does; a shutdown under load of both answers all accepted writes, does nothing unanswered, and ends streams and idle connections",
  async ({ cert, flags }) => {
    await using node = await TestNode.start(...flags, "--shutdown-seconds", "600");
    const url = tlsUrl(node);
    const ca = readFileSync(cert);
    assert.equal(url.protocol, "https:");
    assert.notEqual(url.port, new URL(node.url).port);
    const send = (path: string, params?: Params): Promise<Answered> =>
      sendTls(url, ca, path, params);

    assert.equal((await send("/block/0")).text, (await node.get("/block/0")).text);
    const from = await node.holder({ coins: 1000n });
    const params = await node.transfer(from, { to: node.treasury.address, amount: "5" });
    const id = transactionIdOf(await send("/transfer", params));
    assert.equal(transactionIdOf(await node.post("/transfer", params)), id);
    const memo = "m".repeat(400 * 1024);
    assert.equal(summaryOf(await send(`/address/x?memo=${memo}`)), "400 3190 address");

    const name = "strict-transport-security";
    const missing = await send("/nothing");
    assert.equal(summaryOf(missing), "404 9404");
    assert.equal(missing.headers.get(name), "max-age=31536000");
    assert.equal((await send("/block")).headers.get(name), "max-age=31536000");
    assert.equal((await node.get("/block")).headers.get(name), null);

    for (const { options, protocol } of [
      { options: { maxVersion: "TLSv1.2", ciphers: "ECDHE+AESGCM" }, protocol: "TLSv1.2" },
      { options: { minVersion: "TLSv1.3" }, protocol: "TLSv1.3" },
      { options: { maxVersion: "TLSv1.2", ciphers: "ECDHE+AES:!AESGCM:!AESCCM" } },
      { options: { maxVersion: "TLSv1.2", ciphers: "AESGCM:!ECDHE:!DHE" } },
      { options: { minVersion: "TLSv1.1", maxVersion: "TLSv1.1" } },
    ] as const) {
      const socket = tlsConnect({ host: "127.0.0.1", port: Number(url.port), ca, ...options });
      const got = await new Promise((resolve) => {
        socket.once("secureConnect", () => resolve(socket.getProtocol()));
        socket.once("error", () => resolve(undefined));
      });
      socket.destroy();
      assert.equal(got, protocol, JSON.stringify(options));
    }

    using stream = await EventStream.open(url.origin);
    const to = await node.holder();
    assert.equal(JSON.parse((await stream.nextTransaction()).data).address, to.address);
    const idle = tlsConnect({ host: "127.0.0.1", port: Number(url.port), ca });
    idle.on("error", () => undefined).write("GET /block HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(idle, "data");
    const closed = once(idle, "close");

    const all = await node.transfers(from, to, Array(200).fill(1));
    const answers = all.map((params, index) =>
      index % 2 === 0 ? send("/transfer", params) : node.post("/transfer", params),
    );
    const outcomes = answers.map(outcome);
    await Promise.race(answers);
    await node.stop();
    await closed;
    while ((await stream.nextOrEnd()) !== undefined) {}
    const settled = await Promise.all(outcomes);
    for (const each of settled) {
      assert.match(each, /^(200|503 9002|refused)$/);
    }
    const accepted = settled.filter((each) => each === "200").length;
    assert.ok(accepted > 0);
    await node.resume();
    assert.deepEqual(await node.balances(to), [`0: ${accepted}`]);
    for (const [index, params] of all.entries()) {
      if (settled[index] === "200") {
        assert.equal(summaryOf(await node.post("/transfer", params)), "200");
      }
    }
    assert.deepEqual(await node.balances(to), [`0: ${accepted}`]);
  },
);

/** A form if there are parameters. */
function sendTls(url: URL, ca: Buffer, path: string, params?: Params): Promise<Answered> {
  const form: RequestOptions = {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  };
  return new Promise((resolve, reject) => {
    const request = tlsRequest(
      new URL(path, url),
      { ca, timeout: 120_000, ...(params && form) },
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
    request.end(params && String(new URLSearchParams(params)));
  });
}
