import { createReadStream } from "node:fs";
import {
  type BlockOfRoot,
  DamagedStateTree,
  type Head,
  type StateTree,
  sha256,
} from "@moneta/ledger";
import {
  entryText,
  type Json,
  MerkleTree,
  NO_BLOCK,
  TILE_HEIGHT,
  TILE_WIDTH,
  type TransactionRecord,
} from "@moneta/protocol";
import { assertCheckpoint } from "./archive-reader.ts";
import { type ArchivedBlock, checkedBlock, readBlock } from "./archived-block.ts";
import { HASH_BYTES, hashesIn } from "./growing-tiles.ts";
import { gzipLines } from "./gzip-lines.ts";
import { isCount, isPositive, MEMBERS, parseMembers, type Tree, WrongArchive } from "./layout.ts";

/** A key is valid for a day, and recognised another day. Source: accounts §7. */
export const KEYS_RECOGNISED_SECONDS = 172_800;

/** The first line of a snapshot. Source: proofs §5. */
export interface SnapshotManifest extends Tree {
  readonly snapshot: 1;
  readonly height: number;
  /** The first block after block 0 that the file has. */
  readonly first: number;
  /** Number of transactions before that block. */
  readonly skipped: number;
}

/** A subtree of the ledger tree of 256^tileLevel leaves. */
export interface SkippedSubtree {
  readonly tileLevel: number;
  readonly number: number;
  readonly hash: Uint8Array;
}

export interface SnapshotContent {
  onSubtree(subtree: SkippedSubtree): void;
  /** `text` is JCS. */
  onEntry(key: string, text: string): void;
  /** The ledger tree before block `first`. */
  onTree(tree: MerkleTree): void;
  /** Block 0, then those from `first` on. `tree` is the ledger tree after the block. */
  onBlock(block: ArchivedBlock, tree: MerkleTree): void;
}

/** All methods throw `WrongArchive`. Source: proofs §5. */
export class SnapshotReader {
  readonly #file: string;
  readonly #where: string;
  readonly manifest: SnapshotManifest;

  private constructor(file: string, where: string, manifest: SnapshotManifest) {
    this.#file = file;
    this.#where = where;
    this.manifest = manifest;
  }

  /** One of the keys must have signed the checkpoint. */
  static async open(file: string, where: string, keys: readonly string[]): Promise<SnapshotReader> {
    await using lines = gzipLines(createReadStream(file), where);
    const { value } = await lines.next();
    const forms = {
      ...{ ...MEMBERS, snapshot: (given: unknown) => given === 1 },
      ...{ height: isPositive, first: isPositive, skipped: isCount },
    };
    const manifest = parseMembers<SnapshotManifest>(value ?? "", forms, where);
    await assertCheckpoint(where, manifest, keys);
    return new SnapshotReader(file, where, manifest);
  }

