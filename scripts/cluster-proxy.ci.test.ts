// deploy/cluster/haproxy.cfg in front of a real node: nothing of it is changed but ports and names.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { EventStream } from "../packages/node/testing/event-stream.ts";
import { cleanUpAtExit, ended } from "../packages/node/testing/exit-cleanup.ts";
import { freePort } from "../packages/node/testing/free-port.ts";
import { ServiceProcess } from "../packages/node/testing/service-process.ts";
import { TemporaryDirectory } from "../packages/node/testing/temporary-directory.ts";
import { until } from "../packages/node/testing/until.ts";

const CONFIGURATION = fileURLToPath(new URL("../deploy/cluster/haproxy.cfg", import.meta.url));
const STARTED_WITHIN_MS = 120_000;

// Debian has it where only root looks.
const haproxy = ["haproxy", "/usr/sbin/haproxy"].find(
  (command) => spawnSync(command, ["-v"]).error === undefined,
);
const skip = haproxy === undefined ? "not on this machine: haproxy" : false;

/** A usual hard limit: HAProxy needs two descriptors a connection, and does not start with fewer. */
const DESCRIPTORS = 20_000;

/**
 * The configuration with the first node of three at another URL. Only `timeout http-request` ends
 * slow heads, and it does so soon.
 */
function configuration(port: number, node: string): string {
  return readFileSync(CONFIGURATION, "utf8")
    .replace("timeout http-request 20s", "timeout http-request 1s")
    .replace("timeout client 60s", "timeout client 1h")
    .replace("bind :20922", `bind 127.0.0.1:${port}`)
    .replace(/^resolvers names\n( .*\n)+/m, "")
    .replace(" resolvers names init-addr last,libc,none", "")
    .replace("node1:20922", new URL(node).host)
    .replaceAll(/^ *server node[23] .*\n/gm, "");
}

/** HAProxy: `await using proxy = await HaProxy.before(service)`. */
class HaProxy implements AsyncDisposable {
  readonly url: string;
  log = "";
  readonly #stop: () => Promise<void>;

  private constructor(url: string, stop: () => Promise<void>) {
    this.url = url;
    this.#stop = stop;
  }

  static async before(service: ServiceProcess): Promise<HaProxy> {
    const directory = new TemporaryDirectory("haproxy");
    const port = await freePort();
    const file = join(directory.path, "haproxy.cfg");
    writeFileSync(file, configuration(port, service.url));
    const limited = `ulimit -n ${DESCRIPTORS} && exec "$0" "$@"`;
    const child = spawn("bash", ["-c", limited, haproxy as string, "-f", file], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const forget = cleanUpAtExit(() => child.kill("SIGKILL"));
    const proxy = new HaProxy(`http://127.0.0.1:${port}`, async () => {
      child.kill("SIGTERM");
      await ended(child);
      forget();
      directory[Symbol.dispose]();
    });
    for (const output of [child.stdout, child.stderr]) {
      output.on("data", (part) => {
        proxy.log += part;
      });
    }
    const deadline = performance.now() + STARTED_WITHIN_MS;
    // 503 until it has seen that the node is ready.
    while ((await fetch(`${proxy.url}/health`).catch(() => undefined))?.status !== 200) {
      if (child.exitCode !== null || performance.now() > deadline) {
        await proxy[Symbol.asyncDispose]();
        throw new Error(`haproxy does not answer\n${proxy.log}`);
      }
      await delay(50);
    }
    return proxy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }
}

test("the proxy of a cluster passes on what nodes take, has no /metrics, ends slow heads, and logs no queries", {
  skip,
}, async () => {
  const more = ["--trust-proxy", "1", "--operator-listen", "127.0.0.1:0"];
  await using service = await ServiceProcess.start({ more });
  await using proxy = await HaProxy.before(service);

  // Every documented maximum fits into a query.
  const query = `memo=${"a".repeat(500_000)}`;
  const large = new URLSearchParams({ memo: "b".repeat(4_000_000) });
  for (const [path, body] of [
    [`/transfer?${query}`, ""],
    ["/transfer", large],
  ] as const) {
    assert.match(await answerOfNode(proxy.url + path, body), /"code":"1000"/);
  }

  const host = new URL(proxy.url).host;
  for (const path of [
    "/metrics",
    "/metrics/",
    "/%6Detrics",
    "//metrics",
    "/./metrics",
    "/metrics;a",
  ]) {
    const answer = await sent(proxy.url, `GET ${path} HTTP/1.0\r\nHost: ${host}\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 404 /, path);
  }
  for (const slow of ["", "GET /health HTTP/1.1\r\n", "GET /health HTTP/1.1\r\nHost: x\r\nA: b"]) {
    assert.match(await sent(proxy.url, slow), /^HTTP\/1\.1 408 /, slow);
  }
  await connectionsOfOneClient(proxy.url);
  using stream = await EventStream.open(proxy.url);
  assert.equal(stream.headers["content-type"], "text/event-stream");

  await until(
    () => /POST \/transfer$/m.test(proxy.log),
    () => proxy.log.slice(-1000),
  );
  assert.doesNotMatch(proxy.log, /aaaa/);
});

/** Sends bytes, and returns the response until the proxy closes the connection. */
async function sent(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.setTimeout(STARTED_WITHIN_MS, () => socket.destroy(new Error("not closed")));
  socket.write(bytes);
  let text = "";
  for await (const part of socket.setEncoding("utf8")) {
    text += part;
  }
  return text;
}

/** Opens 101 connections: the proxy closes some, and has room again afterwards. */
async function connectionsOfOneClient(url: string): Promise<void> {
  const sockets = Array.from({ length: 101 }, () =>
    connect(Number(new URL(url).port), "127.0.0.1"),
  );
  await new Promise((resolve) => {
    for (const socket of sockets) {
      socket.on("error", resolve).on("close", resolve);
    }
  });
  for (const socket of sockets) {
    socket.destroy();
  }
  await until(
    async () => (await fetch(`${url}/health`).catch(() => undefined))?.status === 200,
    "the client has room again",
  );
}

/**
 * Repeats a POST until the node responds: the proxy treats a node that is busy for some seconds as
 * down.
 */
async function answerOfNode(url: string, body: string | URLSearchParams): Promise<string> {
  return await until(async () => {
    const response = await fetch(url, { method: "POST", body });
    const text = await response.text();
    return response.status !== 503 && text;
  });
}
