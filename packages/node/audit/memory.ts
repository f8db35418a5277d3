import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { syncFolderOf } from "@moneta/ledger";
import { writeWhole } from "../data-directory/write-whole.ts";
import { SettingProblem } from "../settings.ts";

export interface SeenCheckpoint {
  readonly note: string;
  readonly size: number;
  /** Base64, as in the note. */
  readonly root: string;
  /** Unix seconds. */
  readonly seen: number;
}

interface Remembered {
  readonly url: string;
  readonly keys: readonly string[];
  readonly checkpoint?: SeenCheckpoint;
  /** Number of leaves, from the first on, that match the copy. */
  readonly leaves: number;
  readonly reads: number;
}

const NOTHING: Remembered = { url: "", keys: [], leaves: 0, reads: 0 };

/** Except for the first of a run. */
const KEPT_EVERY_SECONDS = 60;

/** Between runs; shows a node that rewrote its history. */
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
    this.state = existsSync(file) ? remembered(file) : NOTHING;
  }

  /** Throws `SettingProblem` for another ledger, or an unreadable memory. */
  static open(directory: string, ledgerFile: string): AuditMemory {
    const file = join(directory, "audit.json");
    if (existsSync(ledgerFile) && !existsSync(file)) {
      throw new SettingProblem(
        `${directory} is the data directory of a node: give the audit a --data of its own`,
      );
    }
    const memory = new AuditMemory(directory, file);
    memory.update({});
    return memory;
  }

  /** Durable when it returns. */
  update(change: Partial<Remembered>): void {
    this.state = { ...this.state, ...change };
    writeWhole(this.#file, `${JSON.stringify(this.state, null, 2)}\n`, 0o600);
  }

  keep(checkpoint: SeenCheckpoint): void {
    this.update({ checkpoint });
    if (checkpoint.seen - this.#keptAt >= KEPT_EVERY_SECONDS) {
      this.#keptAt = checkpoint.seen;
      // A line that a full disk has cut must not damage this one.
      appendFileSync(this.#checkpoints, `\n${JSON.stringify(checkpoint)}\n`, { flush: true });
    }
  }

  /** Or of the smallest larger one. */
  seenOf(size: number): SeenCheckpoint | undefined {
    return this.#seen()
      .filter((one) => one.size >= size)
      .sort((a, b) => a.size - b.size)[0];
  }

  /** Returns the new file's path. */
  keepEvidence(message: string, evidence: readonly string[], at: number): string {
    const file = join(this.#directory, `finding-${at}.txt`);
    writeFileSync(file, [message, ...evidence].join("\n\n"), { flush: true });
    syncFolderOf(file);
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
      } catch {}
    }
    const { checkpoint } = this.state;
    return checkpoint === undefined ? kept : [...kept, checkpoint];
  }
}

function remembered(file: string): Remembered {
  try {
    return { ...NOTHING, ...(JSON.parse(readFileSync(file, "utf8")) as Remembered) };
  } catch (thrown) {
    const { message } = thrown as Error;
    throw new SettingProblem(
      `${file} is damaged (${message}): put a copy of it in its place, or begin again with another --data`,
    );
  }
}