  /**
   * Checks state root, used keys and checkpoint. Rebuilds `tree`; returns the head of this state.
   */
  async verify(tree: StateTree): Promise<Head> {
    const { height, ledger, ledger_id, first, before, last, size, root } = this.manifest;
    using sorted = tree.sortedEntries();
    let entriesLedgerId: unknown;
    let previous = NO_BLOCK;
    let head: Head | undefined;
    let since: number | undefined;
    let claimed: string | undefined;
    let expected = 0;
    let newest: ArchivedBlock | undefined;
    await this.read({
      onSubtree: () => undefined,
      onTree: () => undefined,
      onEntry: (key, text) => {
        sorted.add(key, sha256.bytes(text));
        if (key === "protocol") {
          entriesLedgerId = (JSON.parse(text) as { ledgerId?: unknown } | null)?.ledgerId;
        }
      },
      onBlock: (block, ledgerTree) => {
        const { sn, timestamp } = block.header;
        previous = sn === first && first > 1 ? block.header.previous : previous;
        if (sn !== expected || block.header.previous !== previous) {
          throw this.#wrong(`block ${sn} is in place of block ${expected}`);
        }
        const computed = Buffer.from(ledgerTree.root()).toString("hex");
        if (block.header.size !== ledgerTree.size || block.header.tree !== computed) {
          throw this.#wrong(`block ${sn}: the tree is not the one that it commits to`);
        }
        if (sn === 0 && (block.id !== ledger_id || ledgerOf(block) !== ledger)) {
          throw this.#wrong("block 0 is that of another ledger");
        }
        since = sn === first ? timestamp : since;
        if (sn === height) {
          const { frontier } = ledgerTree;
          head = { height, id: block.id, timestamp, size: ledgerTree.size, frontier };
        }
        claimed = claimIn(block, height) ?? claimed;
        previous = block.id;
        expected = sn === 0 ? first : sn + 1;
        newest = block;
      },
    });
    if (newest === undefined || newest.id !== last || expected !== before) {
      throw this.#wrong(`its last block is not block ${before - 1}, ${last}`);
    }
    if (newest.header.size !== size || newest.header.tree !== root) {
      throw this.#wrong("its checkpoint is not of its last block");
    }
    if (head === undefined || since === undefined) {
      throw this.#wrong(`it lacks block ${height}, after which the state had its entries`);
    }
    const { timestamp } = head as Head;
    if (first > 1 && since >= timestamp - KEYS_RECOGNISED_SECONDS) {
      throw this.#wrong(
        `its blocks begin with block ${first}, less than ${KEYS_RECOGNISED_SECONDS} s before block ${height}: temporary keys may have been used before`,
      );
    }
    if (entriesLedgerId !== ledger_id) {
      throw this.#wrong("its entries are those of another ledger");
    }
    const place = { height, timestamp, block: (head as Head).id };
    const computed = this.#rootOf(tree, place, sorted);
    if (claimed !== computed) {
      throw this.#wrong(
        claimed === undefined
          ? `no block of it claims the state root of block ${height}`
          : `its entries have the state root ${computed}, and a block claims ${claimed}`,
      );
    }
    return head;
  }

  #rootOf(
    tree: StateTree,
    place: BlockOfRoot,
    sorted: ReturnType<StateTree["sortedEntries"]>,
  ): string {
    try {
      return Buffer.from(tree.rebuildFrom(place, sorted).root).toString("hex");
    } catch (thrown) {
      throw thrown instanceof DamagedStateTree ? this.#wrong(thrown.message) : thrown;
    }
  }

  /** Checks form and blocks, each by itself. */
  async read(content: SnapshotContent): Promise<void> {
    const { skipped } = this.manifest;
    await using lines = gzipLines(createReadStream(this.#file), this.#where);
    const next = async (): Promise<string> => {
      const { value, done } = await lines.next();
      if (done === true) {
        throw this.#wrong("it ends too early");
      }
      return value;
    };
    await next();
    const tree = await this.#skippedTree(skipped, next, content);
    content.onTree(tree.copy());
    let line = await next();
    for (; line.startsWith("["); line = await next()) {
      const [key, value] = this.#parsed(line) as readonly unknown[];
      const text = entryText(value as Json);
      if (typeof key !== "string" || text === undefined) {
        throw this.#wrong("a line does not have key and value of an entry");
      }
      content.onEntry(key, text);
    }
    for (let isFirst = true; ; isFirst = false) {
      const read = await readBlock(line, next);
      if (typeof read === "string") {
        throw this.#wrong(read);
      }
      const grown = isFirst ? new MerkleTree(sha256) : tree;
      const { sn: height, previous } = read.header;
      const block = checkedBlock(read, { height, previous });
      if (typeof block === "string") {
        throw this.#wrong(`block ${height}: ${block}`);
      }
      for (const leaf of block.leaves) {
        grown.append(leaf);
      }
      content.onBlock(block, grown);
      const following = await lines.next();
      if (following.done === true) {
        return;
      }
      line = following.value;
    }
  }

  async #skippedTree(
    skipped: number,
    next: () => Promise<string>,
    { onSubtree }: SnapshotContent,
  ): Promise<MerkleTree> {
    const subtrees = new MerkleTree(sha256);
    const count = Math.floor(skipped / TILE_WIDTH);
    let hashes: readonly Uint8Array[] = [];
    let taken = 0;
    const take = async (): Promise<Uint8Array> => {
      if (taken === hashes.length) {
        const text = this.#parsed(await next());
        const bytes = Buffer.from(typeof text === "string" ? text : "", "base64");
        if (bytes.length === 0 || bytes.length % HASH_BYTES !== 0) {
          throw this.#wrong("a line does not have hashes of the ledger tree");
        }
        hashes = hashesIn(bytes);
        taken = 0;
      }
      taken += 1;
      return hashes[taken - 1] as Uint8Array;
    };
    for (let number = 0; number < count; number += 1) {
      const hash = await take();
      onSubtree({ tileLevel: 1, number, hash });
      subtrees.appendHash(hash, (level, index, root) => {
        if (level % TILE_HEIGHT === 0) {
          onSubtree({ tileLevel: 1 + level / TILE_HEIGHT, number: index, hash: root });
        }
      });
    }
    const tree = new MerkleTree(sha256, count * TILE_WIDTH, subtrees.frontier);
    for (let number = count * TILE_WIDTH; number < skipped; number += 1) {
      const hash = await take();
      onSubtree({ tileLevel: 0, number, hash });
      tree.appendHash(hash);
    }
    return tree;
  }

  #parsed(line: string): unknown {
    try {
      return JSON.parse(line);
    } catch {
      throw this.#wrong("a line of it is not JSON");
    }
  }

  #wrong(what: string): WrongArchive {
    return new WrongArchive(`${this.#where}: ${what}`);
  }
}

function ledgerOf({ operations }: ArchivedBlock): string | undefined {
  const { params } = JSON.parse(operations[0] ?? "{}") as {
    readonly params?: { readonly ledger?: string };
  };
  return params?.ledger;
}

/** The state root at a height that a block claims. */
function claimIn({ records }: ArchivedBlock, height: number): string | undefined {
  for (const text of records.filter((each) => each.includes("StateRoot"))) {
    const { type, parameters } = JSON.parse(text) as TransactionRecord;
    if (type === "StateRoot" && parameters[0] === String(height)) {
      return parameters[1];
    }
  }
  return undefined;
}
