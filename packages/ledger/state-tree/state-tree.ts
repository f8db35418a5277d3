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

/** Progress of a rebuild: number of entries read, and of those already in the new tree. */
export interface RebuildProgress {
  readonly read: number;
  readonly built: number;
}

/** A reader whose pages were overwritten during the read retries with the newest roots. */
const READ_ATTEMPTS = 3;
const PROGRESS_EVERY = 1 << 16;
/** Less than for an update: one part of the sorted entries, which may be large, is added. */
const BUILT_TOGETHER = 1 << 15;

/**
 * The state tree in its own file: the newest root and the earlier roots that can still be proven.
 * One connection writes; others, in this process or another, read concurrently. Every reference to
 * a page has a checksum, so an update detects pages that changed on the disk. Each proof is
 * recomputed before it is returned. Source: proofs §2.
 */
export class StateTree {
  readonly #path: string;
  readonly #ledgerId: string;
  readonly #keep: KeptRoots;
  readonly #access: "read" | "write";
  readonly #hasher: TreeHasher = new TreeHasher();
  /** Reused by all updates, so that no memory has to be garbage-collected. */
  readonly #batch: EntryBatch = new EntryBatch();
  #file: PageFile | undefined;
  #roots: readonly StoredRoot[] = [];
  /** The encoded roots of a reader: years of them are not decoded for each proof. */
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
   * Opens the tree of a ledger. For writing, it creates a missing file, and throws
   * `DamagedStateTree` if the file is damaged or another ledger's: the caller removes and rebuilds
   * it. For reading, the file may be missing temporarily. Throws `StorageFailure`.
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

  /**
   * Removes the file and the remains of a killed rebuild. The file must not be open for writing.
   */
  static remove(path: string): void {
    rmSync(path, { force: true });
    removeUnfinished(path);
  }

  /** The newest root; undefined before the first one. */
  get newest(): KeptRoot | undefined {
    return this.kept.at(-1);
  }

  /** All roots that can be proven, oldest first. */
  get kept(): readonly KeptRoot[] {
    return this.#reading(() => this.#roots);
  }

  /** Number of hashes that updates and rebuilds of this connection have computed. */
  get hashes(): number {
    return this.#hasher.count;
  }

  /**
   * Makes the next root, of the state after a later block, and returns it once it is durable. Each
   * change is a key with the hash of its value, or undefined for a removed entry. The last change
   * of a key counts. Throws `DamagedStateTree`, or `StorageFailure` without any change; if only the
   * last write failed, `newest` may nevertheless be the new root.
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
   * Rebuilds the tree from all entries of the state after a block, in any order, and drops all
   * other roots. Until it returns, readers see the previous tree. Memory does not grow with the
   * number of entries: a scratch file sorts them. Throws `StorageFailure`.
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

  /** Takes all entries for `rebuildFrom`. Throws `StorageFailure`. */
  sortedEntries(): SortedEntries {
    return new SortedEntries(sortingPath(this.#path));
  }

  /**
   * As `rebuild`, from entries that have been added one by one. Throws `DamagedStateTree` if a key
   * occurs twice.
   */
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
   * Returns the proof of an entry in the tree after block `height`; undefined if that root is not
   * kept. It reads one page per four levels of the tree. Throws `DamagedStateTree`.
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

  /**
   * Stores the running number of the transaction that claims a root; does nothing if that root is
   * not kept. Throws `StorageFailure`.
   */
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

  /**
   * Runs `read` on the newest state; retries if another connection overwrote it during the read.
   */
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

  /**
   * After a failure, restores the state on the disk: it may be the new one if the header failed.
   */
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

/** Returns how many entries have changed. */
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
