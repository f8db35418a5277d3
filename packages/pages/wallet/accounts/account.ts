import type { Curve, KeyPair } from "@moneta/sdk";
import type { KeptPasskey } from "@moneta/sdk/passkey";

/** The common members of all accounts of this browser. Source: explorer §3. */
interface CommonAccount {
  /** Random; the key of its entry. */
  readonly id: string;
  /** The id of block 0 of the ledger that has the address. */
  readonly ledgerId: string;
  readonly name: string;
  /** One of the colours, from 0. */
  readonly color: number;
  /** Undefined until a response shows that the address exists. */
  readonly address: string | undefined;
  readonly publicKeyPem: string;
  /** Unix seconds. */
  readonly createdAt: number;
}

/** An account whose private key is in this browser. */
export interface KeyAccount extends CommonAccount {
  readonly kind: "raw";
  readonly curve: Curve;
  /** The private key is extractable as long as there is no back-up. */
  readonly keyPair: KeyPair;
  readonly backUp: "missing" | "made";
}

/** An account that a passkey signs for: it has no secret part, so it needs no back-up. */
export interface PasskeyAccount extends CommonAccount {
  readonly kind: "webauthn";
  readonly passkey: KeptPasskey;
}

/** An account of this browser: an address, and its signing key. */
export type Account = KeyAccount | PasskeyAccount;

export type AccountKey =
  | Pick<KeyAccount, "kind" | "publicKeyPem" | "curve" | "keyPair" | "backUp">
  | Pick<PasskeyAccount, "kind" | "publicKeyPem" | "passkey">;

export type OpenAccount = Account & { readonly address: string };

/** The number of colours of accounts. */
export const COLORS = 8;

export const NAME_LENGTH_MAX = 100;

export function isOpen(account: Account): account is OpenAccount {
  return account.address !== undefined;
}

/** Whether the account's key is in this browser and in no back-up. */
export function lacksBackUp(
  account: Account,
): account is KeyAccount & { readonly backUp: "missing" } {
  return account.kind === "raw" && account.backUp === "missing";
}
