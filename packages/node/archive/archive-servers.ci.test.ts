import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { archive } from "../commands/archive.ts";
import { archiveGet } from "../commands/archive-get.ts";
import { rebuildFromArchive } from "../commands/rebuild-from-archive.ts";
import { outputOf, runInProcess } from "../testing/command-in-process.ts";
import { cleanUpAtExit, ended } from "../testing/exit-cleanup.ts";
import { freePort } from "../testing/free-port.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { parsed, TestNode } from "../testing/test-node.ts";

const NGINX = ["nginx", "/usr/sbin/nginx"].find((name) => spawnSync(name, ["-v"]).status === 0);
const PYTHON = ["python3"].find((name) => spawnSync(name, ["-V"]).status === 0);
const CURL = ["curl"].find((name) => spawnSync(name, ["-V"]).status === 0);
const CHAPTER = new URL("../../../docs/specification/proofs.md", import.meta.url);
/** The worked example of proofs §4. */
const [, EXAMPLE = ""] =
  /^ *```sh\n((?:(?! *```)[^\n]*\n)*)/m.exec(
    readFileSync(CHAPTER, "utf8").split("## 4 Archive")[1] ?? "",
  ) ?? [];

let directory: TemporaryDirectory;
let folder: string;
let node: TestNode;
let key: string;
/** A payment, and the node's responses about it. */
let id: string;
let shown: { readonly transaction: string; readonly proof: string };

before(async () => {
  directory = new TemporaryDirectory("archive-servers");
  folder = join(directory.path, "archive");
  node = await TestNode.start();
  const holder = await node.holder({ coins: 1_000_000n });
  await node.pay(holder, 5n);
  const block = await node.get(`/block/${await node.height()}`);
  id = parsed<{ transaction: { id: string }[] }>(block).transaction[0]?.id ?? "";
  for (let block = 0; block < 5; block += 1) {
    await node.pay(holder, 5n);
  }
  key = (await node.get("/checkpoint/key")).text.trim();
  const height = await node.height();
  await node.get("/checkpoint");
  shown = {
    transaction: (await node.get(`/transaction/${id}`)).text,
    proof: (await node.get(`/transaction/${id}/proof`)).text,
  };
  await outputOf(() => archive(node.data, folder, height + 1));
});
after(async () => {
  await node?.[Symbol.asyncDispose]();
  directory?.[Symbol.dispose]();
});

/** A web server with the archive, which runs until it is disposed. */
async function served(
  command: string,
  args: readonly string[],
  port: number,
): Promise<AsyncDisposable & { readonly url: string }> {
  const child: ChildProcess = spawn(command, args, { stdio: "ignore" });
  const forget = cleanUpAtExit(() => child.kill("SIGKILL"));
  const url = `http://127.0.0.1:${port}`;
  for (let attempts = 0; ; attempts += 1) {
    const isThere = await fetch(`${url}/archive.json`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) {
      break;
    }
    if (attempts === 300 || child.exitCode !== null) {
      child.kill("SIGKILL");
      throw new Error(`${command} does not serve the archive`);
    }
    await delay(100);
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended(child);
      forget();
    },
  };
}

async function servedByPython(): Promise<AsyncDisposable & { readonly url: string }> {
  const port = await freePort();
  const args = ["-m", "http.server", "--bind", "127.0.0.1", "--directory", folder, String(port)];
  return await served(PYTHON as string, args, port);
}

async function servedByNginx(): Promise<AsyncDisposable & { readonly url: string }> {
  const port = await freePort();
  const path = join(directory.path, "nginx");
  mkdirSync(path, { recursive: true });
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${path};`,
  );
  // Another user could not read the folder of a test.
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const config = `${user} daemon off; pid ${path}/pid; error_log ${path}/error.log;
    events {}
    http { access_log off; ${temporary.join(" ")}
      server { listen 127.0.0.1:${port}; root ${folder}; } }`;
  writeFileSync(join(path, "nginx.conf"), config);
  return await served(
    NGINX as string,
    ["-p", path, "-c", join(path, "nginx.conf"), "-e", join(path, "error.log")],
    port,
  );
}

/** Reads the node's responses from an archive alone. */
async function assertServes(from: string): Promise<void> {
  const found = await outputOf(() => archiveGet(from, id, [key]));
  const { transaction, proof } = JSON.parse(found);
  assert.deepEqual(transaction, JSON.parse(shown.transaction));
  assert.deepEqual(proof, JSON.parse(shown.proof));
}

for (const { server, start, missing } of [
  { server: "python3 -m http.server, without ranges", start: servedByPython, missing: PYTHON },
  { server: "nginx", start: servedByNginx, missing: NGINX },
]) {
  const skip = missing === undefined ? "it is not installed" : false;
  test(`an archive is served by ${server}`, { skip }, async () => {
    await using archived = await start();
    await assertServes(archived.url);
    const path = join(directory.path, `rebuilt-${server.slice(0, 5)}`);
    await outputOf(() => rebuildFromArchive(path, archived.url, [key]));
  });
}

test("a node made from an archive takes later blocks from another node, and writes none itself", async () => {
  const path = join(directory.path, "follower");
  await outputOf(() => rebuildFromArchive(path, folder, []));
  const alone = await runInProcess("serve", "--data", path, "--port", "0");
  assert.equal(alone.exitCode, 75, alone.output);
  assert.match(alone.output, /has the blocks of the archive .*--log URL/);
  await node.pay(await node.holder(), 5n);
  const height = await node.height();
  await using follower = await TestNode.start("--data", path, "--log", node.url);
  const since = { "Ledger-Height-Min": String(height) };
  const { text } = await follower.get(`/block/${height}`, since);
  assert.equal(text, (await node.get(`/block/${height}`)).text);
});

test("a missing transaction and a changed one are reported", async () => {
  const other = `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`;
  await assert.rejects(archiveGet(folder, other, []), /and no 0/);
  await assert.rejects(
    archiveGet(folder, "x", []),
    /x must be the id of a transaction, block or group/,
  );
});

const skip = NGINX === undefined || CURL === undefined ? "no nginx or no curl" : false;
test("proofs §4: the worked example", { skip }, async () => {
  await using archived = await servedByNginx();
  const output = execFileSync("sh", ["-euc", EXAMPLE], {
    env: { ...process.env, ARCHIVE: archived.url, ID: id },
    encoding: "utf8",
  });
  const { record, operation } = JSON.parse(output);
  const { transaction, proof } = {
    transaction: JSON.parse(shown.transaction),
    proof: JSON.parse(shown.proof),
  };
  assert.deepEqual(operation, proof.operation);
  assert.equal(record.type, transaction.type);
  assert.deepEqual(record.effects, transaction.effects);
});
