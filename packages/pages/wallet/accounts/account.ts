import type { Curve, KeyPair } from "@moneta/sdk";

/** An account of this browser: an address, and the key that signs for it. Source: explorer §3. */
export interface Account {
  /** Random; the key of its entry. */
  readonly id: string;
  /** The id of block 0 of the ledger that has the address. */
  readonly ledgerId: string;
  readonly name: string;
  /** One of the colours, from 0. */
  readonly color: number;
  /** Undefined until the ledger has answered that the address is there. */
  readonly address: string | undefined;
  readonly publicKeyPem: string;
  readonly curve: Curve;
  /** The private key is extractable as long as there is no back-up. */
  readonly keyPair: KeyPair;
  readonly backUp: "missing" | "made";
  /** Unix seconds. */
  readonly createdAt: number;
}

/** An account that the ledger has an address for. */
export interface OpenAccount extends Account {
  readonly address: string;
}

/** How many colours there are for accounts. */
export const COLORS = 8;

/** The longest name of an account. */
export const NAME_LENGTH_MAX = 100;

export function isOpen(account: Account): account is OpenAccount {
  return account.address !== undefined;
}
