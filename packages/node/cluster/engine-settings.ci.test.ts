import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { EngineUrl, SYSTEM_TIME } from "@moneta/ledger";
import {
  checkEngine,
  checkWarnings,
  type EngineConnection,
  type EngineState,
  openEngine,
  prepareSchema,
  readEngineState,
  SAFETY_SETTINGS,
} from "@moneta/ledger/postgres";
import { changedEngine } from "../testing/cluster/changed-engine.ts";
import { EnginePair } from "../testing/cluster/engine-pair.ts";
import { LogPeer, peerGenesis } from "../testing/cluster/log-peer.ts";
import { until } from "../testing/until.ts";

// Settings of role, database and server: no promise depends on them, or the engine is not written.
// Source: cluster §2.

const genesis = peerGenesis();

let engines: EnginePair;
before(async () => {
  engines = await EnginePair.start();
  await engines.primary.sql("CREATE ROLE moneta LOGIN");
  await engines.primary.sql("GRANT CREATE ON DATABASE postgres TO moneta");
});
after(() => engines?.[Symbol.asyncDispose]());

/** For `--log`: a user with other settings than those of the tests. */
const url = (): string => engines.primary.url.replace("//postgres@", "//moneta@");

async function connect(): Promise<EngineConnection & Disposable> {
  const engine = await openEngine(EngineUrl.parse(url()), {
    timelines: { highest: 0 },
    time: SYSTEM_TIME,
  });
  const connection = await engine.connect({ timeoutMs: 60_000 });
  return Object.assign(connection, { [Symbol.dispose]: () => connection.end() });
}

async function stateOf(schema = "moneta"): Promise<EngineState> {
  using connection = await connect();
  return await readEngineState(connection, schema);
}

/** Settings that make no difference, each with a value that would, if something relied on it. */
const ANY: Readonly<Record<string, string>> = {
  client_min_messages: "error",
  synchronous_commit: "off",
  statement_timeout: "700ms",
  lock_timeout: "700ms",
  idle_in_transaction_session_timeout: "700ms",
  idle_session_timeout: "300ms",
  transaction_timeout: "900ms",
  default_transaction_isolation: "serializable",
  default_transaction_deferrable: "on",
  row_security: "off",
  search_path: "hostile, pg_catalog",
  standard_conforming_strings: "off",
  backslash_quote: "off",
  bytea_output: "escape",
  extra_float_digits: "-15",
  DateStyle: "SQL, DMY",
  IntervalStyle: "sql_standard",
  TimeZone: "Pacific/Chatham",
  client_encoding: "LATIN1",
  lc_messages: "C",
  commit_delay: "1000",
  transform_null_equals: "on",
  enable_indexscan: "off",
};

async function give(settings: Readonly<Record<string, string>>): Promise<void> {
  await engines.primary.sql("ALTER ROLE moneta RESET ALL");
  for (const [name, value] of Object.entries(settings)) {
    const list = value.split(", ").map((part) => `'${part}'`);
    await engines.primary.sql(`ALTER ROLE moneta SET ${name} = ${list.join(", ")}`);
  }
}

/**
 * Submits a write while the standby is stopped, and cancels the wait of its COMMIT: no response may
 * come before the standby is back.
 */
async function refuseCancelled(): Promise<void> {
  const { primary, standby } = engines;
  await using peer = await LogPeer.start({ url: url(), genesis, turnMs: 5000 });
  assert.match(await peer.submit(peer.newAddress()), /^done /);
  const newest = [...peer.log.read(peer.ledger.stored.height)][0];
  assert.ok(
    Math.abs((newest?.header.timestamp ?? 0) - Date.now() / 1000) < 60,
    "the clock is read",
  );
  standby.signal("SIGSTOP");
  let reported: string | undefined;
  try {
    const submitted = peer.submit(peer.newAddress()).then((text) => {
      reported = text;
    });
    const waits = `FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE 'INSERT INTO "moneta"."block" %'`;
    await primary.waitFor(`SELECT count(*)::int AS n ${waits}`, ({ n }) => n === 1);
    await primary.sql(`SELECT pg_cancel_backend(pid) ${waits}`);
    await delay(300);
    assert.equal(reported, undefined, "nothing is answered that is on one machine only");
    standby.signal("SIGCONT");
    await submitted;
    assert.match(String(reported), /^done /);
  } finally {
    standby.signal("SIGCONT");
  }
}

test("cluster §3: with any of these settings a cancelled wait for the standby is no success", async () => {
  // A function that would be called in place of the engine's.
  await engines.primary.sql(
    "CREATE SCHEMA hostile; CREATE FUNCTION hostile.set_config(text, text, boolean) RETURNS text LANGUAGE sql AS 'SELECT $2'; CREATE FUNCTION hostile.current_setting(text) RETURNS text LANGUAGE sql AS $$SELECT 'on'$$; CREATE FUNCTION hostile.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$SELECT timestamptz '2040-01-01'$$; GRANT USAGE ON SCHEMA hostile TO moneta",
  );
  await give({ client_min_messages: "error" });
  await refuseCancelled();
  await give(ANY);
  await refuseCancelled();
});

