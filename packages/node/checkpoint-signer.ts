import { createPublicKey, type KeyObject, sign } from "node:crypto";
import { invariant, type LedgerReader, sha256 } from "@moneta/ledger";
import {
  checkpointText,
  signedNote,
  type VerifierKey,
  verifierKey,
  verifierKeyText,
} from "@moneta/protocol";
import type { SignedTree, SignedTreeFile } from "./data-directory/signed-tree-file.ts";
import { SettingProblem } from "./settings.ts";

interface SigningKey {
  readonly privateKey: KeyObject;
  readonly verifier: VerifierKey;
}

/** The text of the key by which checkpoints of a ledger are verified that a private key signs. */
export function verifierKeyOf(ledgerName: string, privateKey: KeyObject): string {
  return verifierKeyText(verifierOf(ledgerName, privateKey));
}

function verifierOf(name: string, privateKey: KeyObject): VerifierKey {
  return verifierKey(sha256, { name, publicKey: publicBytes(privateKey) });
}

/**
 * Signs checkpoints of the ledger tree: one for each size, when it is asked for, and only of what goes on from the newest one that these keys have
 * signed. Source: chain §12, C2SP tlog-checkpoint.
 */
export class CheckpointSigner {
  readonly #origin: string;
  readonly #keys: readonly SigningKey[];
  readonly #file: SignedTreeFile;
  #newest: SignedTree | undefined;
  #note: string | undefined;

  /**
   * With Ed25519 keys, newest first, whose name is the ledger's. Throws `SettingProblem` if the ledger is not one that has grown from what the file
   * says they have signed: an older copy of it, or another one.
   */
  constructor(options: {
    readonly origin: string;
    readonly privateKeys: readonly KeyObject[];
    readonly file: SignedTreeFile;
    readonly reader: LedgerReader;
  }) {
    const { origin, privateKeys, file, reader } = options;
    this.#origin = origin;
    this.#keys = privateKeys.map((privateKey) => {
      return { privateKey, verifier: verifierOf(origin, privateKey) };
    });
    this.#file = file;
    this.#newest = file.read();
    if (this.#newest !== undefined && !hasGrownFrom(this.#newest, reader)) {
      throw new SettingProblem(
        `${file.path} says that a checkpoint of ${this.#newest.size} transactions has been signed, but this ledger has not grown from them: it is an older copy or another ledger, and one key must never sign two histories; or its tables have been damaged, which moneta verify tells and moneta rebuild mends. Restore the newest copy; or start with --checkpoints no; or, to go on from here all the same, move checkpoint.pem and ${file.path} away: a new key is made then, of which everybody who verifies has to be told`,
      );
    }
  }

  /** The keys by which checkpoints are verified, newest first. */
  get verifierKeys(): readonly string[] {
    return this.#keys.map(({ verifier }) => verifierKeyText(verifier));
  }

  /** Transactions in the newest checkpoint that these keys have signed, also in earlier runs; 0 if they have signed none. */
  get signedSize(): number {
    return this.#newest?.size ?? 0;
  }

  /** The checkpoint of what the reader sees as the newest block. Throws `SignedTreeFailure`. */
  checkpoint(reader: LedgerReader): string {
    const { size, tree } = reader.newest.header;
    const newest = this.#newest;
    invariant(
      newest === undefined || size > newest.size || (size === newest.size && tree === newest.tree),
      "the ledger grows, and readers go along with it",
    );
    if (this.#note === undefined || newest?.size !== size) {
      const signed = { size, tree };
      // Before anybody sees the signature. If it fails, what is known here is still what was signed last.
      this.#file.write(signed);
      this.#note = this.#sign(signed);
      this.#newest = signed;
    }
    return this.#note;
  }

  #sign({ size, tree }: SignedTree): string {
    const text = checkpointText({ origin: this.#origin, size, root: Uint8Array.fromHex(tree) });
    const signatures = this.#keys.map(({ privateKey, verifier: { name, keyId } }) => ({
      name,
      keyId,
      signature: sign(null, Buffer.from(text), privateKey),
    }));
    return signedNote(text, signatures);
  }
}

function hasGrownFrom({ size, tree }: SignedTree, reader: LedgerReader): boolean {
  return (
    size <= reader.newest.header.size &&
    Buffer.from(reader.tree.root(size)).toString("hex") === tree
  );
}

function publicBytes(privateKey: KeyObject): Uint8Array {
  const { x } = createPublicKey(privateKey).export({ format: "jwk" });
  return Buffer.from(x ?? "", "base64url");
}
