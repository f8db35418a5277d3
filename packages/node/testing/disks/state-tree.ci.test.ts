import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { DamagedStateTree, StateTree } from "@moneta/ledger";
import { byLane } from "../../../ledger/testing/lane.ts";
import { SeededRandom } from "../seeded-random.ts";
import { TemporaryDirectory } from "../temporary-directory.ts";
import { imagesAfterCuts, parseDiskLog } from "./cut-disk.ts";
import { ObservedDisk } from "./observed-disk.ts";
import { openTree, TREE_STEPS, treeStep } from "./tree-writes.ts";

const CUTS = byLane({ quick: 60, long: 1500 });
const WRITES = new URL("tree-writes.ts", import.meta.url).href;
const SOURCES = fileURLToPath(new URL("../../../cli/own-sources.mjs", import.meta.url));

test("proofs §2: after a power cut at any moment the state tree has its last root or the next one", {
  skip: ObservedDisk.missing() ?? false,
}, (t) => {
  using disk = new ObservedDisk();
  using directory = new TemporaryDirectory("tree-cuts");
  const [data, log] = [join(directory.path, "data"), join(directory.path, "disk.log")];
  mkdirSync(data);
  const program = `(await import(${JSON.stringify(WRITES)})).writeTree(${JSON.stringify(data)}, ${JSON.stringify(log)})`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", SOURCES, "--input-type=module", "--eval", program],
    { env: { ...process.env, ...disk.environment(data, { log }) }, encoding: "utf8" },
  );
  assert.equal(status, 0, stderr);
  const records = parseDiskLog(readFileSync(log));
  const roots = records.flatMap((one) => (one.kind === "client" ? [one.text.split(" ")[2]] : []));
  assert.equal(roots.length, TREE_STEPS);

  const random = new SeededRandom();
  t.diagnostic(`TEST_SEED=${random.seed}`);
  for (const { image, at } of imagesAfterCuts(records, { random, count: CUTS, from: 1 })) {
    const made = records.slice(0, at).filter(({ kind }) => kind === "client").length - 1;
    const tree = openedAfter(image, made);
    const { newest } = tree;
    const height = newest?.height ?? -1;
    assert.ok(height === made || height === made + 1, `root ${height} after root ${made}`);
    if (newest !== undefined) {
      assert.equal(Buffer.from(newest.root).toString("hex"), roots[height]);
      assert.ok(tree.prove("key/1", height) !== undefined);
    }
    // Updates continue normally.
    for (let next = height + 1; next < Math.min(height + 3, TREE_STEPS); next += 1) {
      assert.equal(Buffer.from(treeStep(tree, next).root).toString("hex"), roots[next]);
    }
    tree.close();
  }
});

/** An incomplete new file may be damaged: then it is removed, and the tree is rebuilt. */
function openedAfter(image: string, made: number): StateTree {
  try {
    return openTree(image);
  } catch (thrown) {
    assert.ok(thrown instanceof DamagedStateTree && made === -1, String(thrown));
    StateTree.remove(join(image, "tree"));
    return openTree(image);
  }
}
