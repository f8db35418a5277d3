import { canonicalJson } from "../text/canonical-json.ts";
import type { Sha256 } from "../tree/hashing.ts";

/** The header of a block, from which its id follows. Source: chain §4.7. */
export interface Header {
  readonly v: 1;
  /** Version of the rules in force. */
  readonly protocol: number;
  readonly sn: number;
  /** The ledger time of all its transactions, Unix seconds. */
  readonly timestamp: number;
  /** Id of the block before; 64 zeros for block 0. */
  readonly previous: string;
  /** Number of its transactions, at least 1. */
  readonly count: number;
  /** Root of the tree of its transactions, hex. */
  readonly root: string;
  /** Leaves of the tree of all transactions, this block's included. */
  readonly size: number;
  /** Root of that tree, hex. */
  readonly tree: string;
  /** Hash of the changes of the block. */
  readonly changes: string;
}

/** The last timestamp of a block: unlock dates and many clients end there. */
export const TIMESTAMP_MAX = 2 ** 31 - 1;

const NUMBERS = ["v", "protocol", "sn", "timestamp", "count", "size"] as const;
const HASHES = ["previous", "root", "tree", "changes"] as const;

/**
 * Whether a value has the form of a header: integers from 0 to 2^53 - 1, hashes of 64 hex digits,
 * no other members.
 */
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

/** A block as it is stored and replicated. All blocks together determine the whole state. */
export interface Block {
  readonly header: Header;
  readonly id: string;
  /** Operations in canonical form, in the order in which they were applied. */
  readonly operations: readonly string[];
}

export const NO_BLOCK = "0".repeat(64);

/** JCS of a header. */
export function headerText(header: Header): string {
  return canonicalJson({ ...header });
}

/** A block as `GET /block/{block}/raw` shows it. */
export function blockText({ header, id, operations }: Block): string {
  return `{"header":${JSON.stringify(header)},"id":"${id}","operations":[${operations.join(",")}]}`;
}

/** The id of the block with this header. Source: chain §4.7. */
export function blockId(header: Header, sha256: Sha256): string {
  return sha256.hex(headerText(header));
}
