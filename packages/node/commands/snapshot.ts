import { existsSync, renameSync, rmSync } from "node:fs";
import { checkLedgerFile, copyDatabase } from "@moneta/ledger";
import { dataDirectory } from "../data-directory.ts";
import { Progress } from "../progress.ts";

/**
 * Copies the ledger of a node, which may run, into one file: what it was at one block. It becomes `ledger.db` of another data directory. Keys and
 * secrets are not in it. Returns the exit code.
 */
export async function snapshot(path: string, file: string): Promise<number> {
  const { ledger } = dataDirectory(path);
  if (!existsSync(ledger)) {
    console.error(`moneta: there is no ledger in ${path}`);
    return 2;
  }
  checkLedgerFile(ledger);
  if (existsSync(file)) {
    console.error(`moneta: ${file} exists already: name another file, or remove it`);
    return 2;
  }
  const part = `${file}.part`;
  rmSync(part, { force: true });
  let progress: Progress | undefined;
  await copyDatabase(ledger, part, (done, total) => {
    progress ??= new Progress("copying pages", total);
    progress.show(done);
  });
  renameSync(part, file);
  console.log(
    `copied to ${file}; to go on from it: mkdir NEW && cp ${file} NEW/ledger.db && npm start -- --data NEW`,
  );
  return 0;
}
