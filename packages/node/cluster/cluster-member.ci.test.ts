import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { MessageChannel } from "node:worker_threads";
import { EngineUrl, NEWEST_VERSION, SYSTEM_TIME } from "@moneta/ledger";
import {
  checkSchema,
  type EngineConnection,
  FIRST_TIMELINE,
  openEngine,
  prepareSchema,
  SCHEMA_VERSION,
  SharedRows,
} from "@moneta/ledger/postgres";
import { parseTemporaryKey, type TemporaryKey } from "@moneta/protocol";
import { pino } from "pino";
import { Moneta, SigningKey } from "../../sdk/index.ts";
import { TemporaryKeys } from "../admission/temporary-keys.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { problemOf, summaryOf, TestNode } from "../testing/test-node.ts";
import { ClusterMember } from "./cluster-member.ts";
import { HOUSEKEEPING, Housekeeping } from "./housekeeping.ts";
import { RemoteRows, serveRows } from "./row-calls.ts";
import { inOrderOfUse } from "./shared-secrets.ts";

let server: PostgresServer;
let connection: EngineConnection;
before(async () => {
  server = await PostgresServer.start();
  const engine = await openEngine(EngineUrl.parse(server.url), {
    timelines: { highest: 0 },
    time: SYSTEM_TIME,
  });
  connection = await engine.connect({ timeoutMs: 60_000 });
});
after(async () => {
  connection.end();
  await server[Symbol.asyncDispose]();
});

/** The tasks that a node performs every minute, without the node. */
class Member implements AsyncDisposable {
  readonly member: ClusterMember;
  readonly keys: TemporaryKeys;
  failure: Error | undefined;
  isFollowing = true;

  private constructor(schema: string, secrets: readonly Buffer[]) {
    const { port1, port2 } = new MessageChannel();
    const rows = new SharedRows((text) => connection.query(text), schema);
    const checkEngine = async (): Promise<readonly string[]> => {
      await checkSchema(connection, schema);
      return [];
    };
    serveRows(port2, Object.assign(rows, { checkEngine }));
    this.member = new ClusterMember(new RemoteRows(port1), {
      log: pino({ level: "silent" }),
      leases: [],
      timeline: FIRST_TIMELINE,
      isFollowing: () => this.isFollowing,
      onFailure: (error) => {
        this.failure = error;
      },
    });
    this.keys = new TemporaryKeys({ secrets, ledgerId: "00", seconds: 600 });
  }

  static async start(schema: string): Promise<Member> {
    await prepareSchema(connection, schema);
    const rows = new SharedRows((text) => connection.query(text), schema);
    await rows.beginSecrets("aa".repeat(32));
    const member = new Member(schema, inOrderOfUse(await rows.secrets()));
    await member.member.start(member.keys);
    return member;
  }

  issue(): TemporaryKey {
    return parseTemporaryKey(this.keys.issue(7, 1_700_000_000)) as TemporaryKey;
  }

  get hasFailed(): boolean {
    return this.failure !== undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.member.close();
  }
}

test("cluster §2: a new secret is accepted by all nodes two minutes before any issues under it", async () => {
  await using a = await Member.start("rotated");
  await using b = await Member.start("rotated");
  const before = a.issue();
  assert.ok(b.keys.isOurs(before, "transfer"));

  // An operator's change of the password.
  await server.sql(
    "INSERT INTO rotated.secret (secret) SELECT replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')",
  );
  // A has read it and B has not: A's keys are still good at B.
  await a.member.minute();
  assert.ok(b.keys.isOurs(a.issue(), "transfer"));
  await b.member.minute();

  await server.sql("UPDATE rotated.secret SET made_at = made_at - interval '2 minutes'");
  await a.member.minute();
  const under = a.issue();
  assert.ok(b.keys.isOurs(under, "transfer"), "B accepts it, though it issues under the old one");
  await b.member.minute();
  assert.ok(b.keys.isOurs(under, "transfer"));
  assert.ok(b.keys.isOurs(before, "transfer"), "what was issued before stays good");
  await server.sql("DELETE FROM rotated.secret WHERE number = 1");
  await b.member.minute();
  assert.ok(!b.keys.isOurs(before, "transfer"), "it was under the old one");
  assert.ok(b.keys.isOurs(under, "transfer"), "this one was under the new one");

  // Of all that were stolen none is left: the first node that sees it makes a new one.
  await server.sql("DELETE FROM rotated.secret");
  await a.member.minute();
  await b.member.minute();
  assert.ok(!b.keys.isOurs(under, "transfer"));
  assert.ok(b.keys.isOurs(a.issue(), "transfer"));
});

