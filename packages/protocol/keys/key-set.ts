/** Source: authority §1.1, §4.1. */
export const KEYS_MAX = 16;

export const KEY_WEIGHT_MAX = 1000;

/** Source: authority §1.2. */
export interface AddressKey {
  readonly publickey: string;
  readonly kind: "raw" | "webauthn";
  readonly weight: number;
  readonly rpid?: string;
  readonly origins?: readonly string[];
  readonly verified?: boolean;
}

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
