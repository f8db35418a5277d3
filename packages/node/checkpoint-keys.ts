import { createPublicKey, type KeyObject, sign } from "node:crypto";
import { sha256 } from "@moneta/ledger";
import {
  checkpointText,
  signedNote,
  type VerifierKey,
  verifierKey,
  verifierKeyText,
} from "@moneta/protocol";
import type { SignedTree } from "./data-directory/signed-tree-file.ts";

interface SigningKey {
  readonly privateKey: KeyObject;
  readonly verifier: VerifierKey;
}

export function verifierKeyOf(ledgerName: string, privateKey: KeyObject): string {
  return verifierKeyText(verifierOf(ledgerName, privateKey));
}

/** Source: chain §12, C2SP tlog-checkpoint. */
export class CheckpointKeys {
  readonly #origin: string;
  readonly #keys: readonly SigningKey[];

  /** `privateKeys` are Ed25519, newest first; `origin` is the ledger's name. */
  constructor(origin: string, privateKeys: readonly KeyObject[]) {
    this.#origin = origin;
    this.#keys = privateKeys.map((privateKey) => {
      return { privateKey, verifier: verifierOf(origin, privateKey) };
    });
  }

  get verifierKeys(): readonly string[] {
    return this.#keys.map(({ verifier }) => verifierKeyText(verifier));
  }

  sign({ size, tree }: SignedTree): string {
    const text = checkpointText({ origin: this.#origin, size, root: Uint8Array.fromHex(tree) });
    const signatures = this.#keys.map(({ privateKey, verifier: { name, keyId } }) => ({
      name,
      keyId,
      signature: sign(null, Buffer.from(text), privateKey),
    }));
    return signedNote(text, signatures);
  }
}

function verifierOf(name: string, privateKey: KeyObject): VerifierKey {
  return verifierKey(sha256, { name, publicKey: publicBytes(privateKey) });
}

function publicBytes(privateKey: KeyObject): Uint8Array {
  const { x } = createPublicKey(privateKey).export({ format: "jwk" });
  return Buffer.from(x ?? "", "base64url");
}
