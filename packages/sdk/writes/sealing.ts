import {
  hasAtMost,
  hasForbiddenControl,
  keyhashText,
  OPENING_KEY_MAX,
  type Sealed,
  toHex,
} from "@moneta/protocol/client";
import { subtle } from "../keys/web-crypto.ts";

const SALT_BYTES = 16;
const KEY_BYTES = 32;

export interface Sealing {
  /** `await moneta.ledgerId()`. */
  readonly ledgerId: string;
  readonly owner: string;
  /** 1 to 64 of `0-9A-Za-z_`, new among the owner's. */
  readonly referencekey: string;
  /** Earliest opening, Unix seconds. */
  readonly opendate: number;
  /** A ciphertext, and the algorithm with which the key decrypts it. */
  readonly data?: string | undefined;
  readonly algorithm?: string | undefined;
}

/** It has no key. */
export interface SealRequest extends Omit<Sealing, "ledgerId"> {
  readonly keyhash: string;
}

/**
 * An unguessable key: a text followed by 16 random bytes, or 32 random bytes as hex. Throws
 * TypeError for an invalid text. Source: protocols §5.3.
 */
export function openingKey(text = ""): string {
  const random = crypto.getRandomValues(new Uint8Array(text === "" ? KEY_BYTES : SALT_BYTES));
  const key = text === "" ? toHex(random) : `${text}; salt ${toHex(random)}`;
  checkKey(key);
  return key;
}

/**
 * The commitment to a key, to be sent before the date; `moneta.mrc020open` takes the key after it.
 * Store the key: there is no other copy. Throws TypeError for an invalid text.
 * Source: protocols §5.2.
 */
export async function seal({ ledgerId, ...sealing }: Sealing, key: string): Promise<SealRequest> {
  checkKey(key);
  const { owner, referencekey, opendate, data = "", algorithm = "" } = sealing;
  const bound: Sealed = {
    ...{ ledgerId, owner, referencekey, opendate: String(opendate), algorithm, data, key },
  };
  const bytes = new TextEncoder().encode(keyhashText(bound));
  const keyhash = toHex(new Uint8Array(await subtle().digest("SHA-256", bytes)));
  return { ...sealing, keyhash };
}

// Refuses a key that the ledger would refuse at the opening, when it is too late.
function checkKey(key: string): void {
  const isClean = key.isWellFormed() && !hasForbiddenControl(key);
  if (!isClean || key === "" || !hasAtMost(key, OPENING_KEY_MAX)) {
    throw new TypeError(
      `A key is a text of 1 to ${OPENING_KEY_MAX} characters without control characters`,
    );
  }
}
