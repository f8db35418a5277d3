import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect } from "node:util";
import { EngineUrl, SYSTEM_TIME, type Time } from "@moneta/ledger";
import {
  ConnectionLost,
  type EngineConnection,
  EngineRefusal,
  EngineUnavailable,
  openEngine,
} from "@moneta/ledger/postgres";
import { EngineProxy } from "../testing/postgres/engine-proxy.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server[Symbol.asyncDispose]());

/** With time for a late response of one of several hosts, as on a busy machine. */
const PATIENT_TIME: Time = {
  ...SYSTEM_TIME,
  after: (ms, call) => SYSTEM_TIME.after(20 * ms, call),
};

async function connect(
  url: string = server.url,
  options: { readonly highest?: number; readonly onNotification?: (payload: string) => void } = {},
): Promise<EngineConnection & Disposable> {
  const { highest = 0, ...more } = options;
  const engine = await openEngine(EngineUrl.parse(url), {
    timelines: { highest },
    time: PATIENT_TIME,
  });
  const connection = await engine.connect({ timeoutMs: 60_000, ...more });
  return Object.assign(connection, { [Symbol.dispose]: () => connection.end() });
}

test("a text has a result for each of its statements, with texts as the engine sent them", async () => {
  using connection = await connect();
  const results = await connection.query(
    "BEGIN; CREATE TABLE note (n int, t text); INSERT INTO note VALUES (1, 'ä'), (2, NULL); SELECT n, t FROM note ORDER BY n; COMMIT",
  );
  assert.deepEqual(
    results.map(({ command, count }) => `${command} ${count}`),
    ["BEGIN 0", "CREATE TABLE 0", "INSERT 2", "SELECT 2", "COMMIT 0"],
  );
  assert.deepEqual(results[3]?.rows, [
    { n: "1", t: "ä" },
    { n: "2", t: null },
  ]);
});

test("a refusal has its code; a COMMIT behind it has not been executed", async () => {
  using connection = await connect();
  await connection.query("CREATE TABLE once (n int PRIMARY KEY); INSERT INTO once VALUES (1)");
  await assert.rejects(
    connection.query("BEGIN; INSERT INTO once VALUES (1); COMMIT"),
    (thrown: unknown) =>
      thrown instanceof EngineRefusal && thrown.code === "23505" && !thrown.isFatal,
  );
  assert.equal((await connection.query("COMMIT"))[0]?.command, "ROLLBACK");
});

test("a warning belongs to its statement, and a notice is none", async () => {
  using connection = await connect();
  const results = await connection.query(
    "SELECT 1; DO $$ BEGIN RAISE WARNING 'look' USING errcode = '01000'; RAISE NOTICE 'well'; END $$; SELECT 2",
  );
  assert.deepEqual(
    results.map(({ warnings }) => warnings),
    [[], [{ code: "01000", message: "look" }], []],
  );
  const [commit] = await connection.query("COMMIT");
  assert.deepEqual(commit?.warnings, [
    { code: "25P01", message: "there is no transaction in progress" },
  ]);
});

test("a session that the engine ends rejects what is under way and all that follows", async () => {
  using connection = await connect();
  const [own] = await connection.query("SELECT pg_backend_pid() AS pid");
  const rejected = assert.rejects(
    connection.query("SELECT pg_sleep(60)"),
    (thrown: unknown) =>
      thrown instanceof EngineRefusal && thrown.code === "57P01" && thrown.isFatal,
  );
  await server.sql(`SELECT pg_terminate_backend(${own?.rows[0]?.["pid"]})`);
  await rejected;
  assert.ok(connection.hasEnded);
  await assert.rejects(connection.query("SELECT 1"), ConnectionLost);
});

test("a session that is ended between two queries only rejects what follows", async () => {
  using connection = await connect();
  const [own] = await connection.query("SELECT pg_backend_pid() AS pid");
  await server.sql(`SELECT pg_terminate_backend(${own?.rows[0]?.["pid"]}, 5000)`);
  await assert.rejects(
    connection.query("SELECT 1"),
    (thrown: unknown) =>
      // Its end may be read before or after the query is sent.
      thrown instanceof ConnectionLost || (thrown instanceof EngineRefusal && thrown.isFatal),
  );
  assert.ok(connection.hasEnded);
});

