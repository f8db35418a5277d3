import { fromBase64, fromHex, toBase64, toHex } from "../text/byte-texts.ts";
import { canonicalJson, type Json } from "../text/canonical-json.ts";
import type { Sha256 } from "./hashing.ts";
import {
  bitOfPath,
  EMPTY_STATE_TREE,
  PATH_BITS,
  type StateLeaf,
  stateLeafHash,
  statePath,
  stateRootAbove,
} from "./state-tree.ts";

/** Source: proofs §3.1. */
export interface EntryProof {
  readonly key: string;
  /** Null if there is no such entry. */
  readonly value: Json;
  /** From the root down, base64 of 32 bytes; `""` means 32 zero bytes. */
  readonly siblings: readonly string[];
  /** For a missing entry: the only leaf in its place, hex. Absent if the place is empty. */
  readonly other?: { readonly path: string; readonly hash: string };
}

/** Source: proofs §3.1. */
export interface StateProof {
  /** Number of the block after which the entries had these values. */
  readonly height: number;
  readonly entries: readonly EntryProof[];
  readonly root: {
    readonly transaction: string;
    /** Path from the leaf to the tree's root. */
    readonly leaf: string;
    readonly index: number;
    readonly size: number;
    /** Base64, from the leaf upward. */
    readonly path: readonly string[];
    /** Of type StateRoot; its parameters are height and root, in hex. */
    readonly record: Json;
  };
  readonly checkpoint: string;
}

/** A value, or null for a missing entry, and the root that follows from it, 32 bytes. */
export interface ProvenEntry {
  readonly value: Json;
  readonly root: Uint8Array;
}

/** Source: proofs §3.1. */
export function entryProof({
  key,
  value,
  siblings,
  other,
}: {
  readonly key: string;
  readonly value: Json;
  readonly siblings: readonly Uint8Array[];
  readonly other?: StateLeaf | undefined;
}): EntryProof {
  return {
    key,
    value,
    siblings: siblings.map((hash) => (hash.some((byte) => byte !== 0) ? toBase64(hash) : "")),
    ...(other && { other: { path: toHex(other.path), hash: toHex(other.valueHash) } }),
  };
}

/**
 * The root that follows; a text names the fault. Pass the `key` of your own request.
 * Source: proofs §3.2.
 */
export function provenEntry(sha256: Sha256, key: string, shown: unknown): ProvenEntry | string {
  const { siblings: texts, ...entry } = membersOf(shown);
  if (entry["key"] !== key) {
    return `it is not of the key ${key}`;
  }
  const siblings =
    Array.isArray(texts) && texts.length <= PATH_BITS ? texts.map(readSibling) : [undefined];
  if (!siblings.every((hash) => hash !== undefined)) {
    return `siblings must be a list of at most ${PATH_BITS} hashes in base64, "" for zero bytes`;
  }
  const path = statePath(sha256, key);
  const value = entry["value"] as Json;
  const lowest = lowestHash(sha256, { path, value, other: entry["other"], depth: siblings.length });
  if (typeof lowest === "string") {
    return lowest;
  }
  return { value, root: stateRootAbove(sha256, path, { hash: lowest, siblings }) };
}

/** JCS; undefined for values that no entry can have, such as fractions. */
export function entryText(value: Json | undefined): string | undefined {
  try {
    return canonicalJson(value as Json);
  } catch {
    return undefined;
  }
}

/** The entry's leaf, another leaf, or an empty place. */
function lowestHash(
  sha256: Sha256,
  place: {
    readonly path: Uint8Array;
    readonly value: Json | undefined;
    readonly other: unknown;
    readonly depth: number;
  },
): Uint8Array | string {
  const { path, value, other, depth } = place;
  if (value !== null) {
    const text = entryText(value);
    return text === undefined || other !== undefined
      ? "it has both value and other, or a value that no entry can have"
      : stateLeafHash(sha256, { path, valueHash: sha256.bytes(text) });
  }
  if (other === undefined) {
    return EMPTY_STATE_TREE;
  }
  const { path: otherPath, hash } = membersOf(other);
  if (!isHash(otherPath) || !isHash(hash)) {
    return "other must have path and hash, 64 lower-case hex digits each";
  }
  const leaf = { path: fromHex(otherPath), valueHash: fromHex(hash) };
  let common = 0;
  while (common < PATH_BITS && bitOfPath(path, common) === bitOfPath(leaf.path, common)) {
    common += 1;
  }
  return common < depth || common === PATH_BITS
    ? "other is the leaf of the key itself, or not in the key's place"
    : stateLeafHash(sha256, leaf);
}

function readSibling(text: unknown): Uint8Array | undefined {
  if (text === "") {
    return EMPTY_STATE_TREE;
  }
  const hash = typeof text === "string" ? fromBase64(text) : undefined;
  return hash?.length === EMPTY_STATE_TREE.length && hash.some((byte) => byte !== 0)
    ? hash
    : undefined;
}

function isHash(text: unknown): text is string {
  return typeof text === "string" && /^[0-9a-f]{64}$/.test(text);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return (value ?? {}) as Readonly<Record<string, unknown>>;
}
