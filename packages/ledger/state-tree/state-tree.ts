import { existsSync, renameSync, rmSync } from "node:fs";
import { statePath } from "@moneta/protocol";
import { invariant } from "../invariant.ts";
import { sha256 } from "../sha256.ts";
import { DamagedStateTree } from "./damaged-state-tree.ts";
import { EntryBatch } from "./entry-batch.ts";
import {
  type BlockOfRoot,
  decodeRoots,
  encodeRoots,
  type KeptRoot,
  type KeptRoots,
  type StoredRoot,
  withRoot,
} from "./kept-roots.ts";
import { NO_PAGE, PageFile, syncFolder } from "./page-file.ts";
import { SortedEntries } from "./sorted-entries.ts";
import { LEAF_BYTES, TreeHasher } from "./tree-pages.ts";
import { type EntryProof, entryProof, rootOfProof } from "./tree-proof.ts";
import { TreeUpdate } from "./tree-update.ts";

export interface RebuildProgress {
  readonly read: number;
  readonly built: number;
}

/** A reader retries when its pages were overwritten. */
const READ_ATTEMPTS = 3;
const PROGRESS_EVERY = 1 << 16;
/** Less than for an update: a part of the sorted entries, which may be large, is added. */
const BUILT_TOGETHER = 1 << 15;

/**
 * The newest root and the earlier provable roots, in a file. One connection writes, others read
 * concurrently. Each proof is recomputed before it is returned. Source: proofs §2.
 */
export class StateTree {
  readonly #path: string;
  readonly #ledgerId: string;
  readonly #keep: KeptRoots;
  readonly #access: "read" | "write";
  readonly #hasher: TreeHasher = new TreeHasher();
  /** Reused, so that nothing is garbage-collected. */
  readonly #batch: EntryBatch = new EntryBatch();
  #file: PageFile | undefined;
  #roots: readonly StoredRoot[] = [];
  /** Of a reader, so that years of roots are not decoded for each proof. */
  #decoded: Buffer | undefined;

  private constructor(
    path: string,
    options: {
      readonly ledgerId: string;
      readonly keptRoots: KeptRoots;
      readonly access: "read" | "write";
    },
  ) {
    this.#path = path;
    this.#ledgerId = options.ledgerId;
    this.#keep = options.keptRoots;
    this.#access = options.access;
  }

  /**
   * For writing it creates a missing file, and throws `DamagedStateTree` for a damaged one, which
   * the caller rebuilds. Throws `StorageFailure`.
   */
  static open(
    path: string,
    options: {
      readonly ledgerId: string;
      readonly keptRoots: KeptRoots;
      readonly access: "read" | "write";
    },
  ): StateTree {
    const tree = new StateTree(path, options);
    if (options.access === "write") {
      removeUnfinished(path);
      tree.#file = existsSync(path)
        ? PageFile.open(path, options.ledgerId, "write")
        : PageFile.create(path, options.ledgerId);
      tree.#roots = decodeRoots(tree.#file.content);
    } else {
      tree.#reading(() => undefined);
    }
    return tree;
  }

  /** With the remains of a killed rebuild. The file must not be open for writing. */
  static remove(path: string): void {
    rmSync(path, { force: true });
    removeUnfinished(path);
  }

  get newest(): KeptRoot | undefined {
    return this.kept.at(-1);
  }

  /** Oldest first. */
  get kept(): readonly KeptRoot[] {
    return this.#reading(() => this.#roots);
  }

  get hashes(): number {
    return this.#hasher.count;
  }

