import { existsSync } from "node:fs";
import { type LogSetting, SettingProblem } from "../settings.ts";
import { type DataDirectory, readFile } from "./data-directory.ts";
import { writeWhole } from "./write-whole.ts";

/**
 * Keeps where the blocks of a directory come from: the URL of a node, or of a PostgreSQL without
 * its password. Throws `StorageFailure` or `SyncFailure`.
 */
export function keepLogSource({ logSource }: DataDirectory, log: LogSetting): void {
  const text = `${log}\n`;
  if (!existsSync(logSource) || readFile(logSource) !== text) {
    writeWhole(logSource, text, 0o600);
  }
}

/** The log that the blocks of a directory come from; undefined if that is its own. */
export function logSourceOf({ logSource }: Pick<DataDirectory, "logSource">): string | undefined {
  return existsSync(logSource) ? readFile(logSource).trim() : undefined;
}

/**
 * Refuses a node that would write blocks of its own behind those of another log: from there on two
 * histories would bear one ledger's id. Throws `SettingProblem`.
 */
export function checkLogIsOwn(directory: DataDirectory, path: string): void {
  const source = logSourceOf(directory);
  if (source !== undefined) {
    throw new SettingProblem(
      `the blocks in ${path} come from ${source}, and a node without --log would write a second history behind them: give --log ${source}. Only if nobody writes to that log any more, remove ${directory.logSource}`,
    );
  }
}
