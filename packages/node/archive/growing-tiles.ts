import { sha256 } from "@moneta/ledger";
import { leafHash, MerkleTree, TILE_HEIGHT, TILE_WIDTH, type TileName } from "@moneta/protocol";
import { tileFile, tileLevels } from "./layout.ts";

export const HASH_BYTES = 32;

export interface TreeEdge {
  readonly size: number;
  /** `from` inclusive, `to` exclusive; 32 bytes each. */
  readonly hashes: (level: number, from: number, to: number) => Uint8Array;
  readonly leafTexts: (from: number, to: number) => readonly string[];
}

/** Keeps the last, partial tile of each level. Source: C2SP tlog-tiles. */
export class GrowingTiles {
  readonly #tree: MerkleTree;
  readonly #levels: Uint8Array[][];
  #entries: Buffer[];
  readonly #put: (file: string, bytes: Uint8Array) => void;

  constructor(
    { size, hashes, leafTexts }: TreeEdge,
    put: (file: string, bytes: Uint8Array) => void,
  ) {
    this.#levels = tileLevels(size).map((count, level) =>
      hashesIn(hashes(level, count - (count % TILE_WIDTH), count)),
    );
    this.#entries = leafTexts(size - (size % TILE_WIDTH), size).map(lengthAndText);
    // The largest subtrees first.
    const frontier = this.#levels.toReversed().flatMap((level) => treeOf(level).frontier);
    this.#tree = new MerkleTree(sha256, size, frontier);
    this.#put = put;
  }

  get root(): string {
    return Buffer.from(this.#tree.root()).toString("hex");
  }

  append(leafText: string): void {
    this.#entries.push(lengthAndText(leafText));
    const hash = leafHash(sha256, leafText);
    this.#push(0, this.#tree.size, hash);
    this.#tree.appendHash(hash, (level, index, subtree) => {
      if (level % TILE_HEIGHT === 0) {
        this.#push(level / TILE_HEIGHT, index, subtree);
      }
    });
  }

  putPartial(): void {
    for (const [level, count] of tileLevels(this.#tree.size).entries()) {
      if (count % TILE_WIDTH > 0) {
        this.#putTile(level, {
          index: Math.floor(count / TILE_WIDTH),
          width: count % TILE_WIDTH,
        });
      }
    }
  }

  #push(level: number, number: number, hash: Uint8Array): void {
    const hashes = this.#levels[level] ?? [];
    this.#levels[level] = hashes;
    hashes.push(hash);
    if (hashes.length === TILE_WIDTH) {
      this.#putTile(level, { index: Math.floor(number / TILE_WIDTH), width: TILE_WIDTH });
      this.#levels[level] = [];
      if (level === 0) {
        this.#entries = [];
      }
    }
  }

  #putTile(level: number, tile: TileName): void {
    this.#put(tileFile(level, tile), Buffer.concat(this.#levels[level] ?? []));
    if (level === 0) {
      this.#put(tileFile("entries", tile), Buffer.concat(this.#entries));
    }
  }
}

export function treeOf(hashes: Iterable<Uint8Array>): MerkleTree {
  const tree = new MerkleTree(sha256);
  for (const hash of hashes) {
    tree.appendHash(hash);
  }
  return tree;
}

export function hashesIn(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, at) =>
    bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}

/** A leaf text as in entry tiles, after its length. It has less than 400 bytes. */
export function lengthAndText(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** The leaf texts of an entry tile; undefined if it is cut off. */
export function leafTextsIn(tile: Buffer): readonly string[] | undefined {
  const texts: string[] = [];
  for (let at = 0; at < tile.length; ) {
    const start = at + 2;
    const end = start <= tile.length ? start + tile.readUInt16BE(at) : Infinity;
    if (end > tile.length) {
      return undefined;
    }
    texts.push(tile.toString("utf8", start, end));
    at = end;
  }
  return texts;
}
