import { spawnSync } from "node:child_process";
import { verify } from "node:crypto";
import type { Signer } from "@moneta/sdk";
import { WrongUse } from "../command-line/wrong-use.ts";
import type { KnownKey } from "./key-file.ts";

/** Source: conventions §4.2. */
const DIGESTS: Readonly<Record<string, string>> = {
  "P-256": "sha256",
  "P-384": "sha384",
  "P-521": "sha512",
};

/** A signature on the largest curve has 139 bytes. */
const OUTPUT_BYTES_MAX = 1024;

/** A person may have to enter a PIN. */
const WITHIN_MS = 300_000;

/**
 * Signs with a program, as for an HSM: text on standard input, signature on standard output, DER or
 * r‖s. Throws a `WrongUse` if it fails or does not fit the public key.
 */
export function programSigner(program: string, { publicKeyPem, curve, origin }: KnownKey): Signer {
  return {
    publicKeyPem,
    sign(bytes) {
      const { error, status, signal, stdout } = spawnSync(program, {
        ...{ input: bytes, maxBuffer: OUTPUT_BYTES_MAX, timeout: WITHIN_MS },
        stdio: ["pipe", "pipe", "inherit"],
      });
      if (error !== undefined || status !== 0) {
        const why = error?.message ?? `it ended with ${signal ?? status}`;
        throw new WrongUse(`${program} did not sign: ${why}`);
      }
      const digest = DIGESTS[curve] as string;
      const fits = (dsaEncoding: "der" | "ieee-p1363"): boolean =>
        verify(digest, bytes, { key: publicKeyPem, dsaEncoding }, stdout);
      if (!fits("der") && !fits("ieee-p1363")) {
        throw new WrongUse(
          `${program} wrote no signature by the key in ${origin}: it must be DER or r‖s, with ${digest} of standard input`,
        );
      }
      return new Uint8Array(stdout);
    },
  };
}
