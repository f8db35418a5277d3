import {
  consistencyPath,
  inclusionPath,
  nodeHash,
  rootOf,
  type Subtrees,
  TILE_HEIGHT,
  TILE_WIDTH,
} from "@moneta/protocol";
import type { Database, Statement } from "../database.ts";
import { invariant } from "../invariant.ts";
import { sha256 } from "../sha256.ts";
import { BoundedCache } from "../state/bounded-cache.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS subtree (
    tile_level INTEGER NOT NULL,
    number INTEGER NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (tile_level, number)
  ) STRICT, WITHOUT ROWID;
`;

const HASH_BYTES = 32;

/** Complete roots never change, and those near the top and the end are in most proofs. */
const CACHED_FROM_WIDTH = 8;
const CACHED = 4096;

/** 256^tileLevel leaves, with the place among its level. */
export interface Subtree {
  readonly tileLevel: number;
  readonly number: number;
  readonly hash: Uint8Array;
}

/** 32 bytes each. */
export interface LeafTile {
  readonly tile: number;
  readonly hashes: Uint8Array;
}

/** Undefined between two, and for leaves, which are stored with their transactions. */
export function storedTileLevel(level: number): number | undefined {
  return level % TILE_HEIGHT === 0 && level > 0 ? level / TILE_HEIGHT : undefined;
}

/**
 * Leaves are stored with transactions, roots of complete subtrees of 256, 256^2, ... here; nodes in
 * between are hashed on demand. Level 0 has earlier leaves of the first stored transaction's tile.
 * Source: chain §4.5, §12; C2SP tlog-tiles.
 */
export class TreeView {
  readonly #insert: Statement | undefined;
  readonly #leaves: Statement;
  readonly #subtrees: Statement;
  readonly #known: BoundedCache<Uint8Array> = new BoundedCache(CACHED);

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database, access: "read" | "write") {
    this.#insert =
      access === "write" ? database.prepare("INSERT INTO subtree VALUES (?, ?, ?)") : undefined;
    // A text for all hashes costs a third of rows.
    this.#leaves = database.prepare(
      `SELECT group_concat(hex(hash), '' ORDER BY number) AS hashes FROM (
         SELECT number, leaf_hash AS hash FROM transaction_record WHERE number >= ?1 AND number < ?2
         UNION SELECT number, hash FROM subtree WHERE tile_level = 0 AND number >= ?1 AND number < ?2)`,
    );
    this.#subtrees = database.prepare(
      "SELECT group_concat(hex(hash), '' ORDER BY number) AS hashes FROM subtree WHERE number >= ? AND number < ? AND tile_level = ?",
    );
  }

  insert({ tileLevel, number, hash }: Subtree): void {
    this.#insert?.run(tileLevel, number, hash);
  }

  /** As many as exist, 32 bytes each. Level 0 has the leaves. */
  hashes(tileLevel: number, from: number, to: number): Buffer {
    const row =
      tileLevel === 0 ? this.#leaves.get(from, to) : this.#subtrees.get(from, to, tileLevel);
    return Buffer.from((row?.["hashes"] as string | null) ?? "", "hex");
  }

  /** For the root over the first `size` leaves. */
  hasEdge(size: number): boolean {
    for (let tileLevel = 0, end = size; end > 0; tileLevel += 1) {
      const full = Math.floor(end / TILE_WIDTH);
      const count = end - full * TILE_WIDTH;
      if (this.hashes(tileLevel, full * TILE_WIDTH, end).length !== count * HASH_BYTES) {
        return false;
      }
      end = full;
    }
    return true;
  }

  /** Over at least one leaf. `leaves` has the last tile if it is not stored. */
  root(size: number, leaves?: LeafTile): Uint8Array {
    return rootOf(sha256, size, this.#subtreesWith(leaves));
  }

  /**
   * RFC 6962 §2.1.1, from the leaf upward; `index` is below `size`. `leaves` has the leaf's tile if
   * it is not stored.
   */
  inclusionPath(
    of: { readonly index: number; readonly size: number },
    leaves?: LeafTile,
  ): Uint8Array[] {
    return inclusionPath(sha256, of, this.#subtreesWith(leaves));
  }

  /** RFC 6962 §2.1.2; 1 ≤ from ≤ to. */
  consistencyPath(sizes: { readonly from: number; readonly to: number }): Uint8Array[] {
    return consistencyPath(sha256, sizes, this.#subtreesWith());
  }

  #subtreesWith(leaves?: LeafTile): Subtrees {
    return (level, index) => this.#complete(level, index, leaves);
  }

  #complete(level: number, index: number, leaves: LeafTile | undefined): Uint8Array {
    const width = 2 ** (level % TILE_HEIGHT);
    const key = `${level} ${index}`;
    const known = width < CACHED_FROM_WIDTH ? undefined : this.#known.get(key);
    if (known !== undefined) {
      return known;
    }
    const tileLevel = Math.floor(level / TILE_HEIGHT);
    const from = index * width;
    const at = (from % TILE_WIDTH) * HASH_BYTES;
    const hashes =
      tileLevel === 0 && leaves?.tile === Math.floor(from / TILE_WIDTH)
        ? Buffer.from(leaves.hashes.subarray(at, at + width * HASH_BYTES))
        : this.hashes(tileLevel, from, from + width);
    invariant(hashes.length === width * HASH_BYTES, "complete subtrees of the tree are stored");
    const root = rootOfComplete(hashes);
    if (width >= CACHED_FROM_WIDTH) {
      this.#known.set(key, root);
    }
    return root;
  }
}

/** Overwrites the hashes, a power of two. */
function rootOfComplete(hashes: Buffer): Uint8Array {
  for (let length = hashes.length; length > HASH_BYTES; length /= 2) {
    for (let at = 0; at < length; at += 2 * HASH_BYTES) {
      const left = hashes.subarray(at, at + HASH_BYTES);
      const right = hashes.subarray(at + HASH_BYTES, at + 2 * HASH_BYTES);
      hashes.set(nodeHash(sha256, left, right), at / 2);
    }
  }
  return Uint8Array.from(hashes.subarray(0, HASH_BYTES));
}
