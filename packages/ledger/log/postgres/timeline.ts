import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { syncFile, syncFolderOf } from "../../sync-failure.ts";
import { UnusableLedger } from "../../unusable-ledger.ts";
import type { Timelines } from "./engine.ts";

/**
 * Remembers in a file the highest timeline that the log was certain on, so that no node takes a
 * primary that came back after its standby was promoted. Source: cluster §6.
 */
export class TimelineFile implements Timelines {
  readonly #file: string;
  #highest: number;

  /** Throws `UnusableLedger` if the file is malformed. */
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

  remember(timeline: number): void {
    if (timeline > this.#highest) {
      const part = `${this.#file}.part`;
      const descriptor = openSync(part, "w");
      try {
        writeFileSync(descriptor, `${timeline}\n`);
        syncFile(descriptor, part);
      } finally {
        closeSync(descriptor);
      }
      renameSync(part, this.#file);
      syncFolderOf(this.#file);
      this.#highest = timeline;
    }
  }
}
