import assert from "node:assert/strict";
import fs, { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { SyncFailure } from "../../sync-failure.ts";
import { TimelineFile } from "./timeline.ts";

const folder = mkdtempSync(join(tmpdir(), "moneta-timeline-"));
after(() => rmSync(folder, { recursive: true }));

test("cluster §6: a timeline that the disk does not take is known all the same, and stored by a later call", () => {
  const file = join(folder, "timeline");
  const timelines = new TimelineFile(file);
  timelines.remember(1);
  // Nothing can be written where it is written first.
  mkdirSync(`${file}.part`);
  timelines.remember(2);
  assert.equal(timelines.highest, 2);
  assert.match(timelines.unkept ?? "", /EISDIR/);
  assert.equal(readFileSync(file, "utf8"), "1\n");
  rmdirSync(`${file}.part`);
  timelines.remember(1);
  assert.deepEqual([timelines.highest, timelines.unkept], [2, undefined]);
  assert.equal(new TimelineFile(file).highest, 2);
});

test("a timeline that could not be synced to the disk is stored by a later call", (t) => {
  const file = join(folder, "unsynced");
  const timelines = new TimelineFile(file);
  const fails = t.mock.method(fs, "fsyncSync", () => {
    throw new Error("EIO");
  });
  syncBuiltinESMExports();
  assert.throws(() => timelines.remember(2), SyncFailure);
  fails.mock.restore();
  syncBuiltinESMExports();
  assert.match(timelines.unkept ?? "", /EIO/);
  timelines.remember(2);
  assert.deepEqual([timelines.unkept, new TimelineFile(file).highest], [undefined, 2]);
});
