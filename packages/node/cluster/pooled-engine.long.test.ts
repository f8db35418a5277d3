import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { EngineUrl, SYSTEM_TIME } from "@moneta/ledger";
import { openEngine } from "@moneta/ledger/postgres";
import { rowOfCrash, rowOfKills, rowOfWrites } from "../testing/cluster/cluster-rows.ts";
import { ClusterStage } from "../testing/cluster/cluster-stage.ts";
import { Pooler } from "../testing/postgres/pooler.ts";

// A pooler in transaction mode before P, and one before S. Source: cluster §9.

const skip = Pooler.missing() ?? false;
/** Two of `--turn-seconds`, ms: one, and what a busy machine adds. */
const PAUSE_MOST_MS = 10_000;

let stage: ClusterStage;
let poolers: readonly Pooler[] = [];
before(async () => {
  if (skip !== false) {
    return;
  }
  stage = await ClusterStage.start({
    async logOf(index, { primary, standby }) {
      if (index === 0) {
        poolers = [await Pooler.before(primary), await Pooler.before(standby)];
      }
      return primary.urlAt(poolers.map(({ port }) => `127.0.0.1:${port}`).join(","));
    },
  });
});
after(async () => {
  await stage?.[Symbol.asyncDispose]();
  for (const pooler of poolers) {
    await pooler[Symbol.asyncDispose]();
  }
});

test("cluster §3: a pooler is noticed, so that no node listens behind it", { skip }, async () => {
  const { primary } = stage.engines;
  const timelines = { highest: 0, remember: () => undefined };
  const isPooled = async (port: number): Promise<boolean | undefined> => {
    const url = EngineUrl.parse(primary.urlAt(`127.0.0.1:${port}`));
    const engine = await openEngine(url, { timelines, time: SYSTEM_TIME });
    const connection = await engine.connect({ timeoutMs: 60_000 });
    connection.end();
    return connection.isPooled;
  };
  assert.equal(await isPooled(primary.port), false);
  assert.equal(await isPooled(poolers[0]?.port as number), true);
});

test("cluster §3: through a pooler, all nodes append to one chain", {
  skip,
}, async (t) => {
  t.diagnostic(`TEST_SEED=${stage.random.seed}`);
  await rowOfWrites(stage, 300);
});

test("cluster §1.4: SIGKILL of a node delays the others for a turn at most", {
  skip,
}, async (t) => {
  const longest = await rowOfKills(stage, 10);
  t.diagnostic(`longest pause of the others: ${longest} ms`);
  assert.ok(longest <= PAUSE_MOST_MS, `${longest} ms`);
});

test("cluster §3: crashes of P while S is away lose nothing", { skip }, async () => {
  await rowOfCrash(stage, { isLate: false });
  await rowOfCrash(stage, { isLate: true });
  await stage.check();
});

test("cluster §3: after these rows moneta verify finds every node sound", {
  skip,
}, async () => {
  await stage.verify();
});
