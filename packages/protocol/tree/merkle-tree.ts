import type { Sha256 } from "./hashing.ts";

const HASH_LENGTH = 32;

/** A shared buffer: each node is hashed before other code can write here. */
const node: Uint8Array = Uint8Array.of(1, ...new Uint8Array(2 * HASH_LENGTH));

/** SHA-256(00 ‖ leaf text), 32 bytes. Source: RFC 6962 §2.1. */
export function leafHash(sha256: Sha256, text: string): Uint8Array {
  return sha256.bytes(`\u0000${text}`);
}

/** SHA-256(01 ‖ left ‖ right), 32 bytes. Source: RFC 6962 §2.1. */
export function nodeHash(sha256: Sha256, left: Uint8Array, right: Uint8Array): Uint8Array {
  node.set(left, 1);
  node.set(right, 1 + HASH_LENGTH);
  return sha256.bytes(node);
}

/** Called for every complete subtree of 2^level leaves. */
export type SubtreeListener = (level: number, index: number, hash: Uint8Array) => void;

/**
 * RFC 6962, section 2.1. Append-only; keeps only its *frontier*: the roots of its complete
 * subtrees, largest first. Source: chain §4.5.
 */
export class MerkleTree {
  readonly #sha256: Sha256;
  #size: number;
  readonly #frontier: Uint8Array[];

  /** Continues a tree with this `size`. */
  constructor(sha256: Sha256, size = 0, frontier: readonly Uint8Array[] = []) {
    if (frontier.length !== countOnes(size)) {
      throw new Error(`a tree of ${size} leaves has no frontier of ${frontier.length} hashes`);
    }
    this.#sha256 = sha256;
    this.#size = size;
    this.#frontier = [...frontier];
  }

  append(leafText: string): Uint8Array {
    const hash = leafHash(this.#sha256, leafText);
    this.appendHash(hash);
    return hash;
  }

  /** The tree keeps the array; the caller must not write to it. */
  appendHash(ofLeaf: Uint8Array, onSubtree?: SubtreeListener): void {
    let hash = ofLeaf;
    let level = 0;
    for (let rest = this.#size; rest % 2 === 1; rest = (rest - 1) / 2) {
      hash = nodeHash(this.#sha256, this.#frontier.pop() as Uint8Array, hash);
      level += 1;
      onSubtree?.(level, (rest - 1) / 2, hash);
    }
    this.#frontier.push(hash);
    this.#size += 1;
  }

  get size(): number {
    return this.#size;
  }

  /** With the size, the state needed to continue the tree. */
  get frontier(): readonly Uint8Array[] {
    return [...this.#frontier];
  }

  /** The root, 32 bytes; of an empty tree the SHA-256 of the empty text. */
  root(): Uint8Array {
    let root = this.#frontier.at(-1);
    if (root === undefined) {
      return this.#sha256.bytes("");
    }
    for (let i = this.#frontier.length - 2; i >= 0; i -= 1) {
      root = nodeHash(this.#sha256, this.#frontier[i] as Uint8Array, root);
    }
    return root;
  }

  copy(): MerkleTree {
    return new MerkleTree(this.#sha256, this.#size, this.#frontier);
  }
}

function countOnes(value: number): number {
  let count = 0;
  for (let rest = value; rest > 0; rest = Math.floor(rest / 2)) {
    count += rest % 2;
  }
  return count;
}
