import { closeSync, existsSync, openSync, writeSync } from "node:fs";
import { SyncFailure } from "@moneta/ledger";
import { SettingProblem } from "../settings.ts";
import { readFile } from "./data-directory.ts";
import { writeWhole } from "./write-whole.ts";

export interface SignedTree {
  readonly size: number;
  /** Hex. */
  readonly tree: string;
}

/** Nothing may be signed. The message is for clients, the cause for the log. */
export class SignedTreeFailure extends Error {}

const LINE = /^([0-9]{16}) ([0-9a-f]{64})\n$/;

/** Not synced: after a power cut an earlier tree is right, too, as blocks are synced first. */
export class SignedTreeFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Throws `SettingProblem` if the file is malformed. */
  read(): SignedTree | undefined {
    if (!existsSync(this.path)) {
      return undefined;
    }
    const [, size, tree] = LINE.exec(readFile(this.path)) ?? [];
    if (size === undefined || tree === undefined) {
      throw new SettingProblem(
        `${this.path} must hold the size and the root of the newest tree that was signed: restore it, or move it and checkpoint.pem away to have a new key made`,
      );
    }
    return { size: Number(size), tree };
  }

  /** Throws `SignedTreeFailure` or `SyncFailure`. */
  write(tree: SignedTree): void {
    try {
      this.#write(tree);
    } catch (cause) {
      if (cause instanceof SyncFailure) {
        throw cause;
      }
      const message = "This node cannot sign checkpoints now, because its disk takes no more";
      throw new SignedTreeFailure(message, { cause });
    }
  }

  #write({ size, tree }: SignedTree): void {
    const line = `${String(size).padStart(16, "0")} ${tree}\n`;
    if (!existsSync(this.path)) {
      writeWhole(this.path, line, 0o600);
      return;
    }
    // All lines have one length and fit into a sector, so no reader sees half a write.
    const file = openSync(this.path, "r+");
    try {
      writeSync(file, line, 0, "latin1");
    } finally {
      closeSync(file);
    }
  }
}
