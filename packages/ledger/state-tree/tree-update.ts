import type { EntryBatch } from "./entry-batch.ts";
import { PAGE_BYTES, type PageFile, type PageRef } from "./page-file.ts";
import {
  BUCKET_LEAVES,
  bitAt,
  childOf,
  clearNode,
  copyNode,
  edgePlace,
  hashPlace,
  INNER_PAGE,
  JOINED_LEAVES,
  kindOf,
  LEAF_BYTES,
  LOWEST_NODES,
  leafPlace,
  NODE,
  setChild,
  setKind,
  sharedBits,
  type TreeHasher,
} from "./tree-pages.ts";

const HASH_BYTES = 32;

export interface DeadPage {
  readonly page: number;
  readonly commit: number;
}

/** Its root (32 bytes), and the kind and page of its top node. */
export interface TreeTop {
  readonly root: Uint8Array;
  readonly kind: number;
  readonly at: PageRef;
}

/** Changed pages are written to new places, so the old tree remains intact. */
export class TreeUpdate {
  readonly dead: DeadPage[] = [];
  readonly #file: PageFile;
  readonly #hasher: TreeHasher;
  /** A virtual page above the tree, whose top is its node 16. */
  readonly #top: Buffer = Buffer.alloc(PAGE_BYTES);
  readonly #inners: Buffer[] = [];

  /** Places in the old bucket, or -1. */
  #leaves: Buffer = Buffer.allocUnsafe(64 * LEAF_BYTES);
  #oldPlaces: Int32Array = new Int32Array(64);
  #count = 0;
  /** The old bucket, its number of leaves, its depth, and the bits that neighbours share. */
  readonly #old: Buffer = Buffer.alloc(PAGE_BYTES);
  #oldCount = 0;
  #oldDepth = 0;
  readonly #oldShared: Int16Array = new Int16Array(BUCKET_LEAVES);

  readonly #bucket: Buffer = Buffer.alloc(PAGE_BYTES);
  readonly #shared: Int16Array = new Int16Array(BUCKET_LEAVES);
  readonly #pair: Buffer = Buffer.alloc(2 * HASH_BYTES);

