import { canonicalJson } from "../text/canonical-json.ts";

/** Source: protocols §6. */
export const OPENING_KEY_MAX = 4096;

export interface Sealed {
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
 * Includes what the key is bound to, so a copied hash opens no text of the copier.
 * Source: protocols §5.2.
 */
export function keyhashText(sealed: Sealed): string {
  const { ledgerId, owner, referencekey, opendate, algorithm, data, key } = sealed;
  return canonicalJson([
    ...["mrc020", ledgerId, owner, referencekey, opendate, algorithm, data, key],
  ]);
}