test("cluster §2: a node whose schema has become one of another version ends, with the reason", async () => {
  await using a = await Member.start("migrated");
  await a.member.minute();
  assert.ok(!a.hasFailed);
  await server.sql(`UPDATE migrated.version SET version = ${SCHEMA_VERSION + 1}`);
  await a.member.minute();
  assert.equal(a.failure?.name, "SchemaProblem");
  assert.match(a.failure?.message ?? "", /which another version of Moneta has made/);
});

test("cluster §7: one node has the lease, and another one once it is given up or has run out", async () => {
  await using a = await Member.start("leased");
  await using b = await Member.start("leased");
  const lease = ({ member }: Member): number | undefined => member.housekeeping.lease(HOUSEKEEPING);
  await a.member.housekeeping.renew();
  await b.member.housekeeping.renew();
  const [first, second] = lease(a) === undefined ? [b, a] : [a, b];
  const numbers = [lease(first) as number];
  assert.equal(lease(second), undefined);
  await first.member.housekeeping.renew();
  assert.deepEqual([lease(first)], numbers, "a renewed one keeps its number");
  first.isFollowing = false;
  await first.member.housekeeping.renew();
  assert.equal(lease(first), undefined, "who does not follow the log leaves it to others");
  await second.member.housekeeping.renew();
  numbers.push(lease(second) as number);

  // As after a crash: the lease is not released.
  first.isFollowing = true;
  await first.member.housekeeping.renew();
  assert.equal(lease(first), undefined);
  await server.sql("UPDATE leased.lease SET until = clock_timestamp() - interval '1 ms'");
  await first.member.housekeeping.renew();
  numbers.push(lease(first) as number);
  await second.member.housekeeping.renew();
  assert.equal(lease(second), undefined, "it has lost it");
  assert.deepEqual(numbers, [...new Set(numbers)].toSorted(), "numbers rise");
});

test("cluster §7: a node does not think that it has the lease for longer than the engine does", async () => {
  await using a = await Member.start("outlasted");
  let nowMs = 0;
  const housekeeping = new Housekeeping(a.member.rows, {
    ...{ node: "another", names: [HOUSEKEEPING], isFit: () => true, onHeld: () => undefined },
    timeline: FIRST_TIMELINE,
    nowMs: () => nowMs,
  });
  await a.member.housekeeping.close();
  await housekeeping.renew();
  assert.ok(housekeeping.lease(HOUSEKEEPING) !== undefined);
  nowMs = 29_999;
  assert.ok(housekeeping.lease(HOUSEKEEPING) !== undefined);
  nowMs = 30_000;
  assert.equal(housekeeping.lease(HOUSEKEEPING), undefined);
  await housekeeping.close();
});

test("a node that ends does not wait for rows that are not answered", {
  timeout: 60_000,
}, async () => {
  const { port1 } = new MessageChannel();
  const member = new ClusterMember(new RemoteRows(port1), {
    log: pino({ level: "silent" }),
    ...{ leases: [], timeline: FIRST_TIMELINE, isFollowing: () => true, onFailure: assert.ifError },
  });
  member.housekeeping.start();
  await member.close();
});

test("cluster §2: new rules are not announced while a node does not know them", async () => {
  const log = ["--log", server.url, "--log-schema", "announced"];
  await using a = await TestNode.startWithOperator(...log);
  await using _b = await TestNode.start(...log);
  const announce = async (): ReturnType<TestNode["post"]> => {
    const tkey = await a.key(a.operator);
    const params = { version: String(NEWEST_VERSION + 1), height: "1000", note: "soon", tkey };
    return await a.post("/protocol", a.fullySigned("protocol", params, a.operator));
  };
  const refused = await announce();
  assert.equal(summaryOf(refused), "503 9002");
  const { detail } = problemOf(refused);
  assert.equal(detail.match(new RegExp(` up to ${NEWEST_VERSION}`, "g"))?.length, 2, detail);
  const key = await SigningKey.fromPem(
    a.operator.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  );
  await assert.rejects(
    new Moneta(a.url)
      .actor(a.operator.address, key)
      .protocol({ version: NEWEST_VERSION + 1, height: 1000, note: "soon" }),
    /update them first/,
    "clients do not wait until their software is updated",
  );

  await server.sql(
    `UPDATE announced.node SET rules = ${NEWEST_VERSION + 1} WHERE id = (SELECT min(id) FROM announced.node)`,
  );
  assert.equal(summaryOf(await announce()), "503 9002", "one node is left");
  await server.sql("UPDATE announced.node SET seen_at = seen_at - interval '5 minutes'");
  assert.equal(summaryOf(await announce()), "200", "it was not seen for five minutes");
});
