import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Engine } from "@moneta/ledger/postgres";
import { type Address, NATIVE_COIN, operationText } from "@moneta/protocol";
import { longTest } from "../../ledger/testing/lane.ts";
import { visibleIsCertain } from "../testing/cluster/changed-engine.ts";
import { LogPeer, peerGenesis } from "../testing/cluster/log-peer.ts";
import { EngineProxy, type QueryFate } from "../testing/postgres/engine-proxy.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { until } from "../testing/until.ts";

const genesis = peerGenesis();

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server?.[Symbol.asyncDispose]());

const isBlock = (sql: string): boolean => sql.includes("INSERT INTO");

/** Something befalls the first block that is sent through the proxy; the next ones pass. */
function meetFirstBlock(proxy: EngineProxy, fate: QueryFate): { readonly isMet: boolean } {
  const first = { isMet: false };
  proxy.fate = (sql) => {
    if (first.isMet || !isBlock(sql)) {
      return "pass";
    }
    first.isMet = true;
    return fate;
  };
  return first;
}

/** How often an operation was done, and whether a chain is one at all. */
function timesCreated(peer: LogPeer, text: string): number {
  return [...peer.log.read(0)].flatMap(({ operations }) => operations).filter((one) => one === text)
    .length;
}

test("cluster §3, bundles §4: a bundle whose COMMIT lost its response is found by its id, done once and whole, and another node repeats it", async () => {
  await using proxy = await EngineProxy.to(server);
  const schema = "lost";
  await using peer = await LogPeer.start({ url: server.urlAt(proxy.host), genesis, schema });
  await using other = await LogPeer.start({ url: server.url, genesis, schema });
  const created = peer.newAddress();
  assert.match(await peer.submit(created), /^done /);
  const to: Address = JSON.parse(created).decided.address;
  const { treasury } = peer;
  const pay = (amount: string) => ({
    operation: "transfer",
    from: treasury,
    to,
    token: "0",
    amount,
  });
  const body = JSON.stringify({
    ...{ actor: treasury, tkey: peer.key(), skip: ["5001"] },
    operations: [pay("2"), pay("2000000"), pay("3")],
  });
  const signatures = { signature: "MEQ=" };
  const given = { op: "bundle", actor: treasury, params: { body }, decided: {}, signatures };
  const text = operationText(given);
  const first = meetFirstBlock(proxy, "loseAnswer");
  const outcome = await peer.submit(text);
  assert.match(outcome, /^done /);
  assert.equal(first.isMet, true);
  assert.deepEqual([timesCreated(peer, text), peer.ledger.stored.height], [1, 2]);
  assert.match(await other.submit(text), new RegExp(`^repeat ${outcome.slice(5)}$`));
  for (const { ledger } of [peer, other]) {
    assert.equal(ledger.state.balances.spendable(to, NATIVE_COIN), 5n);
  }
});

test("cluster §3: a COMMIT that arrives after the node has reconnected is not done twice", async () => {
  await using proxy = await EngineProxy.to(server);
  const url = server.urlAt(proxy.host);
  await using peer = await LogPeer.start({ url, genesis, schema: "late", turnMs: 20_000 });
  meetFirstBlock(proxy, "hold");
  const text = peer.newAddress();
  const submitted = peer.submit(text);
  // The lost session still has the turn, so the node waits for it.
  await server.waitFor(
    "SELECT count(*)::int AS waiting FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
    ({ waiting }) => waiting === 1,
  );
  assert.equal(proxy.releaseHeld(), 1);
  assert.match(await submitted, /^done /);
  assert.deepEqual([timesCreated(peer, text), peer.ledger.stored.height], [1, 1]);
});

test("cluster §3: a session that has the turn and sits on it is ended by those who wait", async () => {
  const schema = "held";
  await using peer = await LogPeer.start({ url: server.url, genesis, schema, turnMs: 2000 });
  await using holder = await server.connect();
  await holder.query("BEGIN; SELECT pg_advisory_xact_lock('held.block'::regclass::oid::bigint)");
  assert.match(await peer.submit(peer.newAddress()), /^done /);
});

