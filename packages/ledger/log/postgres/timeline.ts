import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { SyncFailure, syncFile, syncFolderOf } from "../../sync-failure.ts";
import { UnusableLedger } from "../../unusable-ledger.ts";
import type { Timelines } from "./engine.ts";

export interface KnownTimeline {
  readonly number: number;
  /** Ms. */
  readonly knownForMs: number;
}

export const FIRST_TIMELINE: KnownTimeline = { number: 1, knownForMs: Infinity };

/**
 * Keeps the highest timeline in a file, so that no node takes a primary that came back after its
 * standby was promoted. Source: cluster §6.
 */
export class TimelineFile implements Timelines {
  readonly #file: string;
  #highest: number;
  #unkept: string | undefined;

  /** Throws `UnusableLedger` for a malformed file. */
  constructor(file: string) {
    this.#file = file;
    const text = existsSync(file) ? readFileSync(file, "utf8") : "0\n";
    if (!/^[0-9]{1,10}\n$/.test(text)) {
      throw new UnusableLedger(
        `${file} must hold the highest timeline of the log, a number: remove it if the log's primary was not replaced`,
      );
    }
    this.#highest = Number(text);
  }

  get highest(): number {
    return this.#highest;
  }

  get unkept(): string | undefined {
    return this.#unkept;
  }

  known(wallMs: number): KnownTimeline {
    return this.#highest <= FIRST_TIMELINE.number
      ? FIRST_TIMELINE
      : {
          number: this.#highest,
          knownForMs: Math.max(0, wallMs - statSync(this.#file).mtimeMs),
        };
  }

  /** Throws `SyncFailure`. */
  remember(timeline: number): void {
    if (timeline <= this.#highest && this.#unkept === undefined) {
      return;
    }
    this.#highest = Math.max(this.#highest, timeline);
    try {
      this.#write();
      this.#unkept = undefined;
    } catch (thrown) {
      // A commit cannot be undone, and this process remembers it.
      this.#unkept = (thrown as Error).message;
      if (thrown instanceof SyncFailure) {
        throw thrown;
      }
    }
  }

  #write(): void {
    const part = `${this.#file}.part`;
    const descriptor = openSync(part, "w");
    try {
      writeFileSync(descriptor, `${this.#highest}\n`);
      syncFile(descriptor, part);
    } finally {
      closeSync(descriptor);
    }
    renameSync(part, this.#file);
    syncFolderOf(this.#file);
  }
}