  constructor(file: PageFile, hasher: TreeHasher, from: TreeTop | undefined) {
    this.#file = file;
    this.#hasher = hasher;
    if (from !== undefined) {
      setKind(this.#top, LOWEST_NODES, from.kind);
      setChild(this.#top, LOWEST_NODES, from.at);
      this.#top.set(from.root, hashPlace(LOWEST_NODES));
    }
  }

  get top(): TreeTop {
    const place = hashPlace(LOWEST_NODES);
    return {
      root: Uint8Array.from(this.#top.subarray(place, place + HASH_BYTES)),
      kind: kindOf(this.#top, LOWEST_NODES),
      at: childOf(this.#top, LOWEST_NODES),
    };
  }

  /** Throws `DamagedStateTree` or `StorageFailure`. */
  apply(batch: EntryBatch): void {
    this.#change(batch, { inner: this.#top, node: LOWEST_NODES, level: 0, depth: 0 }, [
      0,
      batch.length,
    ]);
    this.#file.reuse();
  }

  #change(batch: EntryBatch, at: Place, [from, to]: readonly [number, number]): boolean {
    const { inner, node, level, depth } = at;
    if (from === to) {
      return false;
    }
    switch (kindOf(inner, node)) {
      case NODE: {
        const middle = partition(from, to, (entry) =>
          bitAt(batch.leaves, batch.placeOf(entry), depth),
        );
        const left = this.#change(batch, childPlace(at, 0), [from, middle]);
        const right = this.#change(batch, childPlace(at, 1), [middle, to]);
        if (left || right) {
          this.#close(at);
        }
        return left || right;
      }
      case INNER_PAGE: {
        const ref = childOf(inner, node);
        const child = this.#innerAt(level + 1);
        this.#file.read(ref, child);
        const commit = child.readUInt32LE(0);
        if (!this.#change(batch, { inner: child, node: 1, level: level + 1, depth }, [from, to])) {
          return false;
        }
        this.#drop(ref.page, commit);
        this.#putInner(child, at);
        return true;
      }
      default: {
        if (!this.#merge(batch, at, [from, to])) {
          return false;
        }
        this.#put(at, 0, this.#count);
        return true;
      }
    }
  }

  #close(at: Place): void {
    const { inner, node } = at;
    const [left, right] = [2 * node, 2 * node + 1];
    // Other kinds are larger than that of a bucket, its number of leaves.
    if (kindOf(inner, left) + kindOf(inner, right) > JOINED_LEAVES) {
      this.#hasher.node(inner, hashPlace(left), inner, hashPlace(right), inner, hashPlace(node));
      return;
    }
    this.#count = 0;
    this.#oldCount = 0;
    for (const child of [left, right]) {
      const leaves = kindOf(inner, child);
      if (leaves > 0) {
        const ref = childOf(inner, child);
        this.#file.read(ref, this.#old);
        this.#drop(ref.page, this.#old.readUInt32LE(0));
        for (let index = 0; index < leaves; index += 1) {
          this.#addLeaf(this.#old, leafPlace(index), -1);
        }
      }
      clearNode(inner, child);
    }
    this.#put(at, 0, this.#count);
  }

  #putInner(child: Buffer, { inner, node }: Place): void {
    copyNode({ inner: child, node: 1 }, { inner, node });
    if (kindOf(child, 1) === NODE) {
      setKind(inner, node, INNER_PAGE);
      setChild(inner, node, this.#file.write(child));
    }
  }

  /** False if nothing changes. */
  #merge(batch: EntryBatch, at: Place, [from, to]: readonly [number, number]): boolean {
    const { inner, node, depth } = at;
    const old = this.#old;
    const oldCount = kindOf(inner, node);
    const ref = childOf(inner, node);
    if (oldCount > 0) {
      this.#file.read(ref, old);
    }
    this.#count = 0;
    let isChanged = false;
    let index = 0;
    for (let entry = from; entry < to; entry += 1) {
      const place = batch.placeOf(entry);
      let order = 1;
      while (index < oldCount) {
        order = comparePaths(old, leafPlace(index), batch.leaves, place);
        if (order >= 0) {
          break;
        }
        this.#addLeaf(old, leafPlace(index), index);
        index += 1;
      }
      const isThere = index < oldCount && order === 0;
      if (batch.isRemoved(entry)) {
        isChanged ||= isThere;
      } else if (isThere && hasSameValue(old, leafPlace(index), batch.leaves, place)) {
        this.#addLeaf(old, leafPlace(index), index);
      } else {
        this.#addLeaf(batch.leaves, place, -1);
        isChanged = true;
      }
      index += isThere ? 1 : 0;
    }
    for (; index < oldCount; index += 1) {
      this.#addLeaf(old, leafPlace(index), index);
    }
    if (!isChanged) {
      return false;
    }
    this.#oldCount = oldCount;
    this.#oldDepth = depth;
    for (let gap = 0; gap + 1 < oldCount; gap += 1) {
      this.#oldShared[gap] = sharedBits(old, leafPlace(gap), old, leafPlace(gap + 1));
    }
    if (oldCount > 0) {
      this.#drop(ref.page, old.readUInt32LE(0));
    }
    return true;
  }

