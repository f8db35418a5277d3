import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "../data-directory/write-whole.ts";
import { SettingProblem } from "../settings.ts";

/** A checkpoint as it was served, and when. */
export interface SeenCheckpoint {
  /** The note, with its signatures. */
  readonly note: string;
  readonly size: number;
  /** Base64, as in the note. */
  readonly root: string;
  /** Unix seconds. */
  readonly seen: number;
}

/** What an auditor knows from earlier runs, besides its copy of the ledger. */
interface Remembered {
  /** The node that was audited last. */
  readonly url: string;
  /** Verifier keys whose checkpoints are believed. */
  readonly keys: readonly string[];
  /** The newest checkpoint that was found right. */
  readonly checkpoint?: SeenCheckpoint;
  /** Of how many transactions, blocks and leaves, from the first on, the node has been seen to serve what the blocks come to. */
  readonly records: number;
  readonly blocks: number;
  readonly leaves: number;
}

const NOTHING: Remembered = { url: "", keys: [], records: 0, blocks: 0, leaves: 0 };

/** Checkpoints that are kept are at least so far apart, except for the first of a run. */
const KEPT_EVERY_SECONDS = 60;

/**
 * What an auditor remembers from run to run, so that a node that has shown something else before is caught, and nothing is checked twice: files in its directory, each
 * written whole, or appended to.
 */
export class AuditMemory {
  readonly #file: string;
  readonly #checkpoints: string;
  readonly #directory: string;
  #keptAt = 0;
  state: Remembered;

  private constructor(directory: string, file: string) {
    this.#directory = directory;
    this.#file = file;
    this.#checkpoints = join(directory, "checkpoints.jsonl");
    this.state = existsSync(file)
      ? { ...NOTHING, ...(JSON.parse(readFileSync(file, "utf8")) as Remembered) }
      : NOTHING;
  }

  /** Of a directory, which there is. Throws `SettingProblem` if a ledger is in it that is not an auditor's. */
  static open(directory: string, ledgerFile: string): AuditMemory {
    const file = join(directory, "audit.json");
    if (existsSync(ledgerFile) && !existsSync(file)) {
      throw new SettingProblem(
        `${directory} is the data directory of a node: give the audit a --data of its own`,
      );
    }
    const memory = new AuditMemory(directory, file);
    // At once, so that a directory can be told from a node's.
    memory.update({});
    return memory;
  }

  /** Changes what is remembered; it lasts when the call returns. */
  update(change: Partial<Remembered>): void {
    this.state = { ...this.state, ...change };
    writeWhole(this.#file, `${JSON.stringify(this.state, null, 2)}\n`, 0o600);
  }

  /** Remembers a checkpoint that was found right. */
  keep(checkpoint: SeenCheckpoint): void {
    this.update({ checkpoint });
    if (checkpoint.seen - this.#keptAt >= KEPT_EVERY_SECONDS) {
      this.#keptAt = checkpoint.seen;
      appendFileSync(this.#checkpoints, `${JSON.stringify(checkpoint)}\n`, { flush: true });
    }
  }

  /** The checkpoint seen that speaks most clearly of a tree of this size: one of that size, or else the smallest that is larger. */
  seenOf(size: number): SeenCheckpoint | undefined {
    return this.#seen()
      .filter((one) => one.size >= size)
      .sort((a, b) => a.size - b.size)[0];
  }

  /** Keeps what proves a finding in a file of its own, and answers its path. */
  keepEvidence(message: string, evidence: readonly string[], at: number): string {
    const file = join(this.#directory, `finding-${at}.txt`);
    writeFileSync(file, [message, ...evidence].join("\n\n"), { flush: true });
    return file;
  }

  #seen(): SeenCheckpoint[] {
    const lines = existsSync(this.#checkpoints)
      ? readFileSync(this.#checkpoints, "utf8").split("\n")
      : [];
    const kept: SeenCheckpoint[] = [];
    for (const line of lines) {
      try {
        kept.push(JSON.parse(line) as SeenCheckpoint);
      } catch {
        // Cut off by a crash, or the end of the file.
      }
    }
    const { checkpoint } = this.state;
    return checkpoint === undefined ? kept : [...kept, checkpoint];
  }
}
