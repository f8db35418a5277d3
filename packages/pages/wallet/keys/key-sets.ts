import {
  type AddressKey,
  type CallOptions,
  type KeySet,
  placeOfKey,
  type Sign,
  type Signer,
} from "@moneta/sdk";
import { signal } from "@preact/signals";
import { moneta } from "../../ledger/node.ts";
import { type Read, useRead } from "../../ledger/use-read.ts";
import type { Account } from "../accounts/account.ts";

/** New keys sign it, too. Source: authority §1.3. */
export const CHANGE_OF_KEYS = "addresskeys";

const known = signal<ReadonlyMap<string, KeySet>>(new Map());

/** From its last reading; undefined before. */
export function knownKeySet(address: string): KeySet | undefined {
  return known.value.get(address);
}

/** Throws ProblemError and UnansweredError. Source: authority §1.7. */
export async function readKeySet(address: string, options: CallOptions = {}): Promise<KeySet> {
  const { keyset } = await moneta.addressRead({ address, view: "full" }, options);
  const keySet = keyset as KeySet; // view=full has it
  known.value = new Map([...known.value, [address, keySet]]);
  return keySet;
}

export function useKeySet(address: string, { live = false } = {}): Read<KeySet> {
  return useRead(`keys ${address}`, (options) => readKeySet(address, options), { live });
}

/** -1 if it is not one of them. */
export function placeOf({ publicKeyPem }: Pick<Account, "publicKeyPem">, keySet: KeySet): number {
  return placeOfKey(keySet.keys, publicKeyPem);
}

export function weightOf(keys: readonly AddressKey[]): number {
  return keys.reduce((sum, { weight }) => sum + weight, 0);
}

export function powerOf(
  account: Pick<Account, "publicKeyPem">,
  keySet: KeySet,
): "alone" | "together" | "none" {
  const weight = keySet.keys[placeOf(account, keySet)]?.weight ?? 0;
  return weight === 0 ? "none" : weight < keySet.threshold ? "together" : "alone";
}

/** Keys of the address, or new ones of a change of keys. Source: authority §1.3, §2. */
export function needsOthers(
  account: Pick<Account, "publicKeyPem">,
  keySet: KeySet,
  { operation, request }: { readonly operation: string; readonly request: object },
): boolean {
  return (
    powerOf(account, keySet) === "together" ||
    (operation === CHANGE_OF_KEYS && powerOf(account, request as KeySet) !== "alone")
  );
}

/** Source: authority §4. */
export type Recovery = Pick<KeySet, "recoverykeys" | "recoverythreshold" | "recoverydelay">;

/**
 * Changes keys or recovery; other members stay. A recovery without keys is removed. Grants stay
 * unless a key goes. Source: authority §1.3.
 */
export function changeOfKeys(
  keySet: KeySet,
  change: Partial<Pick<KeySet, "keys" | "threshold">> & Recovery,
): object {
  const { version, keys } = keySet;
  const { recoverykeys: helpers = [], recoverythreshold, recoverydelay } = { ...keySet, ...change };
  const { keys: after, threshold } = { ...keySet, ...change };
  const stays = keys.every((key) => after.some(({ publickey }) => publickey === key.publickey));
  return {
    keys: after,
    threshold,
    version: version + 1,
    ...(helpers.length > 0 ? { recoverykeys: helpers, recoverythreshold, recoverydelay } : {}),
    grants: stays ? "keep" : "end",
  };
}

/** 16 hex digits of its SHA-256: another key with the same code cannot be found. */
export async function keyCode(publickey: string): Promise<string> {
  const bytes = Uint8Array.fromBase64(publickey);
  const digits = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
  return [0, 4, 8, 12].map((at) => digits.slice(at, at + 4)).join(" ");
}

/** Signs each text once, so that a passkey asks once for a signature and its proof. */
export function signedOnce(signer: Signer): Sign {
  let last: { readonly text: string; readonly signature: ReturnType<Sign> } | undefined;
  return (bytes) => {
    const text = new TextDecoder().decode(bytes);
    last = last?.text === text ? last : { text, signature: signer.sign(bytes) };
    return last.signature;
  };
}
