/** Keys of an address, and again of its recovery. Source: authority §1.1, §4.1. */
export const KEYS_MAX = 16;

/** Weight of one key. */
export const KEY_WEIGHT_MAX = 1000;

/** A key of an address as the ledger keeps and shows it. Source: authority §1.2. */
export interface AddressKey {
  /** Canonical body: base64 of SubjectPublicKeyInfo. */
  readonly publickey: string;
  readonly kind: "raw" | "webauthn";
  readonly weight: number;
  /** Of `webauthn` alone: the domain that the passkey belongs to. */
  readonly rpid?: string;
  /** Of `webauthn` alone: the origins whose pages may ask for a signature. */
  readonly origins?: readonly string[];
  /** Of `webauthn` alone: whether the authenticator must have verified the person. */
  readonly verified?: boolean;
}

/** Keys of which some sign together: those whose weights add up to the threshold. */
export interface KeySet {
  readonly keys: readonly AddressKey[];
  readonly threshold: number;
}

/** The set of one raw key. Source: authority §1.1. */
export function soleKey(publicKey: string): KeySet {
  return { keys: [{ publickey: publicKey, kind: "raw", weight: 1 }], threshold: 1 };
}

/** What all keys of a set weigh. */
export function weightOfKeys(keys: readonly AddressKey[]): number {
  return keys.reduce((sum, { weight }) => sum + weight, 0);
}
