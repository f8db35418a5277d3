import { existsSync, rmSync } from "node:fs";
import { checkLedgerFile, NotYet } from "@moneta/ledger";
import { type LogSetting, SettingProblem } from "../settings.ts";
import { shellWord } from "../shell-word.ts";
import { type DataDirectory, dataDirectory, noLedgerIn, readFile } from "./data-directory.ts";
import { writeWhole } from "./write-whole.ts";

/** Without its password. Throws `StorageFailure` or `SyncFailure`. */
export function keepLogSource(directory: DataDirectory, log: LogSetting): void {
  const { logSource } = directory;
  const text = `${log}\n`;
  if (!existsSync(logSource) || readFile(logSource) !== text) {
    writeWhole(logSource, text, 0o600);
  }
  endCopy(directory);
}

/** Undefined if the directory's log is its own. */
export function logSourceOf({ logSource }: Pick<DataDirectory, "logSource">): string | undefined {
  return existsSync(logSource) ? readFile(logSource).trim() : undefined;
}

/** Own blocks would make a second history of the ledger id. Throws `SettingProblem`. */
export function checkLogIsOwn(directory: DataDirectory, path: string): void {
  checkIsWhole(directory, path);
  const source = logSourceOf(directory);
  if (source !== undefined) {
    throw new SettingProblem(
      `the blocks in ${path} come from ${source}, and a node without --log would write a second history behind them: give --log ${shellWord(source)}. Only if no process writes to that log any more, remove ${directory.logSource}`,
    );
  }
}

/** Notes an incomplete copy, until `endCopy`. Throws `StorageFailure` or `SyncFailure`. */
export function noteCopy({ logCopying }: DataDirectory, from: string): void {
  writeWhole(logCopying, `${from}\n`, 0o600);
}

/** `noteCopy` for a directory whose newest blocks are an archive's. */
export function noteArchive(directory: DataDirectory, from: string): void {
  noteCopy(directory, `${ARCHIVE}${from}`);
}

const ARCHIVE = "archive ";

export function endCopy({ logCopying }: DataDirectory): void {
  rmSync(logCopying, { force: true });
}

/** Refuses an incomplete copy: a node would write a second history. Throws `NotYet`. */
function checkIsWhole({ logCopying }: DataDirectory, path: string): void {
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

/** Throws `SettingProblem` without a ledger, `NotYet` for an incomplete one. */
export function wholeLedger(path: string): DataDirectory {
  const directory = dataDirectory(path);
  if (!checkLedgerFile(directory.ledger)) {
    throw new SettingProblem(noLedgerIn(path));
  }
  checkIsWhole(directory, path);
  return directory;
}
