import { existsSync } from "node:fs";
import { failureOf, LocalLog, openForReading, SyncFailure } from "@moneta/ledger";
import { SettingProblem } from "../settings.ts";
import { readFile } from "./data-directory.ts";
import { replaceWhole, writeWhole } from "./write-whole.ts";

export interface RememberedBlock {
  readonly height: number;
  readonly id: string;
  /** Unix seconds; `clock` is when it was written. */
  readonly timestamp: number;
  readonly clock: number;
}

/** In ms: with the write itself it is at most 5 s old. */
const WRITE_EVERY_MS = 4000;
const CLOCK_SECONDS = 3600;
const MODE = 0o600;

/** Shows a missing or rolled back ledger at the next start. Written after its block. */
export class NewestBlockFile {
  readonly path: string;
  readonly #newest: () => RememberedBlock;
  readonly #onProblem: (problem: Error) => void;
  readonly #onWritten: () => void;
  #written = -1;
  #writtenClock = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** `onProblem` gets a `SyncFailure`, a full disk, or an error of `newest`. */
  constructor(
    path: string,
    options: {
      readonly newest: () => RememberedBlock;
      readonly onProblem: (problem: Error) => void;
      readonly onWritten?: () => void;
    },
  ) {
    this.path = path;
    this.#newest = options.newest;
    this.#onProblem = options.onProblem;
    this.#onWritten = options.onWritten ?? (() => undefined);
  }

  /** Writes it now and periodically. Throws `SyncFailure`. */
  begin(): void {
    const problem = this.#writeNow();
    if (problem instanceof SyncFailure) {
      throw problem;
    }
    this.#note(problem);
    let isWriting = false;
    this.#timer = setInterval(() => {
      // A write may take longer than the interval.
      if (!isWriting) {
        isWriting = true;
        this.#writing = this.#write()
          .then(this.#onWritten, this.#onProblem)
          .finally(() => {
            isWriting = false;
          });
      }
    }, WRITE_EVERY_MS).unref();
  }

  /** Throws nothing: after a failed sync the ledger must stay open. */
  async end(): Promise<void> {
    if (this.#timer === undefined) {
      return;
    }
    clearInterval(this.#timer);
    await this.#writing;
    this.#note(this.#writeNow());
  }

  #note(problem: Error | undefined): void {
    if (problem !== undefined) {
      this.#onProblem(problem);
    }
  }

  #writeNow(): Error | undefined {
    try {
      const block = this.#newest();
      writeWhole(this.path, textOf(block), MODE);
      this.#written = block.height;
      this.#writtenClock = block.clock;
      return undefined;
    } catch (thrown) {
      return thrown as Error;
    }
  }

  /** Off the main thread, which must not wait for the disk. */
  async #write(): Promise<void> {
    const block = this.#newest();
    // Without new blocks once an hour, because a start compares the clock with the stored time.
    if (block.height === this.#written && block.clock < this.#writtenClock + CLOCK_SECONDS) {
      return;
    }
    await replaceWhole(this.path, textOf(block), MODE);
    this.#written = block.height;
    this.#writtenClock = block.clock;
  }
}

/** Throws `SettingProblem` if the file is malformed. */
export function readNewestBlock(path: string): RememberedBlock | undefined {
  if (!existsSync(path)) {
    return undefined;
  }
  try {
    const read = JSON.parse(readFile(path)) as RememberedBlock;
    const { height, id, timestamp, clock } = read;
    if (
      [height, timestamp, clock].every((number) => Number.isSafeInteger(number)) &&
      /^[0-9a-f]{64}$/.test(id)
    ) {
      return read;
    }
  } catch (thrown) {
    if (thrown instanceof SettingProblem) {
      throw thrown;
    }
  }
  throw new SettingProblem(
    `${path} must hold the newest block that this directory had, as {"height", "id", "timestamp", "clock"}: restore it, or remove it if you know that the ledger is the newest copy`,
  );
}

function textOf(block: RememberedBlock): string {
  return `${JSON.stringify(block)}\n`;
}

/** Throws `SettingProblem` unless the ledger in `file` has grown from the stored block. */
export function checkHasGrown(
  remembered: RememberedBlock,
  ledger: {
    readonly file: string;
    readonly name: string;
    readonly hasLedger: boolean;
    readonly path: string;
  },
): void {
  const { height, id, clock } = remembered;
  const found = ledger.hasLedger ? foundIn(ledger.name, height) : undefined;
  if (found?.id === id) {
    return;
  }
  const what =
    found === undefined
      ? `${ledger.file} is gone or empty`
      : found.id === undefined
        ? `${ledger.file} ends with block ${found.height}`
        : `${ledger.file} has another block ${height}`;
  throw new SettingProblem(
    `${what}, but ${ledger.path} says that on ${new Date(clock * 1000).toISOString()} it had block ${height}, ${id}: restore the newest copy, ledger.db-wal included; or start once with --accept-older-ledger yes, and what was answered since is lost`,
  );
}

function foundIn(
  name: string,
  height: number,
): { readonly height: number; readonly id: string | undefined } {
  const database = openForReading(name);
  try {
    const log = new LocalLog(database, "read");
    return { height: log.height(), id: log.block(height)?.id };
  } catch (thrown) {
    throw failureOf(thrown, database);
  } finally {
    database.close();
  }
}
