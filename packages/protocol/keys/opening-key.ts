import { canonicalJson } from "../text/canonical-json.ts";

/** Code points of a key that opens a sealed text. Source: protocols §6. */
export const OPENING_KEY_MAX = 4096;

/** A key with everything that it is bound to, as sent; absent values are `""`. */
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
 * The text whose SHA-256 (lower-case hex) is a keyhash. It includes everything that the key is
 * bound to, so that a copied hash opens no text of the copier. Source: protocols §5.2.
 */
export function keyhashText(sealed: Sealed): string {
  const { ledgerId, owner, referencekey, opendate, algorithm, data, key } = sealed;
  return canonicalJson([
    ...["mrc020", ledgerId, owner, referencekey, opendate, algorithm, data, key],
  ]);
}
