// `node --import ./packages/cli/own-sources.mjs bench/state-tree.ts [entries ...]`: the state tree
// at the given numbers of entries (default 10^3 to 10^6): rebuild, updates, proofs, memory and
// file. One process per size, because memory is measured. Source: proofs §2.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { StateTree, sha256 } from "@moneta/ledger";

/** The id of each block. */
const BLOCK = "b".repeat(64);
const UPDATES = 5;
const PROOFS = 2000;
const [first = "1000", ...more] = process.argv.slice(2);

if (more.length > 0 || process.argv.length === 2) {
  const sizes =
    process.argv.length === 2 ? ["1000", "10000", "100000", "1000000"] : [first, ...more];
  console.log(
    "entries  rebuild s  file MB  changed  update s  hashes/entry  CPU us/entry  proof us  siblings (max)  memory MB",
  );
  for (const size of sizes) {
    const loader = process.execArgv;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [...loader, fileURLToPath(import.meta.url), size],
      { encoding: "utf8" },
    );
    process.stdout.write(stdout + stderr);
  }
} else {
  measure(Number(first));
}

function measure(entries: number): void {
  const folder = mkdtempSync(join(tmpdir(), "state-tree-"));
  const path = join(folder, "tree");
  const tree = StateTree.open(path, { ledgerId: "bench", keptRoots: "none", access: "write" });
  const rebuildS = seconds(() =>
    tree.rebuild({ height: 0, timestamp: 0, block: BLOCK }, all(entries), () => undefined),
  );
  const sizes = [100, 1000, 150_000].filter((count) => count <= entries);
  let height = 0;
  const updates = sizes.map((count) => {
    const hashes = tree.hashes;
    const cpu = process.cpuUsage();
    const updateS = seconds(() => {
      for (let round = 0; round < UPDATES; round += 1) {
        height += 1;
        tree.update({ height, timestamp: height, block: BLOCK }, some(entries, count, height));
      }
    });
    const { user, system } = process.cpuUsage(cpu);
    const changed = UPDATES * count;
    return {
      count,
      updateS: updateS / UPDATES,
      hashes: (tree.hashes - hashes) / changed,
      cpuUs: (user + system) / changed,
    };
  });
  const lengths: number[] = [];
  const reader = StateTree.open(path, { ledgerId: "bench", keptRoots: "none", access: "read" });
  const proofUs =
    (1e6 / PROOFS) *
    seconds(() => {
      for (let round = 0; round < PROOFS; round += 1) {
        const proof = reader.prove(keyOf((round * 7919) % entries), height);
        lengths.push(proof?.siblings.length ?? 0);
      }
    });
  const siblings = lengths.reduce((a, b) => a + b, 0) / PROOFS;
  const memory = process.resourceUsage().maxRSS / 1024;
  for (const [index, { count, updateS, hashes, cpuUs }] of updates.entries()) {
    const once = [rebuildS.toFixed(1), (statSync(path).size / 1e6).toFixed(1)];
    const last = [
      proofUs.toFixed(0),
      `${siblings.toFixed(1)} (${Math.max(...lengths)})`,
      memory.toFixed(0),
    ];
    const update = [count, updateS.toFixed(3), hashes.toFixed(1), cpuUs.toFixed(1)];
    const row = index === 0 ? [entries, ...once, ...update, ...last] : ["", "", "", ...update];
    console.log(row.join("  "));
  }
  reader.close();
  tree.close();
  rmSync(folder, { recursive: true });
}

function keyOf(number: number): string {
  return `balance/MT${String(number).padStart(38, "0")}/0`;
}

function* all(entries: number): Iterable<readonly [string, Uint8Array]> {
  for (let number = 0; number < entries; number += 1) {
    yield [keyOf(number), sha256.bytes(String(number))];
  }
}

/** Changes of entries spread over the tree; one in ten is new. */
function* some(
  entries: number,
  count: number,
  height: number,
): Iterable<readonly [string, Uint8Array]> {
  for (let index = 0; index < count; index += 1) {
    const number =
      index % 10 === 0
        ? entries * (height + 1) + index
        : (index * 7919 + height * 104_729) % entries;
    yield [keyOf(number), sha256.bytes(`${number} ${height}`)];
  }
}

function seconds(action: () => void): number {
  const started = performance.now();
  action();
  return (performance.now() - started) / 1000;
}
