import { closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { checkLedgerFile, copyDatabase, syncFile, syncFolderOf } from "@moneta/ledger";
import { dataDirectory, noLedgerIn } from "../data-directory/data-directory.ts";
import { logSourceOf } from "../data-directory/log-source.ts";
import { Progress } from "../progress.ts";
import { dropReadersFiles } from "./backup.ts";
import { headOf } from "./backup-manifest.ts";
import { startCommand } from "./start-command.ts";

/**
 * Copies the ledger of a node, which may run, at one block into a file for another data directory.
 * It has no keys or secrets. Returns the exit code.
 */
export async function snapshot(path: string, file: string): Promise<number> {
  const directory = dataDirectory(path);
  const { ledger } = directory;
  if (!checkLedgerFile(ledger)) {
    console.error(`moneta: ${noLedgerIn(path)}`);
    return 2;
  }
  if (existsSync(file)) {
    console.error(`moneta: ${file} exists already: name another file, or remove it`);
    return 2;
  }
  const folder = dirname(file);
  if (!existsSync(folder)) {
    // SQLite would say that it cannot open its file, and not why.
    console.error(`moneta: ${file} cannot be made: ${folder} is not there`);
    return 2;
  }
  const part = `${file}.part`;
  rmSync(part, { force: true });
  let progress: Progress | undefined;
  await copyDatabase(ledger, part, (done, total) => {
    progress ??= new Progress("copying pages", total);
    progress.show(done);
  });
  const { ledger: name, height } = headOf(part);
  dropReadersFiles(part);
  const descriptor = openSync(part, "r+");
  try {
    syncFile(descriptor, part);
  } finally {
    closeSync(descriptor);
  }
  renameSync(part, file);
  syncFolderOf(file);
  console.log(
    `copied to ${file}, up to block ${height}; it has no keys and no genesis file in it, which moneta backup copies as well`,
  );
  console.log(
    `to go on from it: mkdir -m 700 NEW && cp ${file} NEW/ledger.db && ${startCommand("NEW", name, logSourceOf(directory))}`,
  );
  return 0;
}
