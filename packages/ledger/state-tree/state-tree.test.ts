import assert from "node:assert/strict";
import fs, { mkdtempSync, rmSync, statSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bitOfPath, statePath, stateRoot } from "@moneta/protocol";
import { StorageFailure } from "../database.ts";
import { sha256 } from "../sha256.ts";
import { byLane } from "../testing/lane.ts";
import { DamagedStateTree } from "./damaged-state-tree.ts";
import { EntryBatch } from "./entry-batch.ts";
import type { KeptRoots } from "./kept-roots.ts";
import { PageFile } from "./page-file.ts";
import { StateTree } from "./state-tree.ts";
import { TreeHasher } from "./tree-pages.ts";
import { entryProof, rootOfProof } from "./tree-proof.ts";
import { TreeUpdate } from "./tree-update.ts";

const LEDGER = "ledger.example/main";
/** The id of each block. */
const BLOCK = "b".repeat(64);
const DAY = 86_400;

type Change = readonly [key: string, valueHash: Uint8Array | undefined];

/** A tree in its own directory, and the entries that it must have by definition. */
class CheckedTree implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "state-tree-"));
  readonly path: string = join(this.folder, "tree");
  readonly keptRoots: KeptRoots;
  entries: Map<string, Uint8Array> = new Map();
  height = -1;
  tree: StateTree;

  constructor(keptRoots: KeptRoots = "none") {
    this.keptRoots = keptRoots;
    this.tree = this.open("write");
  }

  open(access: "read" | "write"): StateTree {
    const { keptRoots } = this;
    return StateTree.open(this.path, { ledgerId: LEDGER, keptRoots, access });
  }

  reopen(): void {
    this.tree.close();
    this.tree = this.open("write");
  }

  /** Changes the tree and, if that succeeds, the expected entries. */
  update(changes: readonly Change[], timestamp = this.height + 1): void {
    const at = { height: this.height + 1, timestamp, block: BLOCK };
    this.tree.update(at, changes);
    this.height += 1;
    this.entries = changed(this.entries, changes);
  }

  rebuild(): void {
    this.height += 1;
    this.tree.rebuild({ height: this.height, timestamp: this.height, block: BLOCK }, this.entries);
  }

  check(): void {
    assert.equal(hex(this.tree.newest?.root), hex(rootOf(this.entries)));
    assert.equal(this.tree.newest?.height, this.height);
  }

  [Symbol.dispose](): void {
    this.tree.close();
    rmSync(this.folder, { recursive: true });
  }
}

function changed(
  entries: ReadonlyMap<string, Uint8Array>,
  changes: readonly Change[],
): Map<string, Uint8Array> {
  const next = new Map(entries);
  for (const [key, valueHash] of changes) {
    if (valueHash === undefined) {
      next.delete(key);
    } else {
      next.set(key, valueHash);
    }
  }
  return next;
}

function rootOf(entries: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const leaves = [...entries].map(([key, valueHash]) => ({
    path: statePath(sha256, key),
    valueHash,
  }));
  return stateRoot(sha256, leaves);
}

function hex(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString("hex");
}

function value(number: number): Uint8Array {
  return sha256.bytes(`value ${number}`);
}

/** Pseudo-random numbers from a seed (linear congruential generator). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Keys whose paths begin with the same bits. */
function keysThatShare(bits: number, count: number): string[] {
  const keys: string[] = [];
  for (let index = 0; keys.length < count; index += 1) {
    const path = statePath(sha256, `shared/${index}`);
    let zeros = 0;
    while (zeros < bits && bitOfPath(path, zeros) === 0) {
      zeros += 1;
    }
    if (zeros === bits) {
      keys.push(`shared/${index}`);
    }
  }
  return keys;
}

