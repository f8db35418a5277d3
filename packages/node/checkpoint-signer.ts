import { createPublicKey, type KeyObject, sign } from "node:crypto";
import { invariant, type LedgerReader, sha256 } from "@moneta/ledger";
import {
  checkpointText,
  signedNote,
  type VerifierKey,
  verifierKey,
  verifierKeyText,
} from "@moneta/protocol";
import type { CheckpointNote, CheckpointNotes } from "./checkpoint-notes.ts";
import type { SignedTree, SignedTreeFile } from "./data-directory/signed-tree-file.ts";
import { SettingProblem } from "./settings.ts";

interface SigningKey {
  readonly privateKey: KeyObject;
  readonly verifier: VerifierKey;
}

/** The verifier key, as text, of a private key that signs checkpoints of a ledger. */
export function verifierKeyOf(ledgerName: string, privateKey: KeyObject): string {
  return verifierKeyText(verifierOf(ledgerName, privateKey));
}

function verifierOf(name: string, privateKey: KeyObject): VerifierKey {
  return verifierKey(sha256, { name, publicKey: publicBytes(privateKey) });
}

/**
 * Signs checkpoints of the ledger tree on request, one for each size. It never signs a tree that
 * has not grown from the last one signed. Source: chain §12, C2SP tlog-checkpoint.
 */
export class CheckpointSigner implements CheckpointNotes {
  readonly #origin: string;
  readonly #keys: readonly SigningKey[];
  readonly #file: SignedTreeFile;
  #newest: SignedTree | undefined;
  #note: string | undefined;

  /**
   * `privateKeys` are Ed25519, newest first. Throws `SettingProblem` if the ledger has not grown
   * from the tree that the file remembers: an older copy, or another ledger.
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

  /** The keys that verify checkpoints, newest first. */
  get verifierKeys(): readonly string[] {
    return this.#keys.map(({ verifier }) => verifierKeyText(verifier));
  }

  /**
   * Transactions in the newest checkpoint that these keys signed, earlier runs included; 0 without
   * one.
   */
  get signedSize(): number {
    return this.#newest?.size ?? 0;
  }

  newestSize(reader: LedgerReader): number {
    return reader.size;
  }

  /** The checkpoint of the reader's newest block. Throws `SignedTreeFailure`. */
  newest(reader: LedgerReader): CheckpointNote {
    const { size } = reader.newest.header;
    return { note: this.#noteOf(reader), size, height: reader.height };
  }

  #noteOf(reader: LedgerReader): string {
    const { size, tree } = reader.newest.header;
    const newest = this.#newest;
    invariant(
      newest === undefined || size > newest.size || (size === newest.size && tree === newest.tree),
      "the ledger grows, and readers go along with it",
    );
    if (this.#note === undefined || newest?.size !== size) {
      const signed = { size, tree };
      // Before the signature leaves. If it fails, `#newest` is still what was signed last.
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
