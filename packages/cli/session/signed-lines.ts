import {
  closeSync,
  createReadStream,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import type { BatchWrite } from "@moneta/sdk";
import { WrongUse } from "../command-line/wrong-use.ts";
import { LINE_FEED, textLines } from "../values/operation-lines.ts";
import { APPENDED, CUT, refuseLink, syncFolderOf, writeSynced } from "./durable-file.ts";
import { type FileLock, lockFile } from "./file-lock.ts";

const PIECE_BYTES = 65_536;

export interface SignedLine {
  readonly line: number;
  readonly hash: string;
  readonly write: BatchWrite;
}

/**
 * Signed lines of a file, in order, in `FILE.signed`. Lines signed again go to `FILE.signed.again`
 * until they replace the others. A lock on `FILE.signed.lock` admits one run at a time.
 */
export class SignedLines implements Disposable {
  readonly file: string;
  readonly #lock: FileLock;
  #isNew = false;

  private constructor(file: string, lock: FileLock) {
    this.file = file;
    this.#lock = lock;
  }

  /** Throws a `WrongUse` if locked, or if an earlier run signed lines and is not continued. */
  static async open(
    operations: string,
    { isContinued }: { readonly isContinued: boolean },
  ): Promise<SignedLines> {
    // Locked before reading: two runs would sign the same lines with different keys.
    const lock = await lockOf(operations);
    const signed = new SignedLines(`${operations}.signed`, lock);
    try {
      await signed.#begin(isContinued);
      return signed;
    } catch (thrown) {
      signed[Symbol.dispose]();
      throw thrown instanceof WrongUse
        ? thrown
        : new WrongUse(`${signed.file} cannot be used: ${(thrown as Error).message}`);
    }
  }

  [Symbol.dispose](): void {
    this.#lock[Symbol.dispose]();
  }

  async #begin(isContinued: boolean): Promise<void> {
    const { file } = this;
    refuseLink(file);
    refuseLink(this.#again);
    if (!existsSync(file)) {
      rmSync(this.#again, { force: true });
      this.#isNew = true;
    } else if (!isContinued) {
      throw new WrongUse(
        `${file} is there: an earlier run has signed operations of this file, and may have done them. --continue continues it, and does nothing twice. Put refused lines that you have corrected into a new file: without ${file} this one would do once more what is done`,
      );
    } else {
      cutUnfinished(file);
      await this.#putInPlace();
    }
  }

  reader(): SignedReader {
    return new SignedReader(this.file);
  }

  /** Durable when it returns, before sending. Throws a `WrongUse` if it cannot. */
  add(lines: readonly SignedLine[]): void {
    append(this.file, lines, this.#isNew ? "ax" : APPENDED);
    this.#isNew &&= lines.length === 0;
  }

  replace(lines: readonly SignedLine[]): void {
    append(this.#again, lines);
  }

  get #again(): string {
    return `${this.file}.again`;
  }

  /** An interrupted replacement starts again: both files exist until the last step. */
  async #putInPlace(): Promise<void> {
    if (!existsSync(this.#again)) {
      return;
    }
    cutUnfinished(this.#again);
    const merged = `${this.file}.merged`;
    rmSync(merged, { force: true });
    const newer = new SignedReader(this.#again);
    for await (const lines of signedLines(this.file)) {
      const merging: SignedLine[] = [];
      for (const one of lines) {
        merging.push((await newer.take(one.line)) ?? one);
      }
      append(merged, merging);
    }
    renameSync(merged, this.file);
    syncFolderOf(this.file); // before a power cut could remove the merged file
    rmSync(this.#again);
  }
}

async function lockOf(operations: string): Promise<FileLock> {
  const file = `${operations}.signed.lock`;
  refuseLink(file);
  let lock: FileLock | undefined;
  try {
    lock = await lockFile(file);
  } catch (thrown) {
    throw new WrongUse(
      `${file} cannot be locked, so that another run with this file would not be noticed: ${(thrown as Error).message}`,
    );
  }
  if (lock === undefined) {
    throw new WrongUse(
      `another moneta is at work on ${operations}, and a second one would do its lines once more: wait until it has ended, or end it (fg continues one that Ctrl-Z has stopped). Then --continue continues it, and does nothing twice`,
    );
  }
  return lock;
}

/** Reads in step with the lines of the file. */
export class SignedReader {
  readonly #pieces: AsyncGenerator<readonly SignedLine[], void, undefined>;
  #lines: readonly SignedLine[] = [];
  #next = 0;

  constructor(file: string) {
    this.#pieces = signedLines(file);
  }

  async hasMore(): Promise<boolean> {
    while (this.#next === this.#lines.length) {
      const { done, value } = await this.#pieces.next();
      if (done === true) {
        return false;
      }
      this.#lines = value;
      this.#next = 0;
    }
    return true;
  }

  /** Earlier lines must have been taken. */
  async take(line: number): Promise<SignedLine | undefined> {
    const one = (await this.hasMore()) ? this.#lines[this.#next] : undefined;
    if (one?.line !== line) {
      return undefined;
    }
    this.#next += 1;
    return one;
  }
}

async function* signedLines(file: string): AsyncGenerator<readonly SignedLine[], void, undefined> {
  if (existsSync(file)) {
    const bytes = statSync(file).size;
    const pieces = bytes === 0 ? [] : createReadStream(file, { end: bytes - 1 });
    for await (const texts of textLines(pieces as AsyncIterable<Buffer>)) {
      yield texts.map((text) => signedLine(text ?? "", file));
    }
  }
}

function signedLine(text: string, file: string): SignedLine {
  try {
    const { line, hash, write } = JSON.parse(text) as SignedLine;
    if (Number.isSafeInteger(line) && typeof hash === "string" && write instanceof Object) {
      return { line, hash, write };
    }
  } catch {
    // reported below
  }
  throw new WrongUse(
    `${file} is damaged: it has a line that moneta has not written. Restore it: it alone records which lines were done`,
  );
}

/** An incomplete last line was not sent. */
function cutUnfinished(file: string): void {
  const descriptor = openSync(file, CUT);
  let end = fstatSync(descriptor).size;
  try {
    for (let at = -1; end > 0 && at === -1; ) {
      const piece = Buffer.alloc(Math.min(end, PIECE_BYTES));
      readSync(descriptor, piece, 0, piece.length, end - piece.length);
      at = piece.lastIndexOf(LINE_FEED);
      end -= piece.length - (at + 1);
    }
    ftruncateSync(descriptor, end);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Durable when it returns; throws if any part is not. With `ax` it creates the file: an existing
 * one is of a run whose lock was not visible, as on a network file system.
 */
function append(file: string, lines: readonly SignedLine[], flags: number | "ax" = APPENDED): void {
  if (lines.length === 0) {
    return;
  }
  const isNew = !existsSync(file);
  try {
    writeSynced(file, lines.map(textOf).join(""), { flags, mode: 0o600 });
    if (isNew) {
      syncFolderOf(file); // otherwise a power cut may remove it, and all lines are signed again
    }
  } catch (thrown) {
    throw new WrongUse(`${file} cannot be written: ${(thrown as Error).message}`);
  }
}

function textOf(one: SignedLine): string {
  return `${JSON.stringify(one)}\n`;
}
