import assert from "node:assert/strict";
import { test } from "node:test";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { ServiceProcess } from "../testing/service-process.ts";
import { newKey, publicPem } from "../testing/test-node.ts";
import { until } from "../testing/until.ts";

// An engine that responds, and stores no block. A full disk is in full-disks.long.test.ts.
// Source: cluster §3.

const SECRET = "s3cr3t";
interface Refusal {
  readonly what: string;
  readonly begin: readonly string[];
  readonly end: readonly string[];
  readonly summary: RegExp;
  /** In the operator log. */
  readonly code: string;
}

const REFUSALS: readonly Refusal[] = [
  {
    what: "a role that lost the right to write",
    begin: ["REVOKE INSERT ON moneta.block FROM moneta"],
    end: ["GRANT INSERT ON moneta.block TO moneta"],
    summary: /its role may not write the table of blocks \(SQLSTATE 42501\)/,
    code: "42501",
  },
  {
    what: "a lock that another session holds",
    begin: ["BEGIN", "LOCK TABLE moneta.block IN SHARE MODE"],
    end: ["COMMIT"],
    summary: /a lock on the table of blocks \(SQLSTATE 55P03\)/,
    code: "55P03",
  },
  {
    what: "a constraint that an administrator added",
    begin: ["ALTER TABLE moneta.block ADD CONSTRAINT none CHECK (height < 0) NOT VALID"],
    end: ["ALTER TABLE moneta.block DROP CONSTRAINT none"],
    summary: /it refuses them \(SQLSTATE 23514\)/,
    code: "23514",
  },
  {
    what: "a trigger that drops rows",
    begin: [
      "CREATE FUNCTION moneta.nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
      "CREATE TRIGGER nothing BEFORE INSERT ON moneta.block FOR EACH ROW EXECUTE FUNCTION moneta.nothing()",
    ],
    end: ["DROP FUNCTION moneta.nothing() CASCADE"],
    summary: /it does not keep the rows/,
    code: "dropped",
  },
];

test("cluster §3: while the engine refuses blocks, writes are refused at once, everything says why, and it ends by itself", async (t) => {
  await using engine = await PostgresServer.start({ password: SECRET });
  await engine.sql(`CREATE ROLE moneta LOGIN PASSWORD '${SECRET}'`);
  await engine.sql("GRANT CREATE ON DATABASE postgres TO moneta");
  const log = `postgres://moneta:${SECRET}@127.0.0.1:${engine.port}/postgres`;
  await using node = await ServiceProcess.start({ more: ["--log", log, "--write-seconds", "3"] });
  const ready = async (): Promise<{ status: number; text: string }> => {
    const answer = await fetch(`${node.url}/ready?for=writes`);
    return { status: answer.status, text: await answer.text() };
  };
  await until(async () => (await ready()).status === 200, "it is ready");
  assert.equal((await write(node)).status, 200);
  await using operator = await engine.connect();
  for (const { what, begin, end, summary: reported, code } of REFUSALS) {
    await t.test(what, async () => {
      for (const sql of begin) {
        await operator.query(sql);
      }
      const first = await write(node);
      assert.equal(first.status, 503);
      await until(async () => reported.test((await ready()).text), "it is known");
      const refused = await write(node);
      assert.match(refused.text, reported);
      assert.match(refused.text, /"code":"9002"/);
      assert.ok(Number(refused.retryAfter) > 0);
      const metrics = await (await fetch(`${node.url}/metrics`)).text();
      assert.match(metrics, /^moneta_writes_held\{cause="engine"\} 1$/m);
      assert.match(metrics, /^moneta_log_conflicts_total 0$/m);
      assert.equal((await fetch(`${node.url}/block`)).status, 200, "reads go on");
      const lines = node.output().split("\n");
      const notified = lines.filter((line) => line.includes(`"code":"${code}"`));
      assert.equal(notified.length, 1, node.output());
      assert.match(notified[0] ?? "", /writes are not possible now: they are answered 503/);
      for (const sql of end) {
        await operator.query(sql);
      }
      await until(async () => (await ready()).status === 200, "it ends by itself");
      assert.equal((await write(node)).status, 200);
    });
  }
});

async function write(
  node: ServiceProcess,
): Promise<{ status: number; text: string; retryAfter: string | null }> {
  const body = new URLSearchParams({ publickey: publicPem(newKey()) });
  const answer = await fetch(`${node.url}/address`, { method: "POST", body });
  const retryAfter = answer.headers.get("retry-after");
  return { status: answer.status, text: await answer.text(), retryAfter };
}
