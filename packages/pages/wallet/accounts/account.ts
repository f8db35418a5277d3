import type { Curve, KeyPair } from "@moneta/sdk";
import type { KeptPasskey } from "@moneta/sdk/passkey";

/** Source: explorer §3. */
interface CommonAccount {
  /** Random; the key of its entry. */
  readonly id: string;
  /** Of block 0 of the address's ledger. */
  readonly ledgerId: string;
  readonly name: string;
  /** From 0. */
  readonly color: number;
  /** Undefined until a response shows that it exists. */
  readonly address: string | undefined;
  readonly publicKeyPem: string;
  /** Unix seconds. */
  readonly createdAt: number;
}

export interface KeyAccount extends CommonAccount {
  readonly kind: "raw";
  readonly curve: Curve;
  /** Extractable only without a back-up. */
  readonly keyPair: KeyPair;
  readonly backUp: "missing" | "made";
}

/** A passkey signs: without a secret part here, it needs no back-up. */
export interface PasskeyAccount extends CommonAccount {
  readonly kind: "webauthn";
  readonly passkey: KeptPasskey;
}

export type Account = KeyAccount | PasskeyAccount;

export type AccountKey =
  | Pick<KeyAccount, "kind" | "publicKeyPem" | "curve" | "keyPair" | "backUp">
  | Pick<PasskeyAccount, "kind" | "publicKeyPem" | "passkey">;

export type OpenAccount = Account & { readonly address: string };

export const COLORS = 8;

export const NAME_LENGTH_MAX = 100;

export function isOpen(account: Account): account is OpenAccount {
  return account.address !== undefined;
}

/** Its key is in this browser and in no back-up. */
export function lacksBackUp(
  account: Account,
): account is KeyAccount & { readonly backUp: "missing" } {
  return account.kind === "raw" && account.backUp === "missing";
}
