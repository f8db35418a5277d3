import assert from "node:assert/strict";
import { test } from "node:test";
import { ClusterStage } from "../testing/cluster/cluster-stage.ts";
import { LimitedFiles, SmallTmpfs } from "../testing/disks/small-disk.ts";
import type { PostgresOptions } from "../testing/postgres/postgres-server.ts";
import { until } from "../testing/until.ts";

// The engine's disk is full. Source: cluster §9.

/** Files of 1 MB, so that little is needed to fill a disk. */
const SMALL = { walSegmentMb: 1, settings: { min_wal_size: "4MB", max_wal_size: "8MB" } };
const SECONDS = ["--turn-seconds", "2", "--write-seconds", "4"];
/** Writes to the full disk: 5.8 KB each. */
const LARGE = 250;

/** Plays the row; `fill` leaves less room than the writes need. */
async function rowOfFullDisk(
  engine: PostgresOptions,
  disk: {
    readonly fill: (stage: ClusterStage) => void;
    readonly free: (stage: ClusterStage) => void;
  },
  note: (text: string) => void,
): Promise<void> {
  await using stage = await ClusterStage.start({ engine, more: SECONDS });
  const { clients, engines, nodes } = stage;
  clients.begin();
  await clients.doneAt(nodes, 2);
  disk.fill(stage);
  const large = clients.send(await clients.large(nodes[1], LARGE), nodes[1]);
  large.catch(() => undefined);
  const refused = (): number =>
    [...clients.laterAnswers.values()].reduce((sum, one) => sum + one, 0);
  await until(() => refused() >= 20, "the disk is not full");
  for (const { url } of nodes) {
    assert.equal((await fetch(`${url}/block`)).status, 200, "reads go on");
  }
  note(
    `refused: ${JSON.stringify([...clients.laterAnswers])}; P runs: ${engines.primary.isRunning}`,
  );
  disk.free(stage);
  if (!engines.primary.isRunning) {
    // PostgreSQL has given up: its operator starts it again.
    await engines.primary.stop();
    await engines.primary.resume();
  }
  await large;
  await clients.doneAt(nodes, 2);
  await stage.check();
  await stage.verify();
}

test("cluster §3: P's disk is full: 503, no false 200, and it goes on when there is space", {
  skip: SmallTmpfs.missing() ?? false,
}, async (t) => {
  using disk = new SmallTmpfs({ megabytes: 64, isOpen: true });
  await rowOfFullDisk(
    { ...SMALL, folder: disk.folder },
    { fill: () => disk.fill(), free: () => disk.free() },
    (text) => t.diagnostic(text),
  );
});

test("cluster §3: P's files may not grow: 503, no false 200, and it goes on when they may", {
  skip: LimitedFiles.missing() ?? false,
}, async (t) => {
  await rowOfFullDisk(
    SMALL,
    {
      fill: ({ engines }) => engines.primary.limitFiles(300_000),
      free: ({ engines }) => engines.primary.limitFiles(undefined),
    },
    (text) => t.diagnostic(text),
  );
});
