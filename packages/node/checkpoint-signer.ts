import { invariant, type LedgerReader } from "@moneta/ledger";
import type { CheckpointKeys } from "./checkpoint-keys.ts";
import type { CheckpointNote, CheckpointNotes } from "./checkpoint-notes.ts";
import type { SignedTree, SignedTreeFile } from "./data-directory/signed-tree-file.ts";
import { SettingProblem } from "./settings.ts";

/** Signs only trees grown from the last one. Source: chain §12, C2SP tlog-checkpoint. */
export class CheckpointSigner implements CheckpointNotes {
  readonly prepare = undefined;
  readonly refused = undefined;
  readonly whyNone = "Nothing has been signed yet";
  readonly #keys: CheckpointKeys;
  readonly #file: SignedTreeFile;
  #newest: SignedTree | undefined;
  #note: string | undefined;

  /** Throws `SettingProblem` if the ledger has not grown from the tree in the file. */
  constructor(
    keys: CheckpointKeys,
    { file, reader }: { readonly file: SignedTreeFile; readonly reader: LedgerReader },
  ) {
    this.#keys = keys;
    this.#file = file;
    this.#newest = file.read();
    if (this.#newest !== undefined && !hasGrownFrom(this.#newest, reader)) {
      throw notGrown(file, this.#newest);
    }
  }

  get verifierKeys(): readonly string[] {
    return this.#keys.verifierKeys;
  }

  /** Earlier runs included; 0 without one. */
  get signedSize(): number {
    return this.#newest?.size ?? 0;
  }

  newestSize(reader: LedgerReader): number {
    return reader.size;
  }

  /** Throws `SignedTreeFailure`. */
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
      if (newest?.size !== size) {
        // Before the signature leaves this process.
        this.#file.write(signed);
      }
      this.#note = this.#keys.sign(signed);
      this.#newest = signed;
    }
    return this.#note;
  }
}

export function notGrown(file: SignedTreeFile, signed: SignedTree): SettingProblem {
  return new SettingProblem(
    `${file.path} has a signed checkpoint of ${signed.size} transactions, and this ledger has not grown from it. It is an older copy or another ledger, and one key must never sign two histories; or its tables are damaged: moneta verify finds that, and moneta rebuild repairs it. Restore the newest copy; or start with --checkpoints no; or, to continue with this ledger, move checkpoint.pem and ${file.path} away: the node then makes a new key, which everyone who verifies needs to know`,
  );
}

export function hasGrownFrom({ size, tree }: SignedTree, reader: LedgerReader): boolean {
  return (
    size <= reader.newest.header.size &&
    Buffer.from(reader.tree.root(size)).toString("hex") === tree
  );
}
