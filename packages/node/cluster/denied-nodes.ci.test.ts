import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { someCases } from "../../ledger/testing/lane.ts";
import { outputOf, runInProcess } from "../testing/command-in-process.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { ServiceProcess } from "../testing/service-process.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { newKey, publicPem, TestNode } from "../testing/test-node.ts";
import { until } from "../testing/until.ts";

// Nodes that PostgreSQL does not let in, which no waiting mends. Source: cluster §2.

const SECRET = "s3cr3t";
const WRONG = "s3cr3x";

let engine: PostgresServer;
before(async () => {
  engine = await PostgresServer.start({ password: SECRET });
  for (const sql of [
    `CREATE ROLE moneta LOGIN PASSWORD '${SECRET}'`,
    `CREATE ROLE outsider LOGIN PASSWORD '${SECRET}'`,
    "CREATE DATABASE moneta OWNER moneta",
    "REVOKE CONNECT ON DATABASE moneta FROM PUBLIC",
  ]) {
    await engine.sql(sql);
  }
});
after(() => engine[Symbol.asyncDispose]());

const logAt = (role: string, database = "moneta"): string =>
  `postgres://${role}@127.0.0.1:${engine.port}/${database}`;

const REFUSALS = [
  ["a wrong password", () => logAt(`moneta:${WRONG}`), /password authentication failed .*28P01/],
  ["no password", () => logAt("moneta"), /it asks for a password, and none is given/],
  ["no such role", () => logAt(`nobody:${WRONG}`), /password authentication failed .*28P01/],
  ["no such database", () => logAt(`moneta:${SECRET}`, "none"), /"none" does not exist .3D000/, 75],
  ["no right to connect", () => logAt(`outsider:${SECRET}`), /permission denied for .*42501/],
] as const;
for (const [what, log, refusal, code = 2] of someCases(REFUSALS)) {
  test(`a first start with ${what} ends with ${code} and one sentence that names the setting and no password`, async () => {
    using directory = new TemporaryDirectory("denied");
    const { exitCode, output } = await runInProcess(
      ...["serve", "--data", directory.path, "--port", "0", "--log", log()],
    );
    assert.equal(exitCode, code, output);
    const [line = "", ...more] = output.trim().split("\n");
    assert.deepEqual(more, []);
    assert.match(line, /^moneta: --log postgres:.* does not let this node in/);
    assert.match(line, refusal);
    assert.match(line, /--log-password-file/);
    assert.ok(!output.includes(SECRET) && !output.includes(WRONG));
  });
}

test("a server that lets in encrypted connections alone says how, and the way is kept where a command is given", async (t) => {
  await using encrypted = await PostgresServer.start({ password: SECRET });
  using directory = new TemporaryDirectory("encrypted");
  const authority = join(directory.path, "ca.pem");
  if (!(await encrypt(encrypted, authority))) {
    t.skip("NO OPENSSL COMMAND: TLS to PostgreSQL is not tested");
    return;
  }
  const data = join(directory.path, "data");
  const { exitCode, output } = await runInProcess(
    ...["serve", "--data", data, "--port", "0", "--log", encrypted.url],
  );
  assert.equal(exitCode, 2, output);
  assert.match(output, /28000.* alone, add \?sslmode=verify-full to the URL/);
  const query = `?sslmode=verify-full&sslrootcert=${authority}`;
  const more = ["--log", `${encrypted.url}${query}`];
  await outputOf(["serve", "--data", data, "--port", "0", ...more]);
  const shown = `postgres://postgres@127.0.0.1:${encrypted.port}/postgres${query}`;
  assert.equal(readFileSync(join(data, "log-source"), "utf8"), `${shown}\n`);
  const alone = await runInProcess("serve", "--data", data, "--port", "0");
  assert.ok(alone.output.includes(`give --log '${shown}'.`), alone.output);
});

/**
 * Configures a server to accept encrypted connections only. False if there is no openssl command.
 */