/** Checks proofs of existing and missing keys by computing the root from each. */
function checkProofs(
  tree: StateTree,
  at: { readonly height: number; readonly entries: ReadonlyMap<string, Uint8Array> },
  keys: Iterable<string>,
): void {
  const root = hex(rootOf(at.entries));
  for (const key of keys) {
    const path = statePath(sha256, key);
    const proof = tree.prove(key, at.height);
    assert.ok(proof !== undefined && proof.siblings.length <= 256);
    assert.equal(hex(proof.valueHash), hex(at.entries.get(key)), key);
    assert.equal(hex(rootOfProof(path, proof)), root, key);
    if (proof.other !== undefined) {
      assert.notEqual(hex(proof.other.path), hex(path));
      assert.equal(proof.valueHash, undefined);
    }
  }
}

const SHARING = [...keysThatShare(12, 30), ...keysThatShare(16, 2)];

for (const { what, keys, changes, rounds } of [
  { what: "few entries", keys: 30, changes: 12, rounds: 60 },
  { what: "entries that are added and removed", keys: 400, changes: 150, rounds: 40 },
  { what: "many entries", keys: 5000, changes: 3000, rounds: byLane({ quick: 4, long: 40 }) },
]) {
  test(`proofs §2.1: the root of ${what} is that of the definition after each update`, () => {
    using checked = new CheckedTree();
    const next = numbers(keys);
    for (let round = 0; round < rounds; round += 1) {
      // Rounds that mostly add, and rounds that mostly remove.
      const removes = round % 4 === 3 ? 0.8 : 0.2;
      checked.update(
        Array.from({ length: next(changes) + 1 }, () => {
          const number = next(keys);
          const key = number < SHARING.length ? (SHARING[number] as string) : `key/${number}`;
          return [key, next(100) < removes * 100 ? undefined : value(next(3))];
        }),
      );
      checked.check();
    }
    const { height, entries } = checked;
    const absent = Array.from({ length: 300 }, (_, index) => `absent/${index}`);
    checkProofs(checked.tree, { height, entries }, [...entries.keys(), ...absent, ...SHARING]);
    checked.reopen();
    checked.update([]);
    checked.check();
    checked.update([...entries.keys()].map((key) => [key, undefined]));
    checked.check();
    checkProofs(checked.tree, checked, absent.slice(0, 3));
  });
}

test("paths that differ only in their last bits have proofs of at most 256 siblings", () => {
  using checked = new CheckedTree();
  const file = PageFile.create(join(checked.folder, "deep"), LEDGER);
  // Such keys cannot be found in practice, so the paths are given directly.
  const leaves = Array.from({ length: 40 }, (_, index) => {
    const path = Buffer.alloc(32, 0xa5);
    path[31] = index * 5;
    return { path, valueHash: value(index) };
  });
  leaves.push({ path: Buffer.alloc(32, 0xa4), valueHash: value(0) });
  const batchOf = (some: typeof leaves): EntryBatch => {
    const batch = new EntryBatch();
    batch.addLeaves(Buffer.concat(some.flatMap(({ path, valueHash }) => [path, valueHash])));
    batch.sort();
    return batch;
  };
  const update = new TreeUpdate(file, new TreeHasher(), undefined);
  for (const some of [leaves.slice(0, 10), leaves.slice(10, 31), leaves.slice(31)]) {
    update.apply(batchOf(some));
  }
  const root = hex(stateRoot(sha256, leaves));
  assert.equal(hex(update.top.root), root);
  const lengths = leaves.map(({ path, valueHash }) => {
    const proof = entryProof(file, update.top, path);
    assert.equal(hex(proof.valueHash), hex(valueHash));
    assert.equal(hex(rootOfProof(path, proof)), root);
    return proof.siblings.length;
  });
  assert.ok(Math.max(...lengths) > 250 && Math.max(...lengths) <= 256);
  for (const last of [1, 2, 199, 255]) {
    const path = Buffer.alloc(32, 0xa5);
    path[31] = last;
    const proof = entryProof(file, update.top, path);
    assert.equal(proof.valueHash, undefined);
    assert.equal(hex(rootOfProof(path, proof)), root);
  }
  file.close();
});

