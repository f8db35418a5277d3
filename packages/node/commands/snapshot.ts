import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { copyLedger, LedgerReader, syncFolderOf } from "@moneta/ledger";
import { writeSnapshot } from "../archive/snapshot-writer.ts";
import { logSourceOf, wholeLedger } from "../data-directory/log-source.ts";
import { progressOf } from "../progress.ts";
import { SettingProblem } from "../settings.ts";
import { shellWord } from "../shell-word.ts";
import { assertTables, signerOf } from "./archive.ts";
import { startCommand } from "./start-command.ts";
import { isTaken, makePart, withoutSlash } from "./targets.ts";

/** Of a node that may run. Returns the exit code. Source: proofs §5. */
export async function snapshot(path: string, to: string): Promise<number> {
  const file = withoutSlash(to);
  const directory = wholeLedger(path);
  const { ledger } = directory;
  if (isTaken(file)) {
    throw new SettingProblem(`${file} exists already: name another file, or remove it`);
  }
  assertTables(directory, path);
  using held = makePart(file);
  const folder = held.path;
  // A copy, because a long read snapshot of the node's file prevents reuse of its WAL.
  const copy = join(folder, "ledger.db");
  await copyLedger(ledger, copy, progressOf("copying pages"));
  const reader = new LedgerReader(copy);
  try {
    const signer = await signerOf(directory, reader);
    if (signer === undefined) {
      throw new SettingProblem(
        `no node has signed a checkpoint in ${path}: make the snapshot where the ledger's key is, after GET /checkpoint`,
      );
    }
    reader.open(0);
    const { signed, keys } = signer;
    const {
      ledger: name,
      height,
      first,
      before,
    } = writeSnapshot(join(folder, "snapshot"), {
      ...{ reader, signed, scratch: folder },
      sign: (tree) => keys.sign(tree),
    });
    reader.close();
    renameSync(join(folder, "snapshot"), file);
    syncFolderOf(file);
    console.log(
      `${file} has the state of block ${height} and the blocks ${first > 1 ? `0 and from ${first}` : "from 0"} to ${before - 1}, under the key ${keys.verifierKeys.join(", ")}; no keys and no genesis file, which moneta backup copies`,
    );
    const flags = ` --from-snapshot ${shellWord(file)} --log-key ${shellWord(keys.verifierKeys[0] ?? "")}`;
    console.log(
      `to start another node: ${startCommand("NEW", name, logSourceOf(directory), flags)}`,
    );
    return 0;
  } finally {
    reader.dispose();
    rmSync(folder, { recursive: true });
  }
}
