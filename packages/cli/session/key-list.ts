import { createPublicKey } from "node:crypto";
import type { SigningKey } from "@moneta/sdk";
import { WrongUse } from "../command-line/wrong-use.ts";
import { readGiven } from "./bounded-file.ts";

const KEY_BYTES_MAX = 64 * 1024;

/** Its public part, and the file that may have the private one. */
export interface ListedKey {
  readonly file: string;
  readonly publicKeyPem: string;
  readonly pem: string;
}

/** PEM files, separated by commas. Undefined for JSON. Throws a `WrongUse` with the file. */
export function readKeyList(text: string): readonly ListedKey[] | undefined {
  return text.trimStart().startsWith("[")
    ? undefined
    : text.split(",").map((each) => readListedKey(each.trim()));
}

export function readListedKey(file: string): ListedKey {
  const pem = readGiven(file, KEY_BYTES_MAX, `the key in ${file}`).toString();
  try {
    const publicKeyPem = createPublicKey(pem).export({ type: "spki", format: "pem" }) as string;
    return { file, publicKeyPem, pem };
  } catch {
    throw new WrongUse(`${file} has no PEM of a key that openssl reads`);
  }
}

/** Each key has weight 1. Source: authority §1.2. */
export function keyListText(keys: readonly ListedKey[]): string {
  return JSON.stringify(keys.map(({ publicKeyPem }) => ({ publickey: publicKeyPem })));
}

/** Throws a `WrongUse` for a public key. */
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
