import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { lightFetch } from "../light-fetch.ts";
import { until } from "../until.ts";
import type { ClusterStage } from "./cluster-stage.ts";

// Tests that run on several stages. Source: cluster §9.

/** The time in which nodes without a barrier would make the mistake, on an idle machine. */
const MISTAKE_MS = 3000;
/** Of S, until one comes when a node appends. */
const KILLS_MAX = 20;

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
  await killStandbyBeforeBlock(stage);
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

/** Kills S so that a block waits for it. */
async function killStandbyBeforeBlock({ clients, engines, nodes }: ClusterStage): Promise<void> {
  for (let kills = 1; ; kills += 1) {
    await clients.done(10);
    // A stop in order may take longer than an INSERT waits.
    await engines.standby.kill();
    const waiting = await until(async () => {
      const [found] = await engines.primary.sql(
        `SELECT count(*)::int AS commits, (count(*) FILTER (WHERE query LIKE 'INSERT INTO "moneta"."block" %'))::int AS blocks
         FROM pg_stat_activity WHERE wait_event = 'SyncRep'`,
      );
      const [commits, blocks] = [Number(found?.["commits"]), Number(found?.["blocks"])];
      return blocks > 0 ? "a block" : commits >= nodes.length ? "no block" : undefined;
    }, "no commit waits for S");
    if (waiting === "a block") {
      return;
    }
    // Each node waits for S before it could append: these commits show nothing that could be lost.
    assert.ok(kills < KILLS_MAX, `no block waits for S after ${kills} kills`);
    await engines.standby.resume();
    await engines.standbyIsBack();
  }
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
