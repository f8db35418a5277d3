// deploy/cluster/haproxy.cfg in front of a real node: nothing of it is changed but ports and names.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { EventStream } from "../packages/node/testing/event-stream.ts";
import { cleanUpAtExit } from "../packages/node/testing/exit-cleanup.ts";
import { freePort } from "../packages/node/testing/free-port.ts";
import { ServiceProcess } from "../packages/node/testing/service-process.ts";
import { TemporaryDirectory } from "../packages/node/testing/temporary-directory.ts";

const CONFIGURATION = fileURLToPath(new URL("../deploy/cluster/haproxy.cfg", import.meta.url));
const STARTED_WITHIN_MS = 120_000;

// Debian has it where only root looks.
const haproxy = ["haproxy", "/usr/sbin/haproxy"].find(
  (command) => spawnSync(command, ["-v"]).error === undefined,
);
const skip = haproxy === undefined ? "not on this machine: haproxy" : false;

/** The configuration with the first node of three at another URL, and fewer connections. */
function configuration(port: number, node: string): string {
  return readFileSync(CONFIGURATION, "utf8")
    .replace("maxconn 20000", "maxconn 200")
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
    const child = spawn(haproxy as string, ["-f", file], { stdio: ["ignore", "pipe", "pipe"] });
    const ended = once(child, "exit");
    const forget = cleanUpAtExit(() => child.kill("SIGKILL"));
    const proxy = new HaProxy(`http://127.0.0.1:${port}`, async () => {
      child.kill("SIGTERM");
      await ended;
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

test("the proxy of a cluster passes on what nodes take, closes /metrics, and logs no queries", {
  skip,
}, async () => {
  await using service = await ServiceProcess.start({ more: ["--trust-proxy", "1"] });
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

  for (const path of ["/metrics", "/metrics/"]) {
    assert.equal((await fetch(proxy.url + path)).status, 403, path);
  }
  using stream = await EventStream.open(proxy.url);
  assert.equal(stream.headers["content-type"], "text/event-stream");

  for (const end = Date.now() + STARTED_WITHIN_MS; !/POST \/transfer$/m.test(proxy.log); ) {
    assert.ok(Date.now() < end, proxy.log.slice(-1000));
    await delay(20);
  }
  assert.doesNotMatch(proxy.log, /aaaa/);
});

/** Posts until the node answers: one that is busy for some seconds the proxy holds for down. */
async function answerOfNode(url: string, body: string | URLSearchParams): Promise<string> {
  for (const end = Date.now() + STARTED_WITHIN_MS; ; await delay(100)) {
    const response = await fetch(url, { method: "POST", body });
    const text = await response.text();
    if (response.status !== 503 || Date.now() > end) {
      return text;
    }
  }
}