test("cluster §3: a session that is ended while COMMIT waits leaves a doubt, which is resolved", async () => {
  await using primary = await PostgresServer.start();
  await using standby = await primary.standby();
  await using peer = await LogPeer.start({ url: primary.url, genesis });
  standby.signal("SIGSTOP");
  const text = peer.newAddress();
  let isBack = false;
  const submitted = peer.submit(text).then((reported) => ({ summary: reported, isBack }));
  const waits = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
  await primary.waitFor(`SELECT count(*)::int AS n FROM (${waits}) AS waiting`, ({ n }) => n === 1);
  await primary.sql(`SELECT pg_terminate_backend(pid) FROM (${waits}) AS waiting`);
  // The barrier of the doubt waits for the standby as the block did.
  await primary.waitFor(
    `SELECT count(*)::int AS n FROM (${waits}) AS waiting, moneta.block WHERE height = 1`,
    ({ n }) => n >= 1,
  );
  await until(() => peer.report?.isInDoubt === true, "the node is in doubt");
  assert.equal(peer.ledger.stored.height, 0, "what is visible is not shown");
  isBack = true;
  standby.signal("SIGCONT");
  const { summary: reported, isBack: wasBack } = await submitted;
  assert.match(reported, /^done /);
  assert.equal(wasBack, true);
  assert.deepEqual([timesCreated(peer, text), peer.ledger.stored.height], [1, 1]);
});

/** The violations in row 9, in which the wait of a COMMIT for its standby is cancelled. */
async function violationsOfRow9(around?: (engine: Engine) => Engine): Promise<readonly string[]> {
  const violations: string[] = [];
  await using primary = await PostgresServer.start();
  await using standby = await primary.standby();
  const url = primary.urlAt(`127.0.0.1:${primary.port},127.0.0.1:${standby.port}`);
  const options = { url, genesis, writeMs: 8000, ...(around === undefined ? {} : { around }) };
  await using a = await LogPeer.start(options);
  await using b = await LogPeer.start(options);
  await a.submit(a.newAddress());
  // A barrier of B's would wait for the standby, too.
  await b.reaches(1);
  standby.signal("SIGSTOP");
  const text = a.newAddress();
  let isBack = false;
  const answers: string[] = [];
  const note = (name: string) => (reported: string) => {
    answers.push(reported);
    if (!isBack && !reported.startsWith("9")) {
      violations.push(`${name} said ${reported} before the standby was back`);
    }
  };
  const atA = a.submit(text).then(note("A"));
  const waits = `FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE 'INSERT INTO "moneta"."block" %'`;
  await primary.waitFor(`SELECT count(*)::int AS n ${waits}`, ({ n }) => n === 1);
  await primary.sql(`SELECT pg_cancel_backend(pid) ${waits}`);
  await primary.waitFor("SELECT max(height)::int AS h FROM moneta.block", ({ h }) => h === 2);
  const atB = b.submit(text).then(note("B"));
  await Promise.all([atA, atB]);
  await primary.kill();
  isBack = true;
  standby.signal("SIGCONT");
  standby.promote();
  const end = Date.now() + 120_000;
  // After a violation, B may refuse for ever: its log has changed.
  for (let answered = violations.length > 0; !answered; ) {
    const reported = await b.submit(text);
    if (reported === "9006" || Date.now() > end) {
      return [`B said ${reported}`];
    }
    answered = !reported.startsWith("9");
    answers.push(reported);
  }
  const ids = new Set(
    answers.filter((reported) => !reported.startsWith("9")).map((one) => one.slice(-40)),
  );
  if (ids.size !== 1) {
    violations.push(`the write has ${ids.size} outcomes`);
  }
  if (violations.length > 0) {
    return violations; // chains that have parted never reach the same height
  }
  const height = Math.max(a.ledger.stored.height, b.ledger.stored.height);
  await Promise.all([a, b].map((peer) => peer.reaches(height)));
  if (timesCreated(a, text) !== 1 || a.ledger.stored.id !== b.ledger.stored.id) {
    violations.push("the chains are not one");
  }
  return violations;
}

test("cluster §3: no node returns a block before it is certain", async () => {
  assert.deepEqual(await violationsOfRow9(), []);
});

longTest("cluster §3: a node that takes visible for certain is found", async () => {
  assert.notDeepEqual(await violationsOfRow9(visibleIsCertain), []);
});
