import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { findAddon } from "@moneta/native-verifier";
import { startNode } from "../node.ts";
import { readSettings, SettingProblem } from "../settings.ts";
import { freePort } from "../testing/free-port.ts";
import { ServiceProcess } from "../testing/service-process.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { newKey, publicPem, TestNode } from "../testing/test-node.ts";

/** Spellings of /metrics that a proxy may pass on. */
const SPELLINGS = [
  ...["/metrics", "/metrics/", "/metrics?", "/metrics?a=b", "/metrics;a=b", "/metrics%3Fa"],
  ...["/%6Detrics", "/%6d%65trics/", "/%256Detrics", "/metrics%2F", "/metrics%00", "/METRICS"],
  ...["//metrics", "/./metrics", "/x/../metrics", "/%2e/metrics", "/%2Fmetrics", "/\\metrics"],
  ...["http://127.0.0.1/metrics", "http://127.0.0.1:20923/%6Detrics"],
];

test("no spelling of a path and no method leads to /metrics at the public address", async () => {
  await using node = await TestNode.start("--operator-listen", "127.0.0.1:0");
  for (const path of SPELLINGS) {
    for (const method of ["GET", "HEAD", "POST", "OPTIONS", "TRACE"]) {
      const answer = await node.raw(
        `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:20923\r\nConnection: close\r\n\r\n`,
      );
      assert.doesNotMatch(answer, /moneta_height|openmetrics|version=0\.0\.4/, path);
      assert.match(answer, /^HTTP\/1\.1 4\d\d /, `${method} ${path}`);
    }
  }
  const { operatorUrl } = node.running;
  for (const path of ["/metrics", "/metrics/"]) {
    assert.match(await (await fetch(`${operatorUrl}${path}`)).text(), /^moneta_height 0$/m);
  }
  // The status page needs more than the figures.
  for (const path of ["/ready", "/health", "/block"]) {
    assert.equal((await fetch(`${operatorUrl}${path}`)).status, 200, path);
  }
});

/** A node without the flags of tests, closed at the end of the scope. */
async function startWith(...flags: readonly string[]): Promise<AsyncDisposable & { url: string }> {
  const directory = new TemporaryDirectory("operator");
  const data = join(directory.path, "data");
  const settings = readSettings(
    ["--data", data, "--log-level", "silent", "--threads", "1", ...flags],
    {},
  );
  try {
    const node = await startNode(settings, { idleMs: 0 });
    return {
      url: node.operatorUrl ?? "",
      async [Symbol.asyncDispose]() {
        await node.close();
        directory[Symbol.dispose]();
      },
    };
  } catch (thrown) {
    directory[Symbol.dispose]();
    throw thrown;
  }
}

test("the operator's address is on loopback; if it is in use, another port is taken unless it is set", async () => {
  const ports = [await freePort(), await freePort()] as const;
  // Either is the first to have the default port, if it is free on this machine.
  await using first = await startWith("--port", String(ports[0]));
  await using second = await startWith("--port", String(ports[1]));
  assert.notEqual(first.url, second.url);
  for (const { url } of [first, second]) {
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal((await fetch(`${url}/metrics`)).status, 200);
  }

  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const address = `127.0.0.1:${(taken.address() as { port: number }).port}`;
  await assert.rejects(startWith("--port", "0", "--operator-listen", address), (thrown) => {
    assert.ok(thrown instanceof SettingProblem);
    assert.ok(thrown.message.startsWith(`--operator-listen ${address}: `), thrown.message);
    assert.match(thrown.message, /take another port with --operator-listen 127\.0\.0\.1:\d+/);
    return true;
  });
  taken.close();
});