async function encrypt(server: PostgresServer, authority: string): Promise<boolean> {
  const [cert, key] = [join(server.data, "server.crt"), join(server.data, "server.key")];
  if (spawnSync("openssl", ["version"]).error !== undefined) {
    return false;
  }
  // biome-ignore format: an option and its value belong together
  execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
    "-nodes", "-keyout", key, "-out", cert, "-days", "1", "-subj", "/CN=localhost",
    "-addext", "subjectAltName=IP:127.0.0.1"], { stdio: "pipe" });
  copyFileSync(cert, authority);
  const { uid, gid } = statSync(server.data);
  for (const file of [cert, key]) {
    chownSync(file, uid, gid);
    chmodSync(file, 0o600);
  }
  writeFileSync(join(server.data, "pg_hba.conf"), "hostssl all all all scram-sha-256\n");
  server.configure({ ssl: "on" });
  await server.reload();
  return true;
}

test("a role that may not use the tables ends a first start with 2 as well", async () => {
  await engine.sql("GRANT CONNECT ON DATABASE moneta TO outsider");
  await using node = await TestNode.start("--log", logAt(`moneta:${SECRET}`));
  assert.equal((await create(node)).status, 200);
  using directory = new TemporaryDirectory("denied");
  const { exitCode, output } = await runInProcess(
    ...["serve", "--data", directory.path, "--port", "0", "--log", logAt(`outsider:${SECRET}`)],
  );
  assert.equal(exitCode, 2, output);
  assert.match(
    output,
    /^moneta: the log's user may not make or use the tables of the schema moneta/m,
  );
});

test("a genesis file that is not there ends a start at once, although no engine can be reached", async () => {
  using directory = new TemporaryDirectory("denied");
  const { exitCode, output } = await runInProcess(
    ...["serve", "--data", directory.path, "--port", "0", "--genesis", "nowhere.json"],
    ...["--log", "postgres://moneta@127.0.0.1:1/moneta"],
  );
  assert.equal(exitCode, 2, output);
  assert.match(output, /^moneta: --genesis nowhere.json is not there/m);
});

test("a host that does not let a first node in is waited with while another host is away", async () => {
  const hosts = `127.0.0.1:1,127.0.0.1:${engine.port}`;
  const log = `postgres://moneta:${WRONG}@${hosts}/moneta`;
  const why = /password authentication failed for .*waiting for the log/;
  await ServiceProcess.waits(why, { more: ["--log", log] });
});

test("while a node runs, and when it starts again, it waits for a password that is right again", async () => {
  using directory = new TemporaryDirectory("rotated");
  const more = ["--log", logAt(`moneta:${SECRET}`), "--write-seconds", "5"];
  const options = { data: directory.path, more };
  await using first = await ServiceProcess.start(options);
  await until(async () => (await create(first)).status === 200);
  await engine.sql(`ALTER ROLE moneta PASSWORD '${WRONG}'`);
  await engine.sql(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'moneta'",
  );
  await until(async () => (await create(first)).status === 503);
  await until(async () => first.output().includes("password authentication failed"));
  const get = async (node: ServiceProcess, path: string): Promise<number> =>
    (await fetch(node.url + path)).status;
  assert.equal(await get(first, "/block/1"), 200);
  assert.match(first.output(), /^log +postgres:\/\/moneta@\S+, schema moneta, shared/m);
  assert.ok(!first.output().includes(SECRET));
  assert.equal(await first.stop(), 0);

  await using again = await ServiceProcess.start(options);
  assert.equal(await get(again, "/block/1"), 200);
  assert.equal(await get(again, "/ready"), 503);
  await engine.sql(`ALTER ROLE moneta PASSWORD '${SECRET}'`);
  await until(async () => (await get(again, "/ready?for=writes")) === 200);
  await until(async () => (await create(again)).status === 200);
});

async function create(node: { readonly url: string }): Promise<Response> {
  const body = new URLSearchParams({ publickey: publicPem(newKey()) });
  return await fetch(`${node.url}/address`, { method: "POST", body });
}
