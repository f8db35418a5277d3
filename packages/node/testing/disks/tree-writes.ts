import { appendFileSync } from "node:fs";
import { type KeptRoot, StateTree, sha256 } from "@moneta/ledger";

/** Steps of a history; the last two follow a rebuild. */
export const TREE_STEPS = 9;
const REBUILD = 6;
const KEYS = 500;

export function openTree(folder: string): StateTree {
  const path = `${folder}/tree`;
  return StateTree.open(path, { ledgerId: "ledger", keptRoots: "day", access: "write" });
}

/** Makes the root of one step, which must follow the previous step; two steps a day. */
export function treeStep(tree: StateTree, height: number): KeptRoot {
  const at = { height, timestamp: height * 43_200, block: "b".repeat(64) };
  return height === 0 || height === REBUILD
    ? tree.rebuild(at, entriesAt(height))
    : tree.update(at, changesAt(height));
}

/** Runs in its own process: makes all steps on an observed disk and logs each root. */
export function writeTree(folder: string, log: string): void {
  const tree = openTree(folder);
  for (let height = 0; height < TREE_STEPS; height += 1) {
    const { root } = treeStep(tree, height);
    appendFileSync(log, `client root ${height} ${Buffer.from(root).toString("hex")}\n`);
  }
  tree.close();
}

function* changesAt(height: number): Iterable<[string, Uint8Array | undefined]> {
  for (let index = 0; index < 60; index += 1) {
    const number = (index * 37 + height * 101) % KEYS;
    yield [
      `key/${number}`,
      (number + height) % 5 === 0 ? undefined : sha256.bytes(`${number} ${height}`),
    ];
  }
}

function entriesAt(height: number): Iterable<[string, Uint8Array]> {
  const entries = new Map<string, Uint8Array>();
  for (let number = 0; number < KEYS; number += 1) {
    entries.set(`key/${number}`, sha256.bytes(`${number}`));
  }
  for (let step = 1; step <= height; step += 1) {
    for (const [key, valueHash] of changesAt(step)) {
      if (valueHash === undefined) {
        entries.delete(key);
      } else {
        entries.set(key, valueHash);
      }
    }
  }
  return entries;
}
