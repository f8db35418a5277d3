import { NO_PAGE, type PageFile, type PageRef } from "./page-file.ts";
import type { DeadPage, TreeTop } from "./tree-update.ts";

/** Besides the newest two: the last of each UTC day, or none. */
export type KeptRoots = "day" | "none";

export interface BlockOfRoot {
  readonly height: number;
  /** Unix seconds. */
  readonly timestamp: number;
  /** 64 hex digits. After a restore the ledger may have another block here. */
  readonly block: string;
}

export interface KeptRoot extends BlockOfRoot {
  /** 32 bytes. */
  readonly root: Uint8Array;
  readonly claim: number | undefined;
}

export interface StoredRoot extends KeptRoot, TreeTop {
  readonly commit: number;
  /** Pages that the next kept tree does not have: a chain of page numbers with their commits. */
  readonly dead: PageRef;
}

/** A reader may still use the second. */
const NEWEST = 2;
const DAY_SECONDS = 86_400;
const DEAD_BYTES = 8;
const ROOT_BYTES = 112;
const NO_CLAIM = -1;

/**
 * `dead` are the previous tree's pages that the new one lacks. Unused pages become free after the
 * next commit.
 */
export function withRoot(
  file: PageFile,
  kept: readonly StoredRoot[],
  added: {
    readonly root: StoredRoot;
    readonly dead: readonly DeadPage[];
    readonly keep: KeptRoots;
  },
): StoredRoot[] {
  const { root, dead, keep } = added;
  const roots: StoredRoot[] = [...withDead(file, kept, dead), root];
  let left: StoredRoot[] = [];
  for (const [index, one] of roots.entries()) {
    const next = roots[index + 1];
    const endsDay = next !== undefined && dayOf(one) !== dayOf(next);
    if (index >= roots.length - NEWEST || (keep === "day" && endsDay)) {
      left.push(one);
    } else {
      left = withoutRoot(file, left, one);
    }
  }
  return left;
}

function withoutRoot(
  file: PageFile,
  before: readonly StoredRoot[],
  dropped: StoredRoot,
): StoredRoot[] {
  const previous = before.at(-1)?.commit ?? 0;
  const shared: DeadPage[] = [];
  for (const { page, commit, content } of file.chain(dropped.dead)) {
    for (let at = 0; at < content.length; at += DEAD_BYTES) {
      const one = { page: content.readUInt32LE(at), commit: content.readUInt32LE(at + 4) };
      if (one.commit > previous) {
        file.free(one.page, one.commit);
      } else {
        shared.push(one);
      }
    }
    file.free(page, commit);
  }
  return withDead(file, before, shared);
}

function withDead(
  file: PageFile,
  roots: readonly StoredRoot[],
  dead: readonly DeadPage[],
): StoredRoot[] {
  const newest = roots.at(-1);
  if (newest === undefined || dead.length === 0) {
    return [...roots];
  }
  const bytes = Buffer.allocUnsafe(dead.length * DEAD_BYTES);
  for (const [index, { page, commit }] of dead.entries()) {
    bytes.writeUInt32LE(page, index * DEAD_BYTES);
    bytes.writeUInt32LE(commit, index * DEAD_BYTES + 4);
  }
  return [...roots.slice(0, -1), { ...newest, dead: file.append(newest.dead, bytes) }];
}

function dayOf({ timestamp }: StoredRoot): number {
  return Math.floor(timestamp / DAY_SECONDS);
}

export function encodeRoots(roots: readonly StoredRoot[]): Buffer {
  const bytes = Buffer.alloc(roots.length * ROOT_BYTES);
  for (const [index, root] of roots.entries()) {
    const at = index * ROOT_BYTES;
    bytes.writeDoubleLE(root.height, at);
    bytes.writeDoubleLE(root.timestamp, at + 8);
    bytes.writeDoubleLE(root.claim ?? NO_CLAIM, at + 72);
    const { commit, kind, at: top, dead } = root;
    for (const [place, value] of [
      commit,
      kind,
      top.page,
      top.checksum,
      dead.page,
      dead.checksum,
    ].entries()) {
      bytes.writeUInt32LE(value, at + 16 + 4 * place);
    }
    bytes.set(root.root, at + 40);
    bytes.write(root.block, at + 80, "hex");
  }
  return bytes;
}

export function decodeRoots(bytes: Buffer): StoredRoot[] {
  return Array.from({ length: bytes.length / ROOT_BYTES }, (_, index) => {
    const at = index * ROOT_BYTES;
    const [commit = 0, kind = 0, page = 0, checksum = 0, deadPage = 0, deadSum = 0] = Array.from(
      { length: 6 },
      (_, place) => bytes.readUInt32LE(at + 16 + 4 * place),
    );
    const claim = bytes.readDoubleLE(at + 72);
    return {
      height: bytes.readDoubleLE(at),
      timestamp: bytes.readDoubleLE(at + 8),
      commit,
      kind,
      at: { page, checksum },
      dead: deadPage === 0 ? NO_PAGE : { page: deadPage, checksum: deadSum },
      root: Uint8Array.from(bytes.subarray(at + 40, at + 72)),
      claim: claim === NO_CLAIM ? undefined : claim,
      block: bytes.toString("hex", at + 80, at + ROOT_BYTES),
    };
  });
}
