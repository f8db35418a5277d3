import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { lightFetch } from "../light-fetch.ts";
import { until } from "../until.ts";
import type { ClusterStage } from "./cluster-stage.ts";

// Tests that run on several stages. Source: cluster §9.

/** The time in which nodes without a barrier would make the mistake, on an idle machine. */
const MISTAKE_MS = 3000;

/** Every node appends; nothing is refused. */
export async function rowOfWrites(stage: ClusterStage, count: number): Promise<void> {
  const before = stage.clients.laterAnswers.size;
  stage.clients.begin();
  await stage.clients.doneAt(stage.nodes, count);
  await stage.check();
  assert.equal(stage.clients.laterAnswers.size, before, "no write is refused");
}

/** Row 4: kills of nodes at random moments. Returns the longest pause of the others, ms. */
export async function rowOfKills(stage: ClusterStage, kills: number): Promise<number> {
  stage.clients.begin();
  let longest = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    await stage.clients.doneAt(stage.nodes, 1);
    await delay(stage.random.integer({ min: 0, max: 300 }));
    const killed = stage.random.pick(stage.nodes);
    const others = stage.nodes.filter((node) => node !== killed);
    const since = performance.now();
    await killed.kill();
    await stage.clients.doneAt(others, 3);
    await killed.resume();
    longest = Math.max(longest, ...others.map((node) => stage.clients.longestPause(node, since)));
  }
  await stage.clients.doneAt(stage.nodes, 1);
  await stage.check();
  return longest;
}

/**
 * Row 7: P crashes and starts again while S is away, so that blocks are visible that S lacks; then
 * S comes back, P is killed and S promoted. With `isLate` S comes back only when P is killed, so
 * that it lacks P's later blocks. With `isFaulty` the row waits until nodes make the mistake of
 * showing blocks that only P has.
 */
export async function rowOfCrash(
  stage: ClusterStage,
  { isLate, isFaulty = false }: { readonly isLate: boolean; readonly isFaulty?: boolean },
): Promise<void> {
  const { clients, engines } = stage;
  clients.begin();
  await clients.done(10);
  // A stop in order may take longer than an INSERT waits.
  await engines.standby.kill();
  // A lease's commit may wait, too, but shows nothing that could be lost.
  await engines.primary.waitFor(
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE 'INSERT INTO "moneta"."block" %'`,
    ({ n }) => n > 0,
  );
  await engines.primary.kill();
  await engines.primary.resume();
  await (isFaulty ? mistakeIsMade(stage) : delay(MISTAKE_MS));
  if (isLate) {
    await Promise.all([engines.primary.kill(), engines.standby.resume()]);
  } else {
    await engines.standby.resume();
    await engines.standbyIsBack();
    await clients.done(10);
    await engines.primary.kill();
  }
  engines.promote();
  await clients.done(10);
  await engines.attachStandby();
  await clients.done(10);
}

async function mistakeIsMade({ engines, nodes }: ClusterStage): Promise<void> {
  const [newest] = await engines.primary.sql("SELECT max(height)::int AS height FROM moneta.block");
  const height = newest?.["height"] as number;
  const shows = async ({ url }: { readonly url: string }): Promise<boolean> =>
    Number(await (await lightFetch(`${url}/block`)).text()) >= height;
  await until(
    async () => (await Promise.all(nodes.map(shows))).includes(true),
    `no node shows block ${height}, which only P has`,
  );
}
