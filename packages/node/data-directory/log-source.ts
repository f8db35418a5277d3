import { existsSync, rmSync } from "node:fs";
import { checkLedgerFile, NotYet } from "@moneta/ledger";
import { type LogSetting, SettingProblem } from "../settings.ts";
import { shellWord } from "../shell-word.ts";
import { type DataDirectory, dataDirectory, noLedgerIn, readFile } from "./data-directory.ts";
import { writeWhole } from "./write-whole.ts";

/**
 * Stores the source of a directory's blocks: the URL of a node, or of a PostgreSQL without its
 * password. Throws `StorageFailure` or `SyncFailure`.
 */
export function keepLogSource(directory: DataDirectory, log: LogSetting): void {
  const { logSource } = directory;
  const text = `${log}\n`;
  if (!existsSync(logSource) || readFile(logSource) !== text) {
    writeWhole(logSource, text, 0o600);
  }
  endCopy(directory); // missing blocks come from there
}

/** The source of a directory's blocks; undefined if its log is its own. */
export function logSourceOf({ logSource }: Pick<DataDirectory, "logSource">): string | undefined {
  return existsSync(logSource) ? readFile(logSource).trim() : undefined;
}

/**
 * Refuses a node that would append its own blocks to those of another log: two histories would then
 * have one ledger id. Throws `SettingProblem`.
 */
export function checkLogIsOwn(directory: DataDirectory, path: string): void {
  checkIsWhole(directory, path);
  const source = logSourceOf(directory);
  if (source !== undefined) {
    throw new SettingProblem(
      `the blocks in ${path} come from ${source}, and a node without --log would write a second history behind them: give --log ${shellWord(source)}. Only if nobody writes to that log any more, remove ${directory.logSource}`,
    );
  }
}

/**
 * Notes that the blocks of a directory are the beginning of another log's, until `endCopy`. Throws
 * `StorageFailure` or `SyncFailure`.
 */
export function noteCopy({ logCopying }: DataDirectory, from: string): void {
  writeWhole(logCopying, `${from}\n`, 0o600);
}

/** `noteCopy` for a directory whose newest blocks are an archive's. */
export function noteArchive(directory: DataDirectory, from: string): void {
  noteCopy(directory, `${ARCHIVE}${from}`);
}

/** Precedes the name of an archive from which blocks were copied. */
const ARCHIVE = "archive ";

export function endCopy({ logCopying }: DataDirectory): void {
  rmSync(logCopying, { force: true });
}

/**
 * Refuses an incomplete copy of another log: it looks like a ledger, and a node that continued it
 * would write a second history. Throws `NotYet`: the copy may be in progress.
 */
export function checkIsWhole({ logCopying }: DataDirectory, path: string): void {
  if (existsSync(logCopying)) {
    const from = readFile(logCopying).trim();
    if (from.startsWith(ARCHIVE)) {
      const archive = from.slice(ARCHIVE.length);
      throw new NotYet(
        `${path} has the blocks of the archive ${archive}, and another node may have later ones: take these from it, with moneta serve --log URL. Only if no node has any, remove ${logCopying}`,
      );
    }
    throw new NotYet(
      `${path} has a part of the ledger in ${from} alone, because moneta log copy has not come to its end: run moneta log copy ${shellWord(from)} ${shellWord(path)} again, or empty the directory`,
    );
  }
}

/** The data directory of a whole ledger. Throws `SettingProblem` if it has none, else `NotYet`. */
export function wholeLedger(path: string): DataDirectory {
  const directory = dataDirectory(path);
  if (!checkLedgerFile(directory.ledger)) {
    throw new SettingProblem(noLedgerIn(path));
  }
  checkIsWhole(directory, path);
  return directory;
}
