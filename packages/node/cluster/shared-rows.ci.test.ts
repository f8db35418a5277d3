import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { EngineUrl, genesisBlock, LogUnavailable, readGenesis, SYSTEM_TIME } from "@moneta/ledger";
import {
  BlockTable,
  checkSchema,
  type Engine,
  type EngineConnection,
  firstRows,
  type Lease,
  OPERATIONS_BYTES_MAX,
  openEngine,
  prepareSchema,
  SCHEMA_VERSION,
  SchemaProblem,
  SharedRows,
  schemaText,
} from "@moneta/ledger/postgres";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { newKey, publicPem } from "../testing/test-node.ts";

/** The timeline of an engine that was never replaced, long known. */
const SETTLED = { settled: 1, held: [] };

let server: PostgresServer;
let engine: Engine;
before(async () => {
  server = await PostgresServer.start();
  engine = await openEngine(EngineUrl.parse(server.url), {
    timelines: { highest: 0 },
    time: SYSTEM_TIME,
  });
});
after(() => server[Symbol.asyncDispose]());

async function connect(): Promise<EngineConnection & Disposable> {
  const connection = await engine.connect({ timeoutMs: 60_000 });
  return Object.assign(connection, { [Symbol.dispose]: () => connection.end() });
}

async function rowsOf(connection: EngineConnection, schema: string): Promise<SharedRows> {
  await prepareSchema(connection, schema);
  return new SharedRows((text) => connection.query(text), schema);
}

test("a schema is made once, however many begin at the same time", async () => {
  const connections = await Promise.all([connect(), connect(), connect(), connect()]);
  await Promise.all(connections.map((one) => prepareSchema(one, "begun together")));
  await Promise.all(connections.map((one) => checkSchema(one, "begun together")));
  const [stored] = await server.sql(
    `SELECT attstorage, attcompression, 'lz4' = ANY (enumvals) AS has_lz4 FROM pg_settings, pg_attribute WHERE name = 'default_toast_compression' AND attrelid = '"begun together".block'::regclass AND attname = 'operations'`,
  );
  // Extended with lz4, or external: never pglz.
  assert.ok(
    stored?.["has_lz4"] ? stored["attcompression"] === "l" : stored?.["attstorage"] === "e",
  );
  for (const one of connections) {
    one.end();
  }
});

test("what moneta log sql prints makes the same tables, for a user who may not make any", async () => {
  await server.sql(schemaText("printed"));
  using connection = await connect();
  await prepareSchema(connection, "made");
  const tables = (schema: string) =>
    server.sql(
      `SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns WHERE table_schema = '${schema}' ORDER BY 1, 2`,
    );
  assert.deepEqual(await tables("printed"), await tables("made"));

  await server.sql(
    "CREATE ROLE guest LOGIN; GRANT USAGE ON SCHEMA printed TO guest; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA printed TO guest; GRANT USAGE ON ALL SEQUENCES IN SCHEMA printed TO guest",
  );
  await connection.query("SET ROLE guest");
  const rows = await rowsOf(connection, "printed");
  assert.deepEqual(await rows.secrets(), []);
  assert.notEqual((await rows.takeLeases("a", ["work"], SETTLED)).states[0]?.number, undefined);
  await assert.rejects(
    prepareSchema(connection, "other"),
    (thrown: unknown) =>
      thrown instanceof SchemaProblem && /moneta log sql --log-schema other/.test(thrown.message),
  );
});

test("a schema of another version is refused, also by a node that has used it, and so is one that is gone", async () => {
  using connection = await connect();
  await prepareSchema(connection, "aged");
  await checkSchema(connection, "aged");
  for (const version of [SCHEMA_VERSION - 1, SCHEMA_VERSION + 1]) {
    await server.sql(`UPDATE aged.version SET version = ${version}`);
    for (const check of [prepareSchema, checkSchema]) {
      await assert.rejects(check(connection, "aged"), /which another version of Moneta has made/);
    }
  }
  await server.sql("DROP SCHEMA aged CASCADE");
  await assert.rejects(checkSchema(connection, "aged"), /the schema aged of the log is gone/);
  await prepareSchema(connection, "aged");
  await checkSchema(connection, "aged");
});