for (const [name, value, deployment] of [
  ["fsync", "off", "production"],
  ["full_page_writes", "off", "production"],
  ["data_sync_retry", "on", "production"],
  ["zero_damaged_pages", "on", "production"],
  ["ignore_checksum_failure", "on", "production"],
  ["session_replication_role", "replica", "test"],
  ["transaction_read_only", "on", "test"],
] as const) {
  test(`cluster §2: an engine with ${name} = ${value} is not written`, async () => {
    const state = await stateOf();
    assert.equal(checkEngine({ ...state, synchronous_standby_names: "b" }, "production").length, 0);
    const unfit = { ...state, [name]: value };
    const named = new RegExp(`${name} = ${value}: .*RESET`);
    assert.throws(() => checkEngine(unfit, deployment), named);
    if (deployment === "production") {
      assert.match(checkEngine(unfit, "test").join(), named);
    }
  });
}

test("cluster §2: an engine that is too old or speaks another encoding is refused, one alone is warned of", async () => {
  const state = await stateOf();
  assert.throws(
    () => checkEngine({ ...state, server_version_num: "140009" }, "test"),
    /15 or newer/,
  );
  assert.throws(() => checkEngine({ ...state, client_encoding: "LATIN1" }, "test"), /must be UTF8/);
  const alone = checkEngine({ ...state, synchronous_standby_names: "" }, "production");
  assert.match(alone.join(), /^the engine has no synchronous standby/);
});

for (const [what, sql, undo] of [
  [
    "has the trigger dropping",
    "CREATE FUNCTION t.none() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; CREATE TRIGGER dropping BEFORE INSERT ON t.block FOR EACH ROW EXECUTE FUNCTION t.none()",
    "DROP TRIGGER dropping ON t.block",
  ],
  [
    "has the rule nothing",
    "CREATE RULE nothing AS ON INSERT TO t.block DO INSTEAD NOTHING",
    "DROP RULE nothing ON t.block",
  ],
  ["is unlogged", "ALTER TABLE t.block SET UNLOGGED", "ALTER TABLE t.block SET LOGGED"],
  ["has children", "CREATE TABLE t.more () INHERITS (t.block)", "DROP TABLE t.more"],
  [
    "has policies of row security",
    "ALTER TABLE t.block ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY",
    "ALTER TABLE t.block DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY",
  ],
  [
    "has no primary key",
    "ALTER TABLE t.block DROP CONSTRAINT block_pkey",
    "ALTER TABLE t.block ADD PRIMARY KEY (height)",
  ],
] as const) {
  test(`cluster §2: an engine whose table of blocks ${what} is not written`, async () => {
    using connection = await connect();
    await prepareSchema(connection, "t");
    assert.equal((await stateOf("t"))["tables"], null);
    await engines.primary.sql(sql);
    assert.equal((await stateOf("t"))["tables"], `block ${what}`);
    await engines.primary.sql(undo);
    assert.equal((await stateOf("t"))["tables"], null);
  });
}

test("cluster §2: what is set while a node is connected holds its writes, says why, and lets them go on", async () => {
  const { primary } = engines;
  await using peer = await LogPeer.start({ url: url(), genesis });
  const unfit = async (expected: RegExp | undefined): Promise<void> => {
    const isSo = (): boolean =>
      expected === undefined
        ? peer.report?.unfit === undefined
        : expected.test(peer.report?.unfit ?? "");
    await until(
      () => isSo(),
      () => `${expected}: ${peer.report?.unfit}`,
    );
  };
  for (const [set, reset, why, isRoles] of [
    [
      "ALTER SYSTEM SET default_transaction_read_only = on",
      "ALTER SYSTEM RESET default_transaction_read_only",
      /transaction_read_only/,
      false,
    ],
    [
      "ALTER ROLE moneta SET session_replication_role = replica",
      "ALTER ROLE moneta RESET ALL",
      /session_replication_role/,
      true,
    ],
    [
      "CREATE RULE nothing AS ON INSERT TO moneta.block DO INSTEAD NOTHING",
      "DROP RULE nothing ON moneta.block",
      /rule nothing/,
      false,
    ],
  ] as const) {
    assert.match(await peer.submit(peer.newAddress()), /^done /);
    await primary.sql(set);
    await primary.reload();
    if (isRoles) {
      // A role's settings are those of new sessions.
      await primary.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'moneta'",
      );
    }
    await unfit(why);
    assert.equal(await peer.submit(peer.newAddress()), "9002");
    await using session = await primary.connect();
    await session.query("SET default_transaction_read_only = off");
    await session.query(reset);
    await primary.reload();
    await unfit(undefined);
    assert.match(await peer.submit(peer.newAddress()), /^done /);
  }
});

test("cluster §2: warnings of the engine must reach the node", async () => {
  await give({ client_min_messages: "error" });
  using connection = await connect();
  await checkWarnings(connection);
  const kept = { connect: async () => connection };
  const deaf = changedEngine(kept, {
    after: (results) => results.map((result) => ({ ...result, warnings: [] })),
  });
  const changed = await deaf.connect({ timeoutMs: 1000 });
  await assert.rejects(checkWarnings(changed), /warnings of the engine do not reach this node/);
  await give({});
});

test("cluster §2 names every setting that safety rests on", () => {
  const chapter = readFileSync(
    new URL("../../../docs/specification/cluster.md", import.meta.url),
    "utf8",
  );
  for (const { name } of SAFETY_SETTINGS) {
    assert.ok(chapter.includes(`\`${name}\``), name);
  }
});
