import assert from "node:assert/strict";
import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ServiceProcess } from "../testing/service-process.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { newKey, publicPem } from "../testing/test-node.ts";

test("what a node prints at its start is for people: no line of a log is among it", async () => {
  await using service = await ServiceProcess.start({
    environment: {},
    more: ["--log-level", "info"],
  });
  const lines = service.output().trim().split("\n");
  assert.match(lines[0] ?? "", /^Moneta \d/);
  assert.match(lines[1] ?? "", /^signatures {3}verified by the (platform|native verifier)/);
  assert.equal(lines[2], `listening on ${service.url}`);
  assert.deepEqual(
    lines.filter((line) => line.startsWith("{")),
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

test("a production node without TLS says so at its start, one for tests does not", async () => {
  using directory = new TemporaryDirectory("production");
  const genesis = join(directory.path, "genesis.json");
  const treasury = [{ publickey: publicPem(newKey()), amount: "1000" }];
  const coin = { name: "Coin", symbol: "COI", decimal: 2, totalsupply: "1000", treasury };
  writeFileSync(genesis, JSON.stringify({ ledger: "ledger.example/main", coin }));
  const production = ["--deployment", "production", "--genesis", genesis, "--shutdown-grace", "0"];
  await using real = await ServiceProcess.start({ more: production });
  assert.match(real.output(), /^TLS +none here: .*--tls-cert/m);
  await using other = await ServiceProcess.start();
  assert.doesNotMatch(other.output(), /^TLS/m);
});

test("not even the fullest log has what a client has written into a path", async () => {
  await using service = await ServiceProcess.start({ more: ["--log-level", "trace"] });
  const secret = "MHcCAQEEIFakePrivateKey";
  for (const path of [
    `/balance/${secret}`,
    `/${secret}`,
    `/balance/${secret}%zz`,
    `/block/x?x=${secret}`,
    `/tlog/tile/${secret}`,
  ]) {
    const answer = await fetch(`${service.url}${path}`);
    assert.ok(answer.status >= 400, path);
    await fetch(`${service.url}${path}`, { method: "DELETE" });
  }
  // The end of the process is the end of its log.
  assert.equal(await service.stop(), 0);
  assert.match(service.output(), /"route":"\/balance\/:address"/);
  assert.ok(!service.output().includes(secret), service.output());
});
