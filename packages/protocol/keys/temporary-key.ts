import { decodeBase62Number, encodeBase62Number } from "../text/base62-number.ts";

/**
 * `K`, address number (7 digits base 62), expiry (6), random (10), tag (22). Source: accounts §7.2.
 */
export interface TemporaryKey {
  readonly addressNumber: number;
  /** The last ledger time at which it is valid, Unix seconds. */
  readonly expiry: number;
  readonly random: string;
  readonly tag: string;
  readonly untagged: string;
}

export const TEMPORARY_KEY_RANDOM_LENGTH = 10;
export const TEMPORARY_KEY_TAG_LENGTH = 22;
export const TEMPORARY_KEY_TAG_BYTES = 16;

const FORM = /^K[0-9A-Za-z]{45}$/;

export function parseTemporaryKey(text: string): TemporaryKey | undefined {
  if (!FORM.test(text)) {
    return undefined;
  }
  const addressNumber = decodeBase62Number(text.slice(1, 8));
  const expiry = decodeBase62Number(text.slice(8, 14));
  if (addressNumber === undefined || expiry === undefined) {
    return undefined;
  }
  return {
    addressNumber,
    expiry,
    random: text.slice(14, 24),
    tag: text.slice(24),
    untagged: text.slice(0, 24),
  };
}

export function untaggedKey(key: {
  readonly addressNumber: number;
  readonly expiry: number;
  readonly random: string;
}): string {
  return `K${encodeBase62Number(key.addressNumber, 7)}${encodeBase62Number(key.expiry, 6)}${key.random}`;
}

/** These restrict nothing: older clients use them for all operations. Source: accounts §7.1. */
const UNRESTRICTED_KINDS: ReadonlySet<string> = new Set(["transfer", "token"]);

/** The operation to which a key of this kind is restricted, or `""`. */
export function restriction(kind: string, operationNames: ReadonlySet<string>): string {
  return operationNames.has(kind) && !UNRESTRICTED_KINDS.has(kind) ? kind : "";
}

/** Source: accounts §7.2. */
export function taggedText(ledgerId: string, restrictedTo: string, untagged: string): string {
  return `${ledgerId}|${restrictedTo}|${untagged}`;
}
