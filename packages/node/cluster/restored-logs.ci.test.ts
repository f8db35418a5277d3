import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { runMoneta } from "../testing/service-process.ts";
import { type KeyHolder, summaryOf, TestNode, transactionIdOf } from "../testing/test-node.ts";
import { until } from "../testing/until.ts";

test("cluster §6: P restored to an hour before, every node says 9006, and rebuild lists what is gone", async () => {
  await using p = await PostgresServer.start();
  const log = ["--log", p.url, "--turn-seconds", "2"];
  await using a = await TestNode.start(...log);
  await using b = await TestNode.start(...log);
  const holder = await a.holder({ coins: 3n });
  await untilHeight(b, await a.height());
  await p.stop();
  const hourBefore = p.copy();
  await p.resume();
  const gone = [await pay(a, a.treasury, holder, "11"), await pay(b, a.treasury, holder, "12")];
  await untilHeight(a, await b.height());
  await p.stop();
  p.restore(hourBefore);
  await p.resume();

  for (const node of [a, b]) {
    const text = await until(async () => {
      const answer = await node.get("/block");
      return summaryOf(answer) === "503 9006" ? answer.text : undefined;
    }, "503 9006");
    assert.match(text, /[0-9a-f]{64}/);
  }
  await a.stop();
  const rebuilt = await runMoneta("rebuild", a.data, "--log", p.url);
  assert.equal(rebuilt.exitCode, 0, rebuilt.output);
  const lines = rebuilt.output.split("\n").filter((line) => line.startsWith("{"));
  const lost = lines.map(
    (line) => JSON.parse(line) as { transaction_id: string; operation: { signatures: object } },
  );
  assert.deepEqual(lost.map(({ transaction_id: id }) => id).sort(), gone.sort());
  assert.ok(lost.every(({ operation }) => "signature" in operation.signatures));
  const kept = readdirSync(a.data).find((file) => /^lost-after-\d+-\d+\.ndjson$/.test(file));
  assert.equal(readFileSync(join(a.data, kept ?? ""), "utf8"), `${lines.join("\n")}\n`);
  const again = await runMoneta("rebuild", a.data, "--log", p.url);
  assert.doesNotMatch(again.output, /^\{/m, "nothing more is gone");
  await a.resume();
  const balance = await a.get(`/balance/${holder.address}/0`);
  assert.match(balance.text, /"balance":"3"/);
  await pay(a, a.treasury, holder);
});

test("cluster §6: no node takes the old primary, started again beside the promoted one and listed first", async () => {
  await using old = await PostgresServer.start();
  await using replica = await old.standby();
  const hosts = `127.0.0.1:${old.port},127.0.0.1:${replica.port}`;
  const log = ["--log", old.urlAt(hosts), "--turn-seconds", "2"];
  await using a = await TestNode.start(...log);
  const holder = await a.holder({ coins: 1n });
  await old.kill();
  replica.promote();
  await pay(a, a.treasury, holder);
  old.commitsAloneFromNowOn();
  await old.resume();
  await pay(a, a.treasury, holder);
  // A node that starts now, and one that has seen the promoted primary and finds the old one alone.
  await using b = await TestNode.start(...log);
  await pay(b, a.treasury, holder);
  await untilHeight(a, await b.height());
  await replica.stop();
  const body = await a.fullTransfer(a.treasury, { to: holder.address, amount: "1" });
  const refused = await a.post("/transfer", body);
  assert.equal(refused.status, 503, refused.text);
  await replica.resume();
  await pay(a, a.treasury, holder);
  const heights = async (of: PostgresServer): Promise<number> =>
    Number((await of.sql("SELECT max(height) AS height FROM moneta.block"))[0]?.["height"]);
  assert.equal(await heights(replica), await a.height());
  assert.ok((await heights(old)) < (await heights(replica)), "nothing was written to the old one");
});

/** Sends a payment of the treasury again until it is done, at a node of its cluster. */
async function pay(node: TestNode, from: KeyHolder, to: KeyHolder, amount = "1"): Promise<string> {
  const body = await node.fullTransfer(from, { to: to.address, amount });
  return await until(async () => {
    const answer = await node.post("/transfer", body);
    return answer.status === 503 ? undefined : transactionIdOf(answer);
  }, "paid");
}

async function untilHeight(node: TestNode, height: number): Promise<void> {
  const answer = await until(async () => {
    const got = await node.get("/block", { "Ledger-Height-Min": String(height) });
    return got.status === 503 ? undefined : got;
  }, `at block ${height}`);
  assert.equal(answer.status, 200, answer.text);
}
