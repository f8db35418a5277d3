import { closeSync, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkLedgerFile, copyLedger, syncFile, syncFolderOf } from "@moneta/ledger";
import { dataDirectory, noLedgerIn } from "../data-directory/data-directory.ts";
import { checkIsWhole, logSourceOf } from "../data-directory/log-source.ts";
import { Progress } from "../progress.ts";
import { shellWord } from "../shell-word.ts";
import { dropReadersFiles } from "./backup.ts";
import { headOf } from "./backup-manifest.ts";
import { startCommand } from "./start-command.ts";
import { isTaken, makePart, withoutSlash } from "./targets.ts";

/**
 * Copies the ledger of a node, which may run, at one block into a file for another data directory.
 * It has no keys or secrets. Returns the exit code.
 */
export async function snapshot(path: string, to: string): Promise<number> {
  const file = withoutSlash(to);
  const directory = dataDirectory(path);
  const { ledger } = directory;
  if (!checkLedgerFile(ledger)) {
    console.error(`moneta: ${noLedgerIn(path)}`);
    return 2;
  }
  checkIsWhole(directory, path);
  if (isTaken(file)) {
    console.error(`moneta: ${file} exists already: name another file, or remove it`);
    return 2;
  }
  using held = makePart(file);
  const folder = held.path;
  const part = join(folder, "ledger.db");
  // SQLite would say that it cannot open its file, and not why.
  closeSync(openSync(part, "wx", 0o600));
  let progress: Progress | undefined;
  await copyLedger(ledger, part, (done, total) => {
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
  rmSync(folder, { recursive: true });
  console.log(
    `copied to ${file}, up to block ${height}; it has no keys and no genesis file in it, which moneta backup copies as well`,
  );
  console.log(
    `to go on from it: mkdir -m 700 NEW && cp ${shellWord(file)} NEW/ledger.db && ${startCommand("NEW", name, logSourceOf(directory))}`,
  );
  return 0;
}