  /**
   * The state's root after a later block, durable on return. A removed entry has no hash; a key's
   * last change counts. Throws `DamagedStateTree` or `StorageFailure`; if only the last write
   * failed, `newest` may be the new root.
   */
  update(
    at: BlockOfRoot,
    changes: Iterable<readonly [key: string, valueHash: Uint8Array | undefined]>,
  ): KeptRoot {
    const file = this.#writable();
    const before = this.#roots.at(-1);
    invariant(before === undefined || before.height < at.height, "roots are made in their order");
    try {
      const tree = new TreeUpdate(file, this.#hasher, before);
      const batch = this.#batch;
      batch.clear();
      for (const [key, valueHash] of changes) {
        batch.add(key, valueHash);
        if (batch.isFull) {
          applyAll(tree, batch);
        }
      }
      applyAll(tree, batch);
      const root = newRoot(file, at, tree);
      const roots = withRoot(file, this.#roots, { root, dead: tree.dead, keep: this.#keep });
      file.commit(encodeRoots(roots));
      this.#roots = roots;
      return root;
    } catch (thrown) {
      this.#goBack(file);
      throw thrown;
    }
  }

  /**
   * From all entries after a block, in any order; drops all other roots. Readers see the previous
   * tree meanwhile. Throws `StorageFailure`.
   */
  rebuild(
    at: BlockOfRoot,
    entries: Iterable<readonly [key: string, valueHash: Uint8Array]>,
    onProgress: (progress: RebuildProgress) => void = () => undefined,
  ): KeptRoot {
    using sorted = this.sortedEntries();
    let read = 0;
    for (const [key, valueHash] of entries) {
      sorted.add(key, valueHash);
      read += 1;
      if (read % PROGRESS_EVERY === 0) {
        onProgress({ read, built: 0 });
      }
    }
    return this.rebuildFrom(at, sorted, (built) => onProgress({ read, built }));
  }

  sortedEntries(): SortedEntries {
    return new SortedEntries(sortingPath(this.#path));
  }

  /** Throws `DamagedStateTree` if a key occurs twice. */
  rebuildFrom(
    at: BlockOfRoot,
    sorted: SortedEntries,
    onBuilt: (built: number) => void = () => undefined,
  ): KeptRoot {
    const old = this.#writable();
    const path = newPath(this.#path);
    const file = PageFile.create(path, this.#ledgerId);
    try {
      const tree = new TreeUpdate(file, this.#hasher, undefined);
      const batch = this.#batch;
      batch.clear();
      let built = 0;
      let distinct = 0;
      for (const part of sorted.parts()) {
        batch.addLeaves(part);
        built += part.length / LEAF_BYTES;
        if (batch.length >= BUILT_TOGETHER) {
          distinct += applyAll(tree, batch);
        }
        onBuilt(built);
      }
      distinct += applyAll(tree, batch);
      if (distinct !== built) {
        throw new DamagedStateTree(`${built - distinct} of the entries occur twice`);
      }
      const root = newRoot(file, at, tree);
      file.commit(encodeRoots([root]));
      renameSync(path, this.#path);
      syncFolder(this.#path);
      this.#file = file;
      this.#roots = [root];
      old.close();
      return root;
    } catch (thrown) {
      file.close();
      rmSync(path, { force: true });
      throw thrown;
    }
  }

  /**
   * Undefined if that root is not kept. Reads one page per four levels. Throws `DamagedStateTree`.
   */
  prove(key: string, height: number): EntryProof | undefined {
    const path = statePath(sha256, key);
    return this.#reading(() => {
      const root = this.#roots.find((one) => one.height === height);
      if (root === undefined || this.#file === undefined) {
        return undefined;
      }
      const proof = entryProof(this.#file, root, path);
      if (Buffer.compare(rootOfProof(path, proof), root.root) !== 0) {
        throw new DamagedStateTree(`${this.#path}: a proof does not lead to its root`);
      }
      return proof;
    });
  }

  /** Does nothing if that root is not kept. Throws `StorageFailure`. */
  noteClaim(height: number, claim: number): void {
    const file = this.#writable();
    const roots = this.#roots.map((one) => (one.height === height ? { ...one, claim } : one));
    try {
      file.commit(encodeRoots(roots));
    } catch (thrown) {
      this.#goBack(file);
      throw thrown;
    }
    this.#roots = roots;
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  /** Retries if another connection overwrote the state. */
  #reading<T>(read: () => T): T {
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (this.#access === "read") {
          this.#refresh();
        }
        return read();
      } catch (thrown) {
        const mayBeOverwritten = thrown instanceof DamagedStateTree && this.#access === "read";
        if (!mayBeOverwritten || attempt === READ_ATTEMPTS) {
          throw thrown;
        }
      }
    }
  }

  /** Restores the state on the disk, perhaps the new one if the header failed. */
  #goBack(file: PageFile): void {
    if (!file.isUncertain) {
      file.rollback();
      return;
    }
    this.#file = PageFile.open(this.#path, this.#ledgerId, "write");
    this.#roots = decodeRoots(this.#file.content);
    file.close();
  }

  #refresh(): void {
    try {
      if (this.#file === undefined) {
        this.#file = PageFile.open(this.#path, this.#ledgerId, "read");
      } else {
        this.#file.refresh();
      }
    } catch (thrown) {
      if (!isMissing(thrown)) {
        throw thrown;
      }
      this.close();
    }
    const content = this.#file?.content;
    if (content !== this.#decoded) {
      this.#roots = content === undefined ? [] : decodeRoots(content);
      this.#decoded = content;
    }
  }

  #writable(): PageFile {
    invariant(this.#file !== undefined && this.#access === "write", "the tree is open for writing");
    return this.#file;
  }
}

function isMissing(thrown: unknown): boolean {
  const { code, cause } = thrown as NodeJS.ErrnoException;
  return code === "ENOENT" || (cause as NodeJS.ErrnoException | undefined)?.code === "ENOENT";
}

function applyAll(tree: TreeUpdate, batch: EntryBatch): number {
  batch.sort();
  const { length } = batch;
  tree.apply(batch);
  batch.clear();
  return length;
}

function newRoot(file: PageFile, at: BlockOfRoot, tree: TreeUpdate): StoredRoot {
  const { height, timestamp, block } = at;
  return {
    height,
    timestamp,
    block,
    claim: undefined,
    ...tree.top,
    commit: file.commitNumber,
    dead: NO_PAGE,
  };
}

function removeUnfinished(path: string): void {
  rmSync(newPath(path), { force: true });
  rmSync(sortingPath(path), { force: true });
}

function newPath(path: string): string {
  return `${path}-new`;
}

function sortingPath(path: string): string {
  return `${path}-sorting`;
}
