import type { Sha256 } from "./hashing.ts";

const HASH_LENGTH = 32;

export const PATH_BITS = 256;

/** 32 zero bytes. Source: proofs §2.1. */
export const EMPTY_STATE_TREE: Uint8Array = new Uint8Array(HASH_LENGTH);

/** A shared buffer: each leaf is hashed before other code can write here. */
const leaf: Uint8Array = Uint8Array.of(2, ...new Uint8Array(2 * HASH_LENGTH));
const node: Uint8Array = Uint8Array.of(3, ...new Uint8Array(2 * HASH_LENGTH));

/** Path of an entry in the tree: SHA-256 of its key, 32 bytes. Source: proofs §2.1. */
export function statePath(sha256: Sha256, key: string): Uint8Array {
  return sha256.bytes(key);
}

/** Bit `depth` (0 to 255) of a path, the most significant first: 0 is left, 1 is right. */
export function bitOfPath(path: Uint8Array, depth: number): 0 | 1 {
  return (((path[depth >> 3] as number) >> (7 - (depth & 7))) & 1) as 0 | 1;
}

/** 32 bytes each; `valueHash` is the SHA-256 of the value's JCS text. */
export interface StateLeaf {
  readonly path: Uint8Array;
  readonly valueHash: Uint8Array;
}

/** SHA-256(02 ‖ path ‖ value hash), 32 bytes. Source: proofs §2.1. */
export function stateLeafHash(sha256: Sha256, { path, valueHash }: StateLeaf): Uint8Array {
  leaf.set(path, 1);
  leaf.set(valueHash, 1 + HASH_LENGTH);
  return sha256.bytes(leaf);
}

/** SHA-256(03 ‖ left ‖ right), 32 bytes. Source: proofs §2.1. */
export function stateNodeHash(sha256: Sha256, left: Uint8Array, right: Uint8Array): Uint8Array {
  node.set(left, 1);
  node.set(right, 1 + HASH_LENGTH);
  return sha256.bytes(node);
}

/**
 * From a hash at the end of a path, or of its first bits, and the siblings from the root down.
 * Source: proofs §3.2.
 */
export function stateRootAbove(
  sha256: Sha256,
  path: Uint8Array,
  { hash, siblings }: { readonly hash: Uint8Array; readonly siblings: readonly Uint8Array[] },
): Uint8Array {
  return siblings.reduceRight(
    (below, sibling, depth) =>
      bitOfPath(path, depth) === 0
        ? stateNodeHash(sha256, below, sibling)
        : stateNodeHash(sha256, sibling, below),
    hash,
  );
}

/**
 * The definition; the ledger's `StateTree` is for many entries. Each path occurs once.
 * Source: proofs §2.1.
 */
export function stateRoot(sha256: Sha256, entries: readonly StateLeaf[], depth = 0): Uint8Array {
  const [first] = entries;
  if (first === undefined) {
    return EMPTY_STATE_TREE;
  }
  if (entries.length === 1) {
    return stateLeafHash(sha256, first);
  }
  if (depth === PATH_BITS) {
    throw new Error("a state tree has each path once");
  }
  const ofBit = (bit: 0 | 1): Uint8Array =>
    stateRoot(
      sha256,
      entries.filter(({ path }) => bitOfPath(path, depth) === bit),
      depth + 1,
    );
  return stateNodeHash(sha256, ofBit(0), ofBit(1));
}