test("a rebuild yields the same root as updates, and updates continue from it", () => {
  using checked = new CheckedTree();
  checked.update(
    Array.from({ length: 2000 }, (_, index) => [SHARING[index] ?? `key/${index}`, value(index)]),
  );
  const root = hex(checked.tree.newest?.root);
  using again = new CheckedTree();
  again.entries = new Map([...checked.entries].reverse());
  const reader = again.open("read");
  assert.deepEqual(reader.kept, []);
  again.rebuild();
  assert.equal(hex(again.tree.newest?.root), root);
  assert.equal(hex(reader.newest?.root), root, "a reader follows to the new file");
  reader.close();
  again.update([["key/1500", undefined]]);
  again.check();
  again.reopen();
  checkProofs(again.tree, again, ["key/1500", "key/1501"]);
});

test("proofs §2: the newest two roots and the last of each UTC day stay provable", () => {
  using checked = new CheckedTree("day");
  const next = numbers(1);
  const past: { height: number; timestamp: number; entries: Map<string, Uint8Array> }[] = [];
  for (let round = 0; round < 12; round += 1) {
    // Three roots a day.
    const timestamp = Math.floor((round * DAY) / 3);
    checked.update(
      Array.from({ length: 200 }, () => [
        `key/${next(600)}`,
        next(4) === 0 ? undefined : value(next(1e6)),
      ]),
      timestamp,
    );
    past.push({ height: checked.height, timestamp, entries: new Map(checked.entries) });
    if (round === 7) {
      checked.reopen();
    }
  }
  const reader = checked.open("read");
  for (const { height, entries } of past) {
    const isKept = height % 3 === 2 || height >= past.length - 2;
    assert.equal(
      reader.kept.some((root) => root.height === height),
      isKept,
    );
    if (isKept) {
      checkProofs(reader, { height, entries }, [...entries.keys(), "absent"]);
    } else {
      assert.equal(reader.prove("key/1", height), undefined);
    }
  }
  reader.close();
});

for (const keptRoots of ["none", "day"] as const) {
  test(`the file stops growing at constant state, with the roots of ${keptRoots}`, () => {
    using checked = new CheckedTree(keptRoots);
    const next = numbers(2);
    const change = (count: number): void =>
      checked.update(Array.from({ length: count }, () => [`key/${next(3000)}`, value(next(1e6))]));
    change(20_000);
    for (let round = 0; round < 30; round += 1) {
      change(100);
    }
    const { size } = statSync(checked.path);
    for (let round = 0; round < 60; round += 1) {
      change(100);
    }
    assert.ok(statSync(checked.path).size <= size * 1.05);
    checked.check();
  });
}

test("the pages of dropped roots become free", () => {
  using checked = new CheckedTree("day");
  const changes = (round: number): Change[] =>
    Array.from({ length: 800 }, (_, index) => [`key/${index}`, value(index + round)]);
  for (let day = 0; day < 6; day += 1) {
    checked.update(changes(day), day * DAY);
  }
  assert.equal(checked.tree.kept.length, 6);
  checked.tree.close();
  const { size } = statSync(checked.path);
  const options = { ledgerId: LEDGER, keptRoots: "none", access: "write" } as const;
  checked.tree = StateTree.open(checked.path, options);
  for (let day = 6; day < 20; day += 1) {
    checked.update(changes(day), day * DAY);
    checked.check();
  }
  assert.equal(checked.tree.kept.length, 2);
  assert.ok(statSync(checked.path).size <= size * 1.2);
});

