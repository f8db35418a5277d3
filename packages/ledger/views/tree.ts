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

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS subtree (
    tile_level INTEGER NOT NULL,
    number INTEGER NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (tile_level, number)
  ) STRICT, WITHOUT ROWID;
`;

/** The root of a complete subtree of 256^tileLevel leaves, with its place among those of its level. */
export interface Subtree {
  readonly tileLevel: number;
  readonly number: number;
  readonly hash: Uint8Array;
}

/** The tile level of a level of the tree; undefined between two of them, and for leaves, which stand with their transactions. */
export function storedTileLevel(level: number): number | undefined {
  return level % TILE_HEIGHT === 0 && level > 0 ? level / TILE_HEIGHT : undefined;
}

/**
 * The ledger tree: the hashes of leaves, which stand with their transactions, and roots of complete subtrees of 256, 256^2, ... leaves. What lies
 * between is hashed when it is asked for, a few hundred nodes for a proof at any size. Source: chain §4.5, §12; C2SP tlog-tiles.
 */
export class TreeView {
  static readonly tables: readonly string[] = ["subtree"];
  readonly #insert: Statement | undefined;
  readonly #leaves: Statement;
  readonly #subtrees: Statement;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database, access: "read" | "write") {
    this.#insert =
      access === "write" ? database.prepare("INSERT INTO subtree VALUES (?, ?, ?)") : undefined;
    this.#leaves = database.prepare(
      "SELECT leaf_hash AS hash FROM transaction_record WHERE number >= ? AND number < ? ORDER BY number",
    );
    this.#subtrees = database.prepare(
      "SELECT hash FROM subtree WHERE number >= ? AND number < ? AND tile_level = ? ORDER BY number",
    );
  }

  insert({ tileLevel, number, hash }: Subtree): void {
    this.#insert?.run(tileLevel, number, hash);
  }

  /** Hashes of a tile level from one number to before another, as many of them as there are. Level 0 is that of the leaves. */
  hashes(tileLevel: number, from: number, to: number): Uint8Array[] {
    const rows =
      tileLevel === 0 ? this.#leaves.all(from, to) : this.#subtrees.all(from, to, tileLevel);
    return rows.map((row) => row["hash"] as Uint8Array);
  }

  /** Whether all is stored that the root over the first `size` leaves is made of. */
  hasEdge(size: number): boolean {
    for (let tileLevel = 0, end = size; end > 0; tileLevel += 1) {
      const full = Math.floor(end / TILE_WIDTH);
      if (this.hashes(tileLevel, full * TILE_WIDTH, end).length !== end - full * TILE_WIDTH) {
        return false;
      }
      end = full;
    }
    return true;
  }

  /** The root over the first `size` leaves, at least one. */
  root(size: number): Uint8Array {
    return rootOf(sha256, size, this.#complete);
  }

  /** RFC 6962 §2.1.1, from the leaf upward; `index` is below `size`. */
  inclusionPath(of: { readonly index: number; readonly size: number }): Uint8Array[] {
    return inclusionPath(sha256, of, this.#complete);
  }

  /** RFC 6962 §2.1.2; 1 ≤ from ≤ to. */
  consistencyPath(sizes: { readonly from: number; readonly to: number }): Uint8Array[] {
    return consistencyPath(sha256, sizes, this.#complete);
  }

  readonly #complete: Subtrees = (level, index) => {
    const width = 2 ** (level % TILE_HEIGHT);
    const tileLevel = Math.floor(level / TILE_HEIGHT);
    let hashes = this.hashes(tileLevel, index * width, (index + 1) * width);
    invariant(hashes.length === width, "complete subtrees of the tree are stored");
    while (hashes.length > 1) {
      hashes = pairs(hashes);
    }
    return hashes[0] as Uint8Array;
  };
}

function pairs(hashes: readonly Uint8Array[]): Uint8Array[] {
  return Array.from({ length: hashes.length / 2 }, (_, index) =>
    nodeHash(sha256, hashes[2 * index] as Uint8Array, hashes[2 * index + 1] as Uint8Array),
  );
}
