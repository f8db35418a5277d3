// `node --import ./packages/cli/own-sources.mjs bench/state-proofs.ts [entries ...]`: time and
// memory of the state tree, by default at 10^3 to 10^7 entries. Source: proofs §2, §3.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { StateTree, sha256 } from "@moneta/ledger";
import { entryProof } from "@moneta/protocol";
import { TemporaryDirectory } from "../packages/node/testing/temporary-directory.ts";

const PROOFS = 2000;
const SIZES = ["1000", "10000", "100000", "1000000", "10000000"];
const given = process.argv.slice(2);

if (given.length === 1) {
  measure(Number(given[0]));
} else {
  console.log(
    "| entries | rebuild s | peak memory MB | file MB | proof us | siblings | proof bytes |",
  );
  console.log("|---|---|---|---|---|---|---|");
  for (const size of given.length === 0 ? SIZES : given) {
    const command = [...process.execArgv, fileURLToPath(import.meta.url), size];
    spawnSync(process.execPath, command, { stdio: "inherit" });
  }
}

function measure(entries: number): void {
  using folder = new TemporaryDirectory("bench-state-proofs");
  const path = join(folder.path, "tree");
  const tree = StateTree.open(path, { ledgerId: "", keptRoots: "none", access: "write" });
  const rebuildMs = timed(() => tree.rebuild({ height: 0, timestamp: 0, block: "" }, all(entries)));
  let [siblings, bytes] = [0, 0];
  const proofMs = timed(() => {
    for (let number = 0; number < PROOFS; number += 1) {
      const key = keyOf((number * 7919) % entries);
      const proof = tree.prove(key, 0)?.siblings ?? [];
      siblings += proof.length;
      const value = { free: "1000" };
      bytes += JSON.stringify(entryProof({ key, value, siblings: proof })).length;
    }
  });
  const row = [
    entries,
    (rebuildMs / 1000).toFixed(1),
    (process.resourceUsage().maxRSS / 1024).toFixed(0),
    (statSync(path).size / 1e6).toFixed(1),
    ((1000 * proofMs) / PROOFS).toFixed(0),
    (siblings / PROOFS).toFixed(1),
    (bytes / PROOFS).toFixed(0),
  ];
  console.log(`| ${row.join(" | ")} |`);
  tree.close();
}

function keyOf(number: number): string {
  return `balance/MT${String(number).padStart(38, "0")}/0`;
}

function* all(entries: number): Iterable<readonly [string, Uint8Array]> {
  for (let number = 0; number < entries; number += 1) {
    yield [keyOf(number), sha256.bytes(String(number))];
  }
}

function timed(action: () => void): number {
  const started = performance.now();
  action();
  return performance.now() - started;
}
