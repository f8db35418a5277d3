import {
  bitOfPath,
  EMPTY_STATE_TREE,
  type StateLeaf,
  stateLeafHash,
  stateNodeHash,
  stateRootAbove,
} from "@moneta/protocol";
import { sha256 } from "../sha256.ts";
import { PAGE_BYTES, type PageFile } from "./page-file.ts";
import {
  BUCKET_LEAVES,
  bitAt,
  childOf,
  EMPTY,
  edgePlace,
  hashPlace,
  INNER_PAGE,
  kindOf,
  leafPlace,
  NODE,
  sharedBits,
} from "./tree-pages.ts";
import { partingGap, type TreeTop } from "./tree-update.ts";

const HASH_BYTES = 32;

/** Hashes have 32 bytes. Source: proofs §2.1. */
export interface EntryProof {
  /** From the root down, at most 256; the hash of an empty tree is 32 zero bytes. */
  readonly siblings: readonly Uint8Array[];
  /** Undefined if the tree does not have the entry. */
  readonly valueHash?: Uint8Array;
  /** For a missing entry: the only other leaf in its place, undefined if there is none. */
  readonly other?: StateLeaf;
}

/** One page per four levels, then a bucket. */
export function entryProof(file: PageFile, top: TreeTop, path: Uint8Array): EntryProof {
  const siblings: Uint8Array[] = [];
  const page = Buffer.allocUnsafe(PAGE_BYTES);
  let { kind, at } = top;
  while (kind === INNER_PAGE) {
    file.read(at, page);
    let node = 1;
    while (kindOf(page, node) === NODE) {
      const bit = bitOfPath(path, siblings.length);
      siblings.push(hashIn(page, hashPlace(2 * node + 1 - bit)));
      node = 2 * node + bit;
    }
    kind = kindOf(page, node);
    at = childOf(page, node);
  }
  if (kind === EMPTY) {
    return { siblings };
  }
  file.read(at, page);
  const found = leafFor(page, kind, path, siblings);
  if (found === undefined) {
    return { siblings };
  }
  return Buffer.compare(found.path, path) === 0
    ? { siblings, valueHash: found.valueHash }
    : { siblings, other: { path: found.path, valueHash: found.valueHash } };
}

export function rootOfProof(path: Uint8Array, proof: EntryProof): Uint8Array {
  const { siblings, valueHash, other } = proof;
  let hash = EMPTY_STATE_TREE;
  if (valueHash !== undefined) {
    hash = stateLeafHash(sha256, { path, valueHash });
  } else if (other !== undefined) {
    hash = stateLeafHash(sha256, other);
  }
  return stateRootAbove(sha256, path, { hash, siblings });
}

/** Undefined for an empty place; adds the siblings it passes. */
function leafFor(
  bucket: Buffer,
  count: number,
  path: Uint8Array,
  siblings: Uint8Array[],
): StateLeaf | undefined {
  const shared = new Int16Array(BUCKET_LEAVES);
  for (let gap = 0; gap + 1 < count; gap += 1) {
    shared[gap] = sharedBits(bucket, leafPlace(gap), bucket, leafPlace(gap + 1));
  }
  const hashOf = (first: number, end: number): Uint8Array =>
    end - first === 1
      ? stateLeafHash(sha256, leafIn(bucket, first))
      : hashIn(bucket, edgePlace(partingGap(shared, first, end)));
  let [first, end] = [0, count];
  while (end - first > 1) {
    const gap = partingGap(shared, first, end);
    const parting = shared[gap] as number;
    while (siblings.length < parting) {
      const depth = siblings.length;
      if (bitOfPath(path, depth) !== bitAt(bucket, leafPlace(first), depth)) {
        // All leaves are on the other side.
        let hash = stateNodeHash(sha256, hashOf(first, gap + 1), hashOf(gap + 1, end));
        for (let up = parting - 1; up > depth; up -= 1) {
          hash =
            bitAt(bucket, leafPlace(first), up) === 0
              ? stateNodeHash(sha256, hash, EMPTY_STATE_TREE)
              : stateNodeHash(sha256, EMPTY_STATE_TREE, hash);
        }
        siblings.push(hash);
        return undefined;
      }
      siblings.push(EMPTY_STATE_TREE);
    }
    if (bitOfPath(path, parting) === 0) {
      siblings.push(hashOf(gap + 1, end));
      end = gap + 1;
    } else {
      siblings.push(hashOf(first, gap + 1));
      first = gap + 1;
    }
  }
  return leafIn(bucket, first);
}

function leafIn(bucket: Buffer, index: number): StateLeaf {
  const place = leafPlace(index);
  return { path: hashIn(bucket, place), valueHash: hashIn(bucket, place + HASH_BYTES) };
}

function hashIn(page: Buffer, place: number): Uint8Array {
  return Uint8Array.from(page.subarray(place, place + HASH_BYTES));
}