  #addLeaf(from: Buffer, place: number, oldPlace: number): void {
    if (this.#count === this.#oldPlaces.length) {
      const leaves = Buffer.allocUnsafe(2 * this.#leaves.length);
      this.#leaves.copy(leaves);
      this.#leaves = leaves;
      const places = new Int32Array(2 * this.#count);
      places.set(this.#oldPlaces);
      this.#oldPlaces = places;
    }
    from.copy(this.#leaves, this.#count * LEAF_BYTES, place, place + LEAF_BYTES);
    this.#oldPlaces[this.#count] = oldPlace;
    this.#count += 1;
  }

  #put(at: Place, from: number, to: number): void {
    const { inner, node, level, depth } = at;
    if (from === to) {
      clearNode(inner, node);
    } else if (to - from <= BUCKET_LEAVES) {
      this.#putBucket(at, from, to);
    } else if (node >= LOWEST_NODES) {
      const child = this.#innerAt(level + 1).fill(0);
      this.#put({ inner: child, node: 1, level: level + 1, depth }, from, to);
      this.#putInner(child, at);
    } else {
      const middle = partition(from, to, (leaf) => bitAt(this.#leaves, leaf * LEAF_BYTES, depth));
      setKind(inner, node, NODE);
      const [left, right] = [childPlace(at, 0), childPlace(at, 1)];
      this.#put(left, from, middle);
      this.#put(right, middle, to);
      this.#hasher.node(
        inner,
        hashPlace(left.node),
        inner,
        hashPlace(right.node),
        inner,
        hashPlace(node),
      );
    }
  }

  #putBucket({ inner, node, depth }: Place, from: number, to: number): void {
    const count = to - from;
    const bucket = this.#bucket.fill(0);
    this.#leaves.copy(bucket, leafPlace(0), from * LEAF_BYTES, to * LEAF_BYTES);
    for (let gap = 0; gap + 1 < count; gap += 1) {
      this.#shared[gap] = sharedBits(bucket, leafPlace(gap), bucket, leafPlace(gap + 1));
    }
    if (count === 1) {
      this.#hasher.leaf(bucket, leafPlace(0), inner, hashPlace(node));
    } else {
      const place = this.#hashLeaves({ first: 0, end: count, depth, offset: from });
      bucket.copy(inner, hashPlace(node), place, place + HASH_BYTES);
    }
    setKind(inner, node, count);
    setChild(inner, node, this.#file.write(bucket));
  }

  /**
   * At least two leaves. Returns the hash's offset in the bucket, copied from the old one if known.
   */
  #hashLeaves(range: LeafRange): number {
    const { first, end, depth, offset } = range;
    const bucket = this.#bucket;
    const gap = partingGap(this.#shared, first, end);
    const place = edgePlace(gap);
    if (this.#isKnown(range)) {
      const old = this.#oldPlaces[offset + first] as number;
      this.#old.copy(bucket, edgePlace(first), edgePlace(old), edgePlace(old + end - first - 1));
      return place;
    }
    const parting = this.#shared[gap] as number;
    const isLeafLeft = gap === first;
    const isLeafRight = gap + 2 === end;
    const below = { depth: parting + 1, offset };
    const left = isLeafLeft ? 0 : this.#hashLeaves({ ...below, first, end: gap + 1 });
    const right = isLeafRight ? HASH_BYTES : this.#hashLeaves({ ...below, first: gap + 1, end });
    if (isLeafLeft) {
      this.#hasher.leaf(bucket, leafPlace(gap), this.#pair, 0);
    }
    if (isLeafRight) {
      this.#hasher.leaf(bucket, leafPlace(gap + 1), this.#pair, HASH_BYTES);
    }
    this.#hasher.node(
      isLeafLeft ? this.#pair : bucket,
      left,
      isLeafRight ? this.#pair : bucket,
      right,
      bucket,
      place,
    );
    for (let up = parting - 1; up >= depth; up -= 1) {
      this.#hasher.alone(bitAt(bucket, leafPlace(first), up), bucket, place);
    }
    return place;
  }

  #isKnown({ first, end, depth, offset }: LeafRange): boolean {
    const old = this.#oldPlaces[offset + first] as number;
    if (old < 0 || this.#oldCount === 0) {
      return false;
    }
    for (let index = 1; index < end - first; index += 1) {
      if (this.#oldPlaces[offset + first + index] !== old + index) {
        return false;
      }
    }
    const oldEnd = old + end - first;
    const before = old === 0 ? this.#oldDepth - 1 : (this.#oldShared[old - 1] as number);
    const after =
      oldEnd === this.#oldCount ? this.#oldDepth - 1 : (this.#oldShared[oldEnd - 1] as number);
    return Math.max(before, after) + 1 === depth;
  }

  #innerAt(level: number): Buffer {
    const inner = this.#inners[level] ?? Buffer.alloc(PAGE_BYTES);
    this.#inners[level] = inner;
    return inner;
  }

  #drop(page: number, commit: number): void {
    if (commit === this.#file.commitNumber) {
      this.#file.free(page, commit);
    } else {
      this.dead.push({ page, commit });
    }
  }
}

/** `level` counts the inner pages above it, `depth` the nodes. */
interface Place {
  readonly inner: Buffer;
  readonly node: number;
  readonly level: number;
  readonly depth: number;
}

interface LeafRange {
  readonly first: number;
  readonly end: number;
  readonly depth: number;
  readonly offset: number;
}

function childPlace({ inner, node, level, depth }: Place, bit: 0 | 1): Place {
  return { inner, node: 2 * node + bit, level, depth: depth + 1 };
}

/** Between the neighbours that share the fewest bits. */
export function partingGap(shared: Int16Array, first: number, end: number): number {
  let gap = first;
  for (let index = first + 1; index + 1 < end; index += 1) {
    if ((shared[index] as number) < (shared[gap] as number)) {
      gap = index;
    }
  }
  return gap;
}

function partition(from: number, to: number, bitOf: (place: number) => number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bitOf(middle) === 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

function comparePaths(a: Buffer, aPlace: number, b: Buffer, bPlace: number): number {
  for (let at = 0; at < HASH_BYTES; at += 1) {
    const difference = (a[aPlace + at] as number) - (b[bPlace + at] as number);
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

function hasSameValue(a: Buffer, aPlace: number, b: Buffer, bPlace: number): boolean {
  return comparePaths(a, aPlace + HASH_BYTES, b, bPlace + HASH_BYTES) === 0;
}