test("a changed bit in any page is detected before a root is returned", () => {
  using checked = new CheckedTree();
  const keys = Array.from({ length: 300 }, (_, index) => `key/${index}`);
  checked.update(keys.map((key) => [key, value(0)]));
  checked.update(keys.map((key) => [key, value(1)]));
  checked.tree.close();
  const sound = fs.readFileSync(checked.path);
  const next = numbers(3);
  const all = keys.map((key): Change => [key, value(2)]);
  const expected = hex(rootOf(changed(checked.entries, all)));
  let found = 0;
  for (let page = 0; page < sound.length / 2048; page += 1) {
    const flipped = Buffer.from(sound);
    const at = page * 2048 + next(2048);
    flipped[at] = (flipped[at] as number) ^ (1 << next(8));
    fs.writeFileSync(checked.path, flipped);
    let tree: StateTree | undefined;
    try {
      tree = checked.open("write");
      const proof = tree.prove("key/5", checked.height);
      assert.ok(proof === undefined || hex(proof.valueHash) === hex(value(1)));
      const { root } = tree.update({ height: checked.height + 1, timestamp: 9, block: BLOCK }, all);
      assert.equal(hex(root), expected);
    } catch (thrown) {
      assert.ok(thrown instanceof DamagedStateTree, String(thrown));
      found += 1;
    } finally {
      tree?.close();
    }
  }
  // The other pages are free or belong to the previous root.
  assert.ok(found > sound.length / 2048 / 3, `${found} of ${sound.length / 2048}`);
  fs.writeFileSync(checked.path, sound);
  checked.tree = checked.open("write");
});

for (const { what, damage, message } of [
  { what: "cut off", damage: (file: Buffer) => file.subarray(0, -2048), message: /cut off/ },
  { what: "empty", damage: () => Buffer.alloc(0), message: /cut off/ },
  { what: "not a tree", damage: () => Buffer.alloc(65_536, "x"), message: /no header/ },
]) {
  test(`a file that is ${what} is refused`, () => {
    using checked = new CheckedTree();
    checked.update([["a", value(1)]]);
    checked.tree.close();
    const sound = fs.readFileSync(checked.path);
    fs.writeFileSync(checked.path, damage(sound));
    const use = (): void => {
      const tree = checked.open("write");
      tree.update({ height: 1, timestamp: 1, block: BLOCK }, [["a", undefined]]);
    };
    assert.throws(
      use,
      (thrown) => thrown instanceof DamagedStateTree && message.test(thrown.message),
    );
    fs.writeFileSync(checked.path, sound);
    checked.tree = checked.open("write");
  });
}

test("the tree of another ledger is refused", () => {
  using checked = new CheckedTree();
  const options = { ledgerId: "other", keptRoots: "none", access: "write" } as const;
  assert.throws(() => StateTree.open(checked.path, options), DamagedStateTree);
});

/** Makes the n-th call of a system function fail. */
function failing(name: "writeSync" | "fdatasyncSync", nth: number, code: string): Disposable {
  const original = fs[name] as (...given: unknown[]) => unknown;
  let calls = 0;
  (fs as unknown as Record<string, unknown>)[name] = (...given: unknown[]) => {
    calls += 1;
    if (calls === nth) {
      if (name === "writeSync") {
        // Part of the data reaches the disk.
        const [descriptor, bytes, offset, length, position] = given;
        original(descriptor, bytes, offset, Math.floor((length as number) / 2), position);
      }
      throw Object.assign(new Error(`${code}: it fails`), { code });
    }
    return original(...given);
  };
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]: () => {
      (fs as unknown as Record<string, unknown>)[name] = original;
      syncBuiltinESMExports();
    },
  };
}

