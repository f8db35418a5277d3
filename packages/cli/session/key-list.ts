import { createPublicKey } from "node:crypto";
import type { SigningKey } from "@moneta/sdk";
import { WrongUse } from "../command-line/wrong-use.ts";
import { readGiven } from "./bounded-file.ts";

/** Enough for a key on the largest curve with all of its parameters. */
const KEY_BYTES_MAX = 64 * 1024;

/** A key of a list: its public part, and the file that may have the private one. */
export interface ListedKey {
  readonly file: string;
  readonly publicKeyPem: string;
  readonly pem: string;
}

/**
 * Reads a list of PEM files, separated by commas, of private or public keys. Undefined for JSON.
 * Throws a `WrongUse` that names the file.
 */
export function readKeyList(text: string): readonly ListedKey[] | undefined {
  return text.trimStart().startsWith("[")
    ? undefined
    : text.split(",").map((each) => readListedKey(each.trim()));
}

/** Reads a PEM file of a key; throws a `WrongUse` that names the file. */
export function readListedKey(file: string): ListedKey {
  const pem = readGiven(file, KEY_BYTES_MAX, `the key in ${file}`).toString();
  try {
    const publicKeyPem = createPublicKey(pem).export({ type: "spki", format: "pem" }) as string;
    return { file, publicKeyPem, pem };
  } catch {
    throw new WrongUse(`${file} has no PEM of a key that openssl reads`);
  }
}

/** The parameter of keys, each of weight 1. Source: authority §1.2. */
export function keyListText(keys: readonly ListedKey[]): string {
  return JSON.stringify(keys.map(({ publicKeyPem }) => ({ publickey: publicKeyPem })));
}

/** The keys of a list, to sign with; throws a `WrongUse` for a public one. */
export async function signingKeys(keys: readonly ListedKey[]): Promise<readonly SigningKey[]> {
  const { SigningKey } = await import("@moneta/sdk");
  return await Promise.all(
    keys.map(async ({ file, pem }) => {
      if (!pem.includes("PRIVATE KEY")) {
        throw new WrongUse(
          `${file} has a public key, but each new key has to sign: name the file of its private key`,
        );
      }
      return await SigningKey.fromPem(pem);
    }),
  );
}
