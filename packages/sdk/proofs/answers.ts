import {
  canonicalJson,
  fromBase64,
  type Header,
  isHeader,
  type Json,
} from "@moneta/protocol/proof";
import type { CallOptions } from "../call.ts";
import type { Moneta } from "../moneta.ts";
import { sha256 } from "./platform-free.ts";

export type Reads = Pick<Moneta, "request">;

/** A response, or why there is none: refused, too long, or not JSON. */
export type Asked = { readonly body: unknown } | { readonly fault: string };

/** Operations and records of one transaction have some 20 MB at most. */
export const RECORD_BYTES_MAX = 64 * 1024 * 1024;
/** Above the largest list of keys, checkpoint, or consistency proof. */
export const SMALL_BYTES_MAX = 1024 * 1024;
/** Above the longest path in the largest tree. */
const PATH_MAX = 128;
const HASH_BYTES = 32;

/** Throws only without a usable response: none at all, or overload. */
export async function ask(
  client: Reads,
  name: string,
  request: object,
  options: CallOptions,
): Promise<Asked> {
  try {
    return { body: (await client.request(name, request, options)).body };
  } catch (thrown) {
    const fault = faultOf(thrown);
    if (fault === undefined) {
      throw thrown;
    }
    return { fault };
  }
}

/** For checks that need no request because keys are known. Throws TypeError without a key. */
export function offline(keys: readonly string[]): Reads {
  if (keys.length === 0) {
    throw new TypeError("keys is empty: give at least one verifier key that you know beforehand");
  }
  return { request: () => Promise.reject(new Error("an offline check sends no request")) };
}

/** Compares names, because a page may have a second copy of the classes from another bundle. */
function faultOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) {
    return undefined;
  }
  if (thrown.name === "ProblemError") {
    const { status, code } = thrown as Error & { readonly status: number; readonly code: string };
    return status === 400 || status === 404 ? `${code}: ${thrown.message}` : undefined;
  }
  const isNoJson = thrown.cause instanceof Error && thrown.cause.name === "SyntaxError";
  return thrown instanceof RangeError || isNoJson ? thrown.message : undefined;
}

export interface ReceivedProof {
  readonly id: string;
  readonly leaf: string;
  readonly index: number;
  readonly size: number;
  /** Standard base64. */
  readonly root: string;
  readonly path: readonly Uint8Array[];
  readonly operation: unknown;
  readonly header: Header;
  readonly checkpoint: string;
}

/** A text names the fault of its form. Source: chain §12. */
export function receivedProof(body: unknown): ReceivedProof | string {
  const { id, leaf, leaf_index, tree_size, root, proof, operation, block, checkpoint } =
    membersOf(body);
  const path = receivedPath(proof);
  if (path === undefined) {
    return "proof is no list of hashes";
  }
  if (!isHeader(block)) {
    return "block is no header";
  }
  if (!isCount(leaf_index) || !isCount(tree_size)) {
    return "leaf_index or tree_size is no number";
  }
  return typeof id === "string" &&
    typeof leaf === "string" &&
    typeof root === "string" &&
    typeof checkpoint === "string"
    ? {
        id,
        leaf,
        index: leaf_index,
        size: tree_size,
        root,
        path,
        operation,
        header: block,
        checkpoint,
      }
    : "id, leaf, root or checkpoint is no text";
}

/** Reads a list of hashes in canonical base64; undefined if it is malformed or too long. */
export function receivedPath(proof: unknown): Uint8Array[] | undefined {
  if (!Array.isArray(proof) || proof.length > PATH_MAX) {
    return undefined;
  }
  const path: Uint8Array[] = [];
  for (const text of proof as readonly unknown[]) {
    const hash = typeof text === "string" ? fromBase64(text) : undefined;
    if (hash?.length !== HASH_BYTES) {
      return undefined;
    }
    path.push(hash);
  }
  return path;
}

export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** H(JCS(value)), or a note that the chain cannot hold the value. Source: chain §1.3. */
export function hashOf(value: unknown): string {
  return sha256HexOf(canonicalText(value));
}

/** Undefined if the chain cannot hold the value. Source: chain §1.3. */
export function canonicalText(value: unknown): string | undefined {
  try {
    return canonicalJson(value as Json);
  } catch {
    // Unsupported numbers, lone surrogates, undefined, or too deep nesting.
    return undefined;
  }
}

function sha256HexOf(text: string | undefined): string {
  return text === undefined ? "what no block can hold" : sha256.hex(text);
}

/** A safe integer from 0. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