for (const { name, code, reason } of [
  { name: "writeSync", code: "ENOSPC", reason: "the disk is full" },
  { name: "writeSync", code: "EIO", reason: "the disk refuses to be written" },
  { name: "fdatasyncSync", code: "EIO", reason: "the disk refuses to be written" },
] as const) {
  test(`${code} of ${name} at any moment of an update leaves the old root or the new one`, () => {
    using checked = new CheckedTree();
    const next = numbers(4);
    const draw = (): Change[] =>
      Array.from({ length: 400 }, () => [`key/${next(900)}`, value(next(1e6))]);
    checked.update(draw());
    let failures = 0;
    for (let nth = 1; ; nth += 1) {
      const before = hex(checked.tree.newest?.root);
      const changes = draw();
      {
        using _disk = failing(name, nth, code);
        try {
          checked.update(changes);
          break;
        } catch (thrown) {
          assert.ok(thrown instanceof StorageFailure, String(thrown));
          assert.equal(thrown.reason, reason);
          failures += 1;
        }
      }
      const found = hex(checked.tree.newest?.root);
      checked.reopen();
      assert.equal(hex(checked.tree.newest?.root), found, "a new process reads the same root");
      const root = hex(checked.tree.newest?.root);
      if (root !== before) {
        assert.equal(root, hex(rootOf(changed(checked.entries, changes))));
        checked.entries = changed(checked.entries, changes);
        checked.height += 1;
      }
      checkProofs(checked.tree, checked, ["key/1", "key/2"]);
      checked.update(draw());
      checked.check();
    }
    assert.ok(failures >= (name === "fdatasyncSync" ? 2 : 3), String(failures));
  });
}

test("after a failed write the tree continues; after a failed header it has the state on the disk", () => {
  using checked = new CheckedTree();
  checked.update([["a", value(1)]]);
  {
    using _disk = failing("writeSync", 1, "ENOSPC");
    assert.throws(() => checked.update([["b", value(1)]]), StorageFailure);
  }
  checked.update([["b", value(2)]]);
  checked.check();
  {
    using _disk = failing("fdatasyncSync", 2, "EIO");
    assert.throws(() => checked.update([["c", value(3)]]), StorageFailure);
  }
  // The write of the header had succeeded.
  checked.height += 1;
  checked.entries.set("c", value(3));
  checked.check();
  checked.update([["c", value(4)]]);
  checked.check();
});

test("the transaction that claims a root is stored with it; removing the tree removes all files", () => {
  using checked = new CheckedTree("day");
  checked.update([["a", value(1)]], 0);
  checked.update([["a", value(2)]], DAY);
  checked.tree.noteClaim(0, 41);
  checked.tree.noteClaim(7, 43);
  checked.update([["a", value(3)]], DAY + 1);
  checked.update([["a", value(4)]], DAY + 2);
  const reader = checked.open("read");
  assert.deepEqual(
    reader.kept.map(({ height, claim }) => [height, claim]),
    [
      [0, 41],
      [2, undefined],
      [3, undefined],
    ],
  );
  checked.tree.close();
  StateTree.remove(checked.path);
  assert.deepEqual([reader.newest, fs.readdirSync(checked.folder)], [undefined, []]);
  checked.reopen();
  assert.equal(checked.tree.newest, undefined);
});

test("a rebuild that fails at any write leaves the tree as it was", () => {
  using checked = new CheckedTree();
  checked.update(Array.from({ length: 900 }, (_, index) => [`key/${index}`, value(index)]));
  const { newest } = checked.tree;
  const entries = Array.from({ length: 900 }, (_, index) => [`new/${index}`, value(1)] as const);
  let failures = 0;
  for (let nth = 1; failures === nth - 1; nth += 1) {
    using _disk = failing("writeSync", nth, "ENOSPC");
    try {
      checked.tree.rebuild({ height: 7, timestamp: 7, block: BLOCK }, entries);
    } catch (thrown) {
      assert.ok(thrown instanceof StorageFailure);
      failures += 1;
      assert.deepEqual(checked.tree.newest, newest);
      assert.deepEqual(fs.readdirSync(checked.folder), ["tree"]);
    }
  }
  assert.ok(failures > 3);
  assert.equal(hex(checked.tree.newest?.root), hex(rootOf(new Map(entries))));
});
