/** Keys of an address; the recovery keys are counted separately. Source: authority §1.1, §4.1. */
export const KEYS_MAX = 16;

export const KEY_WEIGHT_MAX = 1000;

/** A key of an address as the ledger keeps and shows it. Source: authority §1.2. */
export interface AddressKey {
  /** Canonical body: base64 of SubjectPublicKeyInfo. */
  readonly publickey: string;
  readonly kind: "raw" | "webauthn";
  readonly weight: number;
  /** Only of `webauthn`: the domain of the passkey. */
  readonly rpid?: string;
  /** Only of `webauthn`: the origins whose pages may ask for a signature. */
  readonly origins?: readonly string[];
  /** Only of `webauthn`: whether the authenticator must verify the person. */
  readonly verified?: boolean;
}

/** Keys that sign together if their weights reach the threshold. */
export interface KeySet {
  readonly keys: readonly AddressKey[];
  readonly threshold: number;
}

export function soleKey(publicKey: string): KeySet {
  return { keys: [{ publickey: publicKey, kind: "raw", weight: 1 }], threshold: 1 };
}

export function weightOfKeys(keys: readonly AddressKey[]): number {
  return keys.reduce((sum, { weight }) => sum + weight, 0);
}
