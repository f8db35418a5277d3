import { canonicalJson } from "../text/canonical-json.ts";

/** Code points of a key that opens a sealed text. Source: protocols §6. */
export const OPENING_KEY_MAX = 4096;

/** A key and all that it is bound to, each as it is sent, what is absent as `""`. */
export interface Sealed {
  /** The id of block 0. */
  readonly ledgerId: string;
  readonly owner: string;
  readonly referencekey: string;
  /** Unix seconds, decimal digits. */
  readonly opendate: string;
  readonly algorithm: string;
  readonly data: string;
  readonly key: string;
}

/**
 * The text whose SHA-256, as lower-case hex, is a keyhash: of the key with all that it is bound to,
 * so that a copied hash opens nothing of whoever copied it. Source: protocols §5.2.
 */
export function keyhashText(sealed: Sealed): string {
  const { ledgerId, owner, referencekey, opendate, algorithm, data, key } = sealed;
  return canonicalJson([
    ...["mrc020", ledgerId, owner, referencekey, opendate, algorithm, data, key],
  ]);
}
