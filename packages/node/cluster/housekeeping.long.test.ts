import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { type TestContext, test } from "node:test";
import { ClusterWrites } from "../testing/cluster/cluster-writes.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { ServiceProcess } from "../testing/service-process.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { until } from "../testing/until.ts";
import { holderOf } from "../testing/webhook-holder.ts";
import { WebhookReceiver } from "../testing/webhook-receiver.ts";

test("row 20: a webhook and the holder of its lease, killed and then stopped", async (t) => {
  await using engine = await PostgresServer.start();
  await using receiver = await WebhookReceiver.listen();
  using directory = new TemporaryDirectory("row-20");
  const more = [...receiver.flags(directory.path), "--log", engine.url];
  await using a = await ServiceProcess.start({ more });
  await using b = await ServiceProcess.start({ more });
  await using c = await ServiceProcess.start({ more });
  let running = [a, b, c];
  await notePositions(engine);
  await using writes = new ClusterWrites(() => running);

  await receiver.comes(3);
  const killed = await holderOf(running);
  running = running.filter((node) => node !== killed);
  await killed.kill();
  await goesOn(t, receiver, "SIGKILL");

  // Stopped during a delivery: the next holder repeats it.
  const stopped = await holderOf(running);
  const held = Promise.withResolvers<ServerResponse>();
  receiver.answers.push(held.resolve);
  const response = await held.promise;
  process.kill(stopped.pid, "SIGSTOP");
  running = running.filter((node) => node !== stopped);
  const id = receiver.ids.at(-1) ?? "";
  await goesOn(t, receiver, "SIGSTOP");
  // The next holder may begin with some that came before.
  await receiver.comesAgain(id);
  const before = receiver.deliveries.length;
  process.kill(stopped.pid, "SIGCONT");
  response.end();
  running.push(stopped);
  await receiver.comes(before + 20);
  // Positions are stored several times a second during deliveries.
  await until(async () => (await positionsIn(engine)).length > 10);
  await writes.end();
  await receiver.comesWhole(writes.ids);
  const positions = await positionsIn(engine);
  assert.deepEqual(positions, positions.toSorted(), "the position never goes back");
});

/** Waits until another node delivers. */
async function goesOn(t: TestContext, receiver: WebhookReceiver, after: string): Promise<void> {
  const since = performance.now();
  const before = receiver.deliveries.length;
  // Deliveries that were sent before the kill may arrive late.
  await receiver.comes(before + 3);
  t.diagnostic(`${after}: another node delivers after ${Math.round(performance.now() - since)} ms`);
}

/** Stores each position that the webhook has, in their order. */
async function notePositions(engine: PostgresServer): Promise<void> {
  await engine.sql(
    `CREATE TABLE moneta.position (number serial, after text);
    CREATE FUNCTION moneta.note_position() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO moneta.position (after) VALUES (NEW.after); RETURN NEW; END $$;
    CREATE TRIGGER noted BEFORE UPDATE ON moneta.webhook FOR EACH ROW EXECUTE FUNCTION moneta.note_position()`,
  );
}

async function positionsIn(engine: PostgresServer): Promise<readonly string[]> {
  const rows = await engine.sql("SELECT after FROM moneta.position ORDER BY number");
  return rows.map(({ after }) => String(after));
}