test("a connection that is cut, lost with its answer, or ended by us rejects", async () => {
  await using proxy = await EngineProxy.to(server);
  const url = server.urlAt(proxy.host);

  using cut = await connect(url);
  const sleeping = cut.query("SELECT pg_sleep(60)");
  proxy.cut();
  await assert.rejects(sleeping, ConnectionLost);
  await assert.rejects(connect(url), EngineUnavailable);
  proxy.mend();

  using other = await connect(url);
  await other.query("CREATE TABLE kept (n int)");
  proxy.fate = (sql) => (sql.includes("COMMIT") ? "loseAnswer" : "pass");
  await assert.rejects(other.query("BEGIN; INSERT INTO kept VALUES (1); COMMIT"), ConnectionLost);
  assert.deepEqual(await server.sql("SELECT n FROM kept"), [{ n: 1 }]);

  using third = await connect(url);
  proxy.fate = (sql) => (sql.includes("COMMIT") ? "hold" : "pass");
  await assert.rejects(third.query("BEGIN; INSERT INTO kept VALUES (2); COMMIT"), ConnectionLost);
  assert.deepEqual(await server.sql("SELECT n FROM kept WHERE n = 2"), []);
  assert.equal(proxy.releaseHeld(), 1);
  await server.waitFor("SELECT count(*)::int AS n FROM kept", ({ n }) => n === 2);

  proxy.fate = () => "pass";
  using silent = await connect(url);
  proxy.silence("node");
  const unanswered = silent.query("INSERT INTO kept VALUES (3)");
  await server.waitFor("SELECT count(*)::int AS n FROM kept", ({ n }) => n === 3);
  silent.end();
  await assert.rejects(unanswered, ConnectionLost);
});

test("notifications arrive", async () => {
  const reported = Promise.withResolvers<string>();
  using connection = await connect(server.url, { onNotification: reported.resolve });
  await connection.query("LISTEN news");
  await server.sql("NOTIFY news, '7 abc'");
  assert.equal(await reported.promise, "7 abc");
});

test("of several hosts the primary with the highest timeline is taken, wherever it is listed", async () => {
  await using old = await PostgresServer.start();
  await using replica = await old.standby();
  const urls = [
    `127.0.0.1:${old.port},127.0.0.1:${replica.port}`,
    `127.0.0.1:${replica.port},127.0.0.1:${old.port}`,
    `127.0.0.1:1,127.0.0.1:${old.port},127.0.0.1:${replica.port}`,
  ].map((hosts) => old.urlAt(hosts));
  for (const url of urls) {
    assert.equal(await portOf(url), old.port, "not the standby");
  }
  await assert.rejects(connect(replica.url), /it is a standby/);

  await old.kill();
  replica.promote();
  old.commitsAloneFromNowOn();
  await old.resume();
  for (const url of urls) {
    assert.equal(await portOf(url), replica.port, "not the one that was replaced");
  }
  await assert.rejects(connect(old.url, { highest: 2 }), /timeline 1, but .* on timeline 2/);
  assert.equal(await portOf(replica.url, 2), replica.port);
});

async function portOf(url: string, highest = 0): Promise<number> {
  using connection = await connect(url, { highest });
  const [shown] = await connection.query("SHOW port");
  return Number(shown?.rows[0]?.["port"]);
}

test("a password is sent, and shown nowhere", async () => {
  const password = "s3cr:et /@?";
  await using guarded = await PostgresServer.start({ password });
  const url = EngineUrl.parse(guarded.url);
  const engine = await openEngine(url, { timelines: { highest: 0 }, time: SYSTEM_TIME });
  const connection = await engine.connect({ timeoutMs: 60_000 });
  const shown = [
    ...[String(url), JSON.stringify({ url }), inspect(url, { depth: 9, showHidden: true })],
    inspect({ engine, connection }, { depth: 20, showHidden: true }),
  ];
  connection.end();

  const wrong = guarded.url.replace("s3cr", "s3cx");
  const refused = await connect(wrong).catch((thrown: unknown) => thrown as Error);
  assert.ok(refused instanceof EngineUnavailable);
  assert.match(refused.message, /password authentication failed for user "postgres"/);
  const without = await connect(guarded.urlAt(`127.0.0.1:${guarded.port}`).replace(/:s3[^@]*/, ""))
    .then(() => undefined)
    .catch((thrown: unknown) => thrown as Error);
  assert.ok(without instanceof EngineUnavailable);
  for (const text of [...shown, inspect(refused), inspect(without)]) {
    assert.ok(!/s3c[rx]/.test(text), text);
  }
});