test("what a node prints at its start is for people: no line of a log is among it, on a test deployment no warning of TLS", async () => {
  await using service = await ServiceProcess.start({
    environment: {},
    more: ["--log-level", "info"],
  });
  const lines = service.output().trim().split("\n");
  assert.match(lines[0] ?? "", /^Moneta \d/);
  // A native verifier that is not built is nothing that a first start has to mention.
  const more = findAddon() === undefined ? [] : ["signatures   verified by the native verifier"];
  assert.deepEqual(lines.slice(1, 2 + more.length), [...more, `listening on ${service.url}`]);
  assert.deepEqual(
    lines.filter((line) => /^\{|^TLS/.test(line)),
    [],
  );
});

/** The contents of a directory, with permissions. */
function rights(path: string): readonly string[] {
  return [".", ...readdirSync(path, { recursive: true, encoding: "utf8" })]
    .toSorted()
    .map((name) => {
      const stat = statSync(join(path, name));
      return `${stat.isDirectory() ? "directory" : "file"} ${(stat.mode & 0o777).toString(8)}`;
    });
}

test("files of a node are for its own user alone, also those that were not before", async () => {
  using directory = new TemporaryDirectory("rights");
  const data = join(directory.path, "data");
  const webhooks = JSON.stringify([
    { url: "http://127.0.0.1:9/", secret: `whsec_${Buffer.alloc(32).toString("base64")}` },
  ]);
  const more = ["--webhooks", webhooks];
  const expected = ["directory 700", "file 600"];
  {
    await using service = await ServiceProcess.start({ data, more });
    assert.equal((await fetch(`${service.url}/checkpoint`)).status, 200);
    assert.deepEqual([...new Set(rights(data))].toSorted(), expected);
  }
  for (const name of readdirSync(data, { recursive: true, encoding: "utf8" })) {
    chmodSync(join(data, name), statSync(join(data, name)).isDirectory() ? 0o755 : 0o644);
  }
  chmodSync(data, 0o755);
  await using _service = await ServiceProcess.start({ data, more });
  assert.deepEqual([...new Set(rights(data))].toSorted(), expected);
});

test("a production node without TLS warns at its start", async () => {
  using directory = new TemporaryDirectory("production");
  const genesis = join(directory.path, "genesis.json");
  const treasury = [{ publickey: publicPem(newKey()), amount: "1000" }];
  const coin = { name: "Coin", symbol: "COI", decimal: 2, totalsupply: "1000", treasury };
  writeFileSync(genesis, JSON.stringify({ ledger: "ledger.example/main", coin }));
  const production = ["--deployment", "production", "--genesis", genesis, "--shutdown-grace", "0"];
  await using real = await ServiceProcess.start({ more: production });
  assert.match(real.output(), /^TLS +none here: .*--tls-cert/m);
});

test("accounts §2, protocols §6: not even the fullest log has what a client has written into a path, or the key of a seal that was sent too early, which is in no answer either", async () => {
  await using service = await ServiceProcess.start({ more: ["--log-level", "trace"] });
  const secret = "MHcCAQEEIFakePrivateKey";
  for (const path of [
    `/balance/${secret}`,
    `/address?publickey=${secret}`,
    `/${secret}`,
    `/balance/${secret}%zz`,
    `/block/x?x=${secret}`,
    `/tlog/tile/${secret}`,
  ]) {
    const answer = await fetch(`${service.url}${path}`);
    assert.ok(answer.status >= 400, path);
    await fetch(`${service.url}${path}`, { method: "DELETE" });
  }

  const salt = "9f3c1e0a7b5d2c48";
  const publickey = `bid 4200; salt ${salt}`;
  const seal = {
    ...{ owner: "MTAlice00000000000000000000000005dc33c90", referencekey: "sealed_bid_1" },
    ...{ opendate: "2147483647", keyhash: "0".repeat(64), tkey: "x", signature: "MEQ=" },
  };
  const operations = [{ operation: "mrc020", ...seal, publickey }];
  for (const [path, body] of [
    ["/mrc020", { ...seal, publickey }],
    ["/mrc020", { ...seal, publickey: [publickey] }],
    [`/mrc020?${new URLSearchParams({ publickey })}`, seal],
    ["/batch", { operations }],
    ["/batch?dry=1", { operations }],
  ] as const) {
    const headers = { "Content-Type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const text = await (await fetch(service.url + path, init)).text();
    assert.match(text, /"code":"3005"/);
    assert.match(text, /"parameter":"publickey"/);
    assert.ok(!text.includes(salt), text);
  }
  // The end of the process is the end of its log.
  assert.equal(await service.stop(), 0);
  assert.match(service.output(), /"route":"\/balance\/:address","status":400/);
  assert.match(service.output(), /"route":"\/address","status":405/);
  assert.ok(!service.output().includes(secret), service.output());
  assert.ok(!service.output().includes(salt), service.output());
});
