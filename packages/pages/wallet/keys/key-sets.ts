import type { AddressKey, CallOptions, KeySet } from "@moneta/sdk";
import { signal } from "@preact/signals";
import { moneta } from "../../ledger/node.ts";
import type { Account } from "../accounts/account.ts";

const known = signal<ReadonlyMap<string, KeySet>>(new Map());

/** Who signs for an address, as it was read last; undefined before. */
export function knownKeySet(address: string): KeySet | undefined {
  return known.value.get(address);
}

/** Reads who signs for an address. Throws ProblemError and UnansweredError. Source: authority §1.7. */
export async function readKeySet(address: string, options: CallOptions = {}): Promise<KeySet> {
  const { keyset, publickey = "" } = await moneta.addressRead({ address, view: "full" }, options);
  const first = { publickey: keyBody(publickey), kind: "raw", weight: 1 } as const;
  const keySet = keyset ?? { version: 0, keys: [first], threshold: 1 };
  known.value = new Map([...known.value, [address, keySet]]);
  return keySet;
}

/** The place of an account's key among the keys of its address; -1 if it is none of them. */
export function placeOf({ publicKeyPem }: Pick<Account, "publicKeyPem">, keySet: KeySet): number {
  const body = keyBody(publicKeyPem);
  return keySet.keys.findIndex(({ publickey }) => publickey === body);
}

/** What keys weigh together. */
export function weightOf(keys: readonly AddressKey[]): number {
  return keys.reduce((sum, { weight }) => sum + weight, 0);
}

/** The base64 of a public key, of PEM what is between its marks. */
export function keyBody(text: string): string {
  return text.replaceAll(/-----[^-]*-----|\s/g, "");
}
