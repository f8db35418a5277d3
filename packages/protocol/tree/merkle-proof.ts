import type { Sha256 } from "./hashing.ts";
import { nodeHash } from "./merkle-tree.ts";

/** Root of subtree `index` of 2^level leaves; at level 0 the hash of a leaf. */
export type Subtrees = (level: number, index: number) => Uint8Array;

/** The root over the first `size` leaves, at least one. Source: RFC 6962 §2.1. */
export function rootOf(sha256: Sha256, size: number, subtrees: Subtrees): Uint8Array {
  return rangeRoot({ sha256, subtrees }, 0, size);
}

/** PATH of RFC 6962 §2.1.1. `index` must be below `size`. */
export function inclusionPath(
  sha256: Sha256,
  { index, size }: { readonly index: number; readonly size: number },
  subtrees: Subtrees,
): Uint8Array[] {
  const tree = { sha256, subtrees };
  const path: Uint8Array[] = [];
  let from = 0;
  let to = size;
  while (to - from > 1) {
    const split = from + splitOf(to - from);
    if (index < split) {
      path.push(rangeRoot(tree, split, to));
      to = split;
    } else {
      path.push(rangeRoot(tree, from, split));
      from = split;
    }
  }
  return path.reverse();
}

/** PROOF of RFC 6962 §2.1.2, empty if they are equal. 1 ≤ from ≤ to. */
export function consistencyPath(
  sha256: Sha256,
  sizes: { readonly from: number; readonly to: number },
  subtrees: Subtrees,
): Uint8Array[] {
  const tree = { sha256, subtrees };
  const path: Uint8Array[] = [];
  let begin = 0;
  let end = sizes.to;
  while (sizes.from < end) {
    const split = begin + splitOf(end - begin);
    if (sizes.from <= split) {
      path.push(rangeRoot(tree, split, end));
      end = split;
    } else {
      path.push(rangeRoot(tree, begin, split));
      begin = split;
    }
  }
  if (begin > 0) {
    path.push(rangeRoot(tree, begin, end));
  }
  return path.reverse();
}

/** Source: RFC 9162 §2.1.3.2. */
export function verifyInclusion(
  sha256: Sha256,
  claim: {
    readonly leafHash: Uint8Array;
    readonly index: number;
    readonly size: number;
    readonly root: Uint8Array;
    readonly path: readonly Uint8Array[];
  },
): boolean {
  const { index, size, path } = claim;
  if (!isCount(index) || !isCount(size) || index >= size) {
    return false;
  }
  let node = index;
  let last = size - 1;
  let hash = claim.leafHash;
  for (const sibling of path) {
    if (last === 0) {
      return false;
    }
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sha256, sibling, hash);
      while (node % 2 === 0 && node > 0) {
        node = half(node);
        last = half(last);
      }
    } else {
      hash = nodeHash(sha256, hash, sibling);
    }
    node = half(node);
    last = half(last);
  }
  return last === 0 && isEqual(hash, claim.root);
}

/** The path's siblings on the left, largest first. The path must have been verified. */
export function pathFrontier(claim: {
  readonly index: number;
  readonly size: number;
  readonly path: readonly Uint8Array[];
}): Uint8Array[] {
  const frontier: Uint8Array[] = [];
  let node = claim.index;
  let last = claim.size - 1;
  for (const sibling of claim.path) {
    if (node % 2 === 1 || node === last) {
      frontier.unshift(sibling);
      while (node % 2 === 0 && node > 0) {
        node = half(node);
        last = half(last);
      }
    }
    node = half(node);
    last = half(last);
  }
  return frontier;
}

/** False for an empty first tree. Source: RFC 9162 §2.1.4.2. */
export function verifyConsistency(
  sha256: Sha256,
  claim: {
    readonly from: number;
    readonly to: number;
    readonly fromRoot: Uint8Array;
    readonly toRoot: Uint8Array;
    readonly path: readonly Uint8Array[];
  },
): boolean {
  const { from, to, fromRoot, toRoot, path } = claim;
  if (!isCount(from) || !isCount(to) || from < 1 || from > to) {
    return false;
  }
  if (from === to) {
    return path.length === 0 && isEqual(fromRoot, toRoot);
  }
  let node = from - 1;
  let last = to - 1;
  while (node % 2 === 1) {
    node = half(node);
    last = half(last);
  }
  // A complete old tree begins the path, although the path does not contain it.
  const [first, ...rest] = node === 0 ? [fromRoot, ...path] : path;
  if (first === undefined || path.length === 0) {
    return false;
  }
  let fromHash = first;
  let toHash = first;
  for (const sibling of rest) {
    if (last === 0) {
      return false;
    }
    if (node % 2 === 1 || node === last) {
      fromHash = nodeHash(sha256, sibling, fromHash);
      toHash = nodeHash(sha256, sibling, toHash);
      while (node % 2 === 0 && node > 0) {
        node = half(node);
        last = half(last);
      }
    } else {
      toHash = nodeHash(sha256, toHash, sibling);
    }
    node = half(node);
    last = half(last);
  }
  return last === 0 && isEqual(fromHash, fromRoot) && isEqual(toHash, toRoot);
}

interface Tree {
  readonly sha256: Sha256;
  readonly subtrees: Subtrees;
}

/** `from` is a multiple of the power of two that the leaves fit into. */
function rangeRoot(tree: Tree, from: number, to: number): Uint8Array {
  const size = to - from;
  let level = 0;
  let complete = 1;
  while (complete < size) {
    complete *= 2;
    level += 1;
  }
  if (complete === size) {
    return tree.subtrees(level, from / size);
  }
  const split = from + complete / 2;
  return nodeHash(tree.sha256, rangeRoot(tree, from, split), rangeRoot(tree, split, to));
}

/** The size may have more than 32 bits. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) {
    split *= 2;
  }
  return split;
}

function half(value: number): number {
  return Math.floor(value / 2);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
