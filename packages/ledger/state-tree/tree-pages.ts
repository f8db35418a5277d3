import { EMPTY_STATE_TREE } from "@moneta/protocol";
import { writeHash } from "../sha256.ts";
import type { PageRef } from "./page-file.ts";

// An inner page has the nodes of four levels, a bucket the leaves of a small subtree. The root does
// not depend on it.

/** A larger subtree is split at its next bit. */
export const BUCKET_LEAVES = 20;

/**
 * Buckets up to this size together are joined: half a bucket, so that alternating changes do not
 * split and join it.
 */
export const JOINED_LEAVES: number = BUCKET_LEAVES / 2;

const HASH_BYTES = 32;

/**
 * Kind of a node: empty, a bucket (1 to 20 leaves), an inner page, or a node with its children in
 * this page.
 */
export const EMPTY = 0;
export const INNER_PAGE = 254;
export const NODE = 255;

/**
 * Nodes are numbered as in a heap: 1 is the top, the children of n are 2n and 2n + 1. From here on
 * children are in other pages.
 */
export const LOWEST_NODES = 16;

// The hash of node n is at 32n.
const PAGES_AT = 1024;
const CHECKSUMS_AT = 1152;
const KINDS_AT = 1280;

export function kindOf(inner: Buffer, node: number): number {
  return inner[KINDS_AT + node] as number;
}

export function setKind(inner: Buffer, node: number, kind: number): void {
  inner[KINDS_AT + node] = kind;
}

/** The node must be a bucket or an inner page. */
export function childOf(inner: Buffer, node: number): PageRef {
  return {
    page: inner.readUInt32LE(PAGES_AT + 4 * node),
    checksum: inner.readUInt32LE(CHECKSUMS_AT + 4 * node),
  };
}

export function setChild(inner: Buffer, node: number, { page, checksum }: PageRef): void {
  inner.writeUInt32LE(page, PAGES_AT + 4 * node);
  inner.writeUInt32LE(checksum, CHECKSUMS_AT + 4 * node);
}

export function hashPlace(node: number): number {
  return node * HASH_BYTES;
}

/** Without its children. */
export function copyNode(
  from: { readonly inner: Buffer; readonly node: number },
  to: { readonly inner: Buffer; readonly node: number },
): void {
  setKind(to.inner, to.node, kindOf(from.inner, from.node));
  setChild(to.inner, to.node, childOf(from.inner, from.node));
  const place = hashPlace(from.node);
  from.inner.copy(to.inner, hashPlace(to.node), place, place + HASH_BYTES);
}

export function clearNode(inner: Buffer, node: number): void {
  setKind(inner, node, EMPTY);
  setChild(inner, node, { page: 0, checksum: 0 });
  inner.fill(0, hashPlace(node), hashPlace(node) + HASH_BYTES);
}

/** Path and value hash. Leaves are sorted by path. */
export const LEAF_BYTES: number = 2 * HASH_BYTES;

export function leafPlace(index: number): number {
  return 16 + index * LEAF_BYTES;
}

/**
 * The hash between a leaf and the next: of the subtree that splits there, right below where it
 * splits from others.
 */
export function edgePlace(index: number): number {
  return leafPlace(BUCKET_LEAVES) + index * HASH_BYTES;
}

export function sharedBits(a: Buffer, aPlace: number, b: Buffer, bPlace: number): number {
  for (let at = 0; at < HASH_BYTES; at += 1) {
    const difference = (a[aPlace + at] as number) ^ (b[bPlace + at] as number);
    if (difference !== 0) {
      return at * 8 + Math.clz32(difference) - 24;
    }
  }
  return HASH_BYTES * 8;
}

export function bitAt(paths: Buffer, place: number, depth: number): number {
  return ((paths[place + (depth >> 3)] as number) >> (7 - (depth & 7))) & 1;
}

/**
 * Within buffers: an object per hash would dominate an update. Equals `stateLeafHash` and
 * `stateNodeHash`.
 */
export class TreeHasher {
  count = 0;
  readonly #leaf: Buffer = Buffer.alloc(1 + LEAF_BYTES, 2);
  readonly #node: Buffer = Buffer.alloc(1 + 2 * HASH_BYTES, 3);

  /** Path and value hash are in `leaves` at `from`. */
  leaf(leaves: Buffer, from: number, to: Buffer, toPlace: number): void {
    leaves.copy(this.#leaf, 1, from, from + LEAF_BYTES);
    this.#hash(this.#leaf, to, toPlace);
  }

  node(a: Buffer, aPlace: number, b: Buffer, bPlace: number, to: Buffer, toPlace: number): void {
    a.copy(this.#node, 1, aPlace, aPlace + HASH_BYTES);
    b.copy(this.#node, 1 + HASH_BYTES, bPlace, bPlace + HASH_BYTES);
    this.#hash(this.#node, to, toPlace);
  }

  /** The parent's hash with an empty other child. `bit` is the hash's side. */
  alone(bit: number, hash: Buffer, place: number): void {
    if (bit === 0) {
      this.node(hash, place, NOTHING, 0, hash, place);
    } else {
      this.node(NOTHING, 0, hash, place, hash, place);
    }
  }

  #hash(input: Buffer, to: Buffer, place: number): void {
    this.count += 1;
    writeHash(input, to, place);
  }
}

const NOTHING = Buffer.from(EMPTY_STATE_TREE);
