import { canonicalJson } from "../text/canonical-json.ts";
import type { Sha256 } from "../tree/hashing.ts";

/** The header of a block, from which its id follows. Source: chain §4.7. */
export interface Header {
  readonly v: 1;
  readonly protocol: number;
  readonly sn: number;
  readonly timestamp: number;
  /** 64 zeros for block 0. */
  readonly previous: string;
  readonly count: number;
  /** Root of the tree of its transactions, hex. */
  readonly root: string;
  /** Leaves of the tree of all transactions, this block's included. */
  readonly size: number;
  readonly tree: string;
  readonly changes: string;
}

/** The last timestamp of a block: unlock dates and many clients end there. */
export const TIMESTAMP_MAX = 2 ** 31 - 1;

const NUMBERS = ["v", "protocol", "sn", "timestamp", "count", "size"] as const;
const HASHES = ["previous", "root", "tree", "changes"] as const;

/** Integers from 0 to 2^53 - 1, hashes of 64 hex digits, no other members. */
export function isHeader(value: unknown): value is Header {
  if (typeof value !== "object" || value === null) {
    return false;
  }
  const members = value as Record<string, unknown>;
  return (
    Object.keys(members).length === NUMBERS.length + HASHES.length &&
    NUMBERS.every(
      (name) => Number.isSafeInteger(members[name]) && (members[name] as number) >= 0,
    ) &&
    HASHES.every(
      (name) => typeof members[name] === "string" && /^[0-9a-f]{64}$/.test(members[name]),
    )
  );
}

/** All blocks together determine the whole state. */
export interface Block {
  readonly header: Header;
  readonly id: string;
  readonly operations: readonly string[];
}

export const NO_BLOCK = "0".repeat(64);

export function headerText(header: Header): string {
  return canonicalJson({ ...header });
}

export function blockText({ header, id, operations }: Block): string {
  return `{"header":${JSON.stringify(header)},"id":"${id}","operations":[${operations.join(",")}]}`;
}

/** Source: chain §4.7. */
export function blockId(header: Header, sha256: Sha256): string {
  return sha256.hex(headerText(header));
}