test("a schema with tables of something else is refused, and left as it is", async () => {
  using connection = await connect();
  for (const [name, tables] of [
    ["shop", "CREATE TABLE shop.block (colour text)"],
    ["blog", "CREATE TABLE blog.version (release text)"],
  ] as const) {
    await server.sql(`CREATE SCHEMA ${name}; ${tables}`);
    await assert.rejects(prepareSchema(connection, name), {
      name: "SchemaProblem",
      message: /^the schema \w+ has tables that are no log of Moneta .*--log-schema/,
    });
    const [row] = await server.sql(
      `SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = '${name}'`,
    );
    assert.deepEqual(row, { count: 1 });
  }
});

test("a database of another encoding is refused", async () => {
  await server.sql("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
  const latin = await openEngine(EngineUrl.parse(server.url.replace(/postgres$/, "latin")), {
    timelines: { highest: 0 },
    time: SYSTEM_TIME,
  });
  const connection = await latin.connect({ timeoutMs: 60_000 });
  await assert.rejects(prepareSchema(connection, "moneta"), /is LATIN1 but must be UTF8/);
  connection.end();
});

test("a log begins once: who comes later finds what it begins with", async () => {
  const connections = await Promise.all([connect(), connect(), connect()]);
  await prepareSchema(connections[0] as EngineConnection, "begun");
  const found = await Promise.all(
    connections.map((one, index) =>
      firstRows(one, "begun", async () => {
        const content = { ledger: `ledger-${index}`, coin: coin() };
        const genesis = readGenesis(content, 1_700_000_000);
        return {
          genesis: JSON.stringify(content),
          secret: "ab".repeat(32),
          block: await genesisBlock(genesis),
        };
      }),
    ),
  );
  assert.ok(found[0] !== undefined);
  assert.deepEqual(found, [found[0], found[0], found[0]]);
  const again = await firstRows(connections[1] as EngineConnection, "begun", () =>
    assert.fail("it has begun"),
  );
  assert.deepEqual(again, found[0]);
  for (const one of connections) {
    one.end();
  }
});

test("a first node that stands still while it begins a log holds up the next one for ten seconds", async () => {
  using stopped = await connect();
  using next = await connect();
  await prepareSchema(next, "held");
  const content = { ledger: "held", coin: coin() };
  const block = await genesisBlock(readGenesis(content, 1_700_000_000));
  const made = { genesis: JSON.stringify(content), secret: "ab".repeat(32), block };
  const goOn = Promise.withResolvers<typeof made>();
  const has = Promise.withResolvers<void>();
  const first = firstRows(stopped, "held", () => {
    has.resolve();
    return goOn.promise;
  });
  await has.promise;
  assert.equal((await firstRows(next, "held", async () => made))?.id, block.id);
  goOn.resolve(made);
  await assert.rejects(first, (thrown: unknown) => !(thrown instanceof SchemaProblem));
});

test("a block that is larger than nodes read is not copied into a log", async () => {
  using connection = await connect();
  await prepareSchema(connection, "large");
  const content = { ledger: "large", coin: coin() };
  const { header, id } = await genesisBlock(readGenesis(content, 1_700_000_000));
  const operations = ["x".repeat(OPERATIONS_BYTES_MAX), ""];
  await assert.rejects(
    new BlockTable(connection, "large").append([{ header, id, operations }]),
    new RegExp(`^SchemaProblem: block 0 has ${OPERATIONS_BYTES_MAX + 1} bytes of operations`),
  );
  assert.deepEqual(await server.sql("SELECT FROM large.block"), []);
});

test("several nodes that find no secret begin one together", async () => {
  const connections = await Promise.all([connect(), connect(), connect(), connect()]);
  await prepareSchema(connections[0] as EngineConnection, "beginnings");
  for (let round = 0; round < 10; round += 1) {
    await server.sql("DELETE FROM beginnings.secret");
    const found = await Promise.all(
      connections.map(async (one, index) => {
        const rows = new SharedRows((text) => one.query(text), "beginnings");
        await rows.beginSecrets(`${index}a`.repeat(32));
        return (await rows.secrets()).map(({ secret }) => secret);
      }),
    );
    assert.equal(new Set(found.flat()).size, 1, `round ${round}`);
  }
  for (const one of connections) {
    one.end();
  }
});

test("where a webhook begins is certain before anything is delivered from there", async () => {
  using connection = await connect();
  await prepareSchema(connection, "begins");
  let warns = true;
  const rows = new SharedRows(async (text) => {
    const results = await connection.query(text);
    const warning = { code: "01000", message: "the wait was cancelled" };
    return warns ? results.map((result) => ({ ...result, warnings: [warning] })) : results;
  }, "begins");
  await assert.rejects(rows.beginWebhook({ id: "h", url: "" }, "t1"), LogUnavailable);
  warns = false;
  await rows.beginWebhook({ id: "h", url: "" }, "t1");
  assert.equal((await rows.webhook("h")).after, "t1");
});

test("the checkpoint only moves on from the one that was seen, at most once a second", async () => {
  using connection = await connect();
  await prepareSchema(connection, "checkpoints");
  await putBlocks("checkpoints");
  // A clock of its own: a busy machine may need more than a second for the next message.
  let clock = "00:00:00";
  const rows = new SharedRows(
    (text) =>
      connection.query(text.replaceAll("clock_timestamp()", `timestamptz '2026-01-01 ${clock}'`)),
    "checkpoints",
  );
  const at = (size: number) => ({
    ...{ size, root: "00", height: size, note: `note ${size}\n— 'x' \\`, keys: "new\nold" },
  });
  assert.deepEqual(await rows.checkpoint(0), { newest: undefined, header: undefined, isDue: true });
  assert.ok(await rows.advanceCheckpoint(0, at(5), "b5"));
  clock = "00:00:00.999";
  assert.deepEqual(await rows.checkpoint(0), {
    newest: at(5),
    header: "",
    isDue: false,
  });
  assert.ok(!(await rows.advanceCheckpoint(5, at(6), "b6")), "within a second");
  clock = "00:00:01.001";
  assert.equal((await rows.checkpoint(5)).isDue, true);
  assert.ok(!(await rows.advanceCheckpoint(0, at(6), "b6")));
  assert.ok(!(await rows.advanceCheckpoint(4, at(6), "b6")));
  assert.ok(!(await rows.advanceCheckpoint(5, at(5), "b5")), "it has to grow");
  assert.deepEqual((await rows.checkpoint(5)).newest, at(5));
  assert.ok(await rows.advanceCheckpoint(5, at(6), "b6"));
  assert.deepEqual((await rows.checkpoint(5)).newest, at(6));
});

test("a checkpoint of a block that the log has lost is never signed", async () => {
  using connection = await connect();
  const rows = await rowsOf(connection, "shortened");
  await putBlocks("shortened");
  const at = (size: number) => ({ size, root: "00", height: size, note: "n", keys: "k" });
  assert.equal(await rows.advanceCheckpoint(0, at(10), "b10"), false, "the first one");
  assert.equal(await rows.advanceCheckpoint(0, at(5), "b5"), true);
  await server.sql("UPDATE shortened.checkpoint SET signed_at = signed_at - interval '1 second'");
  assert.equal(await rows.advanceCheckpoint(5, at(10), "b10"), false, "the log ends before");
  assert.equal(await rows.advanceCheckpoint(5, at(9), "lost"), false, "it has another one");
  assert.equal(await rows.advanceCheckpoint(5, at(9), "b9"), true);
});

test("a checkpoint is certain before it is passed on, and a commit with a warning signs none", async () => {
  using connection = await connect();
  await prepareSchema(connection, "warned");
  await putBlocks("warned");
  let warns = false;
  const sent: string[] = [];
  const rows = new SharedRows(async (text) => {
    sent.push(text);
    const results = await connection.query(text);
    const warning = { code: "01000", message: "the wait was cancelled" };
    return warns ? results.map((result) => ({ ...result, warnings: [warning] })) : results;
  }, "warned");
  const one = { size: 5, root: "00", height: 5, note: "n", keys: "k" };
  warns = true;
  assert.equal(await rows.advanceCheckpoint(0, one, "b5"), false, "though the row has it");
  await assert.rejects(rows.checkpoint(0), /not certain/);
  assert.match(sent.at(-1) ?? "", /pg_logical_emit_message/);
  warns = false;
  assert.deepEqual((await rows.checkpoint(0)).newest, one);
  sent.length = 0;
  await rows.checkpoint(5);
  assert.equal(sent.length, 1, "the one that the caller knows needs no barrier");
});

test("one node has a lease, and another one takes it after its end, with a higher number", async () => {
  using connection = await connect();
  const rows = await rowsOf(connection, "leases");
  const take = async (node: string): Promise<number | undefined> =>
    (await rows.takeLeases(node, ["work"], SETTLED)).states[0]?.number;
  const first = (await take("a")) as number;
  assert.equal(await take("b"), undefined);
  assert.equal(await take("a"), first);
  await server.sql("UPDATE leases.lease SET until = clock_timestamp() - interval '1 ms'");
  const second = (await take("b")) as number;
  assert.ok(second > first);
  assert.equal(await take("a"), undefined);
  await rows.giveUpLeases("a");
  assert.equal(await take("a"), undefined, "it was not its own to give up");
  await rows.giveUpLeases("b");
  assert.ok(((await take("a")) as number) > second);

  // Several leases at once, some held by another node; for those, the remaining time is returned.
  const {
    states: [other, work],
  } = await rows.takeLeases("b", ["work", "other"], SETTLED);
  assert.ok(other?.name === "other" && other.number !== undefined);
  assert.ok(work?.number === undefined && (work?.leftMs ?? 0) > 0 && (work?.leftMs ?? 0) <= 30_000);
});

test("a lease and a checkpoint over an engine that was replaced are none", async () => {
  using connection = await connect();
  await prepareSchema(connection, "replaced");
  await putBlocks("replaced");
  const rows = new SharedRows((text) => connection.query(text), "replaced", {
    check(timeline) {
      if (timeline < 2) {
        throw new LogUnavailable(`timeline ${timeline}`);
      }
    },
    remember: () => assert.fail("nothing is certain there"),
  });
  const one = { size: 5, root: "00", height: 5, note: "n", keys: "k" };
  await assert.rejects(rows.takeLeases("a", ["work"], SETTLED), /timeline 1/);
  await assert.rejects(rows.advanceCheckpoint(0, one, "b5"), /timeline 1/);
  await assert.rejects(rows.checkpoint(0), /timeline 1/);
});

test("a webhook's position is moved by its lease's holder alone, and never back", async () => {
  using connection = await connect();
  const rows = await rowsOf(connection, "webhooks");
  const hook = { id: "h", url: "http://x" };
  const take = async (node: string): Promise<Lease> =>
    (await rows.takeLeases(node, ["hook"], SETTLED)).states[0] as Lease;
  const old = await take("a");
  assert.deepEqual(await rows.webhook("h"), { after: undefined, logHeight: -1 });
  await putBlocks("webhooks");
  const block = { height: 4, id: "b4" };
  await rows.beginWebhook(hook, "t1");
  await rows.beginWebhook(hook, "t0");
  assert.ok(await rows.moveWebhook(hook, { from: "t1", to: "t2", block, lease: old }));
  await rows.giveUpLeases("a");
  const lease = await take("b");
  assert.ok(!(await rows.moveWebhook(hook, { from: "t2", to: "t3", block, lease: old })));
  assert.ok(await rows.moveWebhook(hook, { from: "t2", to: "t4", block, lease }));
  assert.ok(!(await rows.moveWebhook(hook, { from: "t2", to: "t3", block, lease })));
  assert.equal((await rows.webhook("h")).after, "t4");
});

test("a webhook's position is not moved to a block that the log has lost", async () => {
  using connection = await connect();
  const rows = await rowsOf(connection, "moved");
  await putBlocks("moved");
  const hook = { id: "h", url: "http://x" };
  const { states } = await rows.takeLeases("a", ["hook"], SETTLED);
  const lease = states[0] as Lease;
  await rows.beginWebhook(hook, "t1");
  const to = async (height: number, id: string): Promise<boolean> =>
    await rows.moveWebhook(hook, { from: "t1", to: "t2", block: { height, id }, lease });
  assert.equal(await to(10, "b10"), false, "the log ends before");
  assert.equal(await to(9, "lost"), false, "it has another one");
  assert.equal((await rows.webhook("h")).after, "t1");
  assert.equal(await to(9, "b9"), true);
});

test("however much was written into a row, a node reads only as much as it needs", async () => {
  using connection = await connect();
  await prepareSchema(connection, "written");
  let longest = 0;
  const rows = new SharedRows(async (text) => {
    const results = await connection.query(text);
    const values = results.flatMap((result) => result.rows).flatMap((row) => Object.values(row));
    longest = Math.max(longest, ...values.map((value) => value?.length ?? 0));
    return results;
  }, "written");
  await server.sql(
    `INSERT INTO written.secret (secret) VALUES (repeat('ab', 1000000));
    INSERT INTO written.webhook (id, url, after) VALUES ('h', '', repeat('x', 1000000));
    INSERT INTO written.node (id, rules, seen_at) SELECT repeat('n', 1000) || i, 0, clock_timestamp() FROM generate_series(1, 1000) AS i;
    INSERT INTO written.checkpoint (size, root, height, note, keys, signed_at) SELECT 5, x, 5, x, x, clock_timestamp() FROM (SELECT repeat('x', 1000000)) AS long (x);
    INSERT INTO written.genesis (content) VALUES (repeat(' ', 10000000));
    INSERT INTO written.block (height, id, header, operations) VALUES (0, repeat('a', 1000000), repeat('b', 1000000), ''), (5, '', repeat('c', 1000000), '')`,
  );
  assert.equal((await rows.secrets())[0]?.secret, "ab".repeat(512));
  const { newest, header } = await rows.checkpoint(0);
  assert.deepEqual([newest?.root.length, header], [65, undefined]);
  assert.equal((await rows.nodesWithout(2)).length, 100);
  assert.equal(longest, 65536);
  const first = await firstRows(connection, "written", () => assert.fail("it has begun"));
  assert.deepEqual([first?.genesis?.length, first?.id], [1 << 20, "a".repeat(65)]);
  assert.equal((await new BlockTable(connection, "written").genesis())?.length, 1 << 20);

  // It continues from there.
  const lease = (await rows.takeLeases("a", ["hook"], SETTLED)).states[0] as Lease;
  const { after: from } = await rows.webhook("h");
  assert.equal(from, "x".repeat(256));
  assert.ok(
    await rows.moveWebhook({ id: "h", url: "" }, { from, to: "t1", block: undefined, lease }),
  );
});

test("times that the engine's clock has not come to yet, and numbers beyond all, delay no node", async () => {
  using connection = await connect();
  const rows = await rowsOf(connection, "ahead");
  await putBlocks("ahead");
  const take = async (node: string): Promise<number | undefined> =>
    (await rows.takeLeases(node, ["work"], SETTLED)).states[0]?.number;
  const first = (await take("a")) as number;
  for (const until of ["infinity", "-infinity", "9999-01-01"]) {
    await server.sql(`UPDATE ahead.lease SET until = '${until}', holder = 'gone'`);
    const unsettled = await rows.takeLeases("a", ["work"], { settled: 9, held: [] });
    assert.ok((unsettled.states[0]?.leftMs ?? 0) <= 30_000);
    assert.ok(((await take("a")) as number) > first, until);
  }
  await server.sql(
    "UPDATE ahead.lease SET number = ~(1::bigint << 63), holder = 'gone', until = 'now'",
  );
  const next = (await take("a")) as number;
  assert.ok(Number.isSafeInteger(next) && next > first);
  assert.equal(await take("a"), next);

  const at = (size: number) => ({ size, root: "00", height: size, note: "n", keys: "k" });
  assert.ok(await rows.advanceCheckpoint(0, at(5), "b5"));
  await server.sql("UPDATE ahead.checkpoint SET signed_at = signed_at + interval '1 hour'");
  assert.equal((await rows.checkpoint(5)).isDue, true);
  assert.ok(await rows.advanceCheckpoint(5, at(6), "b6"));
  // A time that is 30 s ahead is as good as now, and leaves a busy machine more than a second.
  await server.sql("UPDATE ahead.checkpoint SET signed_at = signed_at + interval '30 seconds'");
  assert.equal((await rows.checkpoint(6)).isDue, false);

  await server.sql("INSERT INTO ahead.node (id, rules, seen_at) VALUES ('gone', 0, 'infinity')");
  await rows.noteNode({ id: "new", rules: 2 });
  assert.deepEqual(await rows.nodesWithout(2), []);
});

/** Blocks 0 to 9, with the ids b0 to b9. */
async function putBlocks(schema: string): Promise<void> {
  await server.sql(
    `INSERT INTO ${schema}.block SELECT i, 'b' || i, '', '' FROM generate_series(0, 9) AS i`,
  );
}

function coin(): object {
  const publickey = publicPem(newKey());
  return {
    ...{ name: "Coin", symbol: "C", decimal: 8, totalsupply: "100" },
    treasury: [{ publickey, amount: "100" }],
  };
}
