import { mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  closeWhole,
  commit,
  type Head,
  InvalidBlock,
  type KeptRoots,
  Ledger,
  LocalLog,
  openForWriting,
  StateTree,
  SyncFailure,
  sha256,
  storageFailure,
  syncFolderOf,
  TablesFromEntries,
} from "@moneta/ledger";
import { MerkleTree } from "@moneta/protocol";
import { type DataDirectory, LEDGER_PART } from "../data-directory/data-directory.ts";
import { WholeFile } from "../data-directory/write-whole.ts";
import { SettingProblem } from "../settings.ts";
import { openArchive } from "./archive-files.ts";
import type { ArchivedBlock } from "./archived-block.ts";
import { WrongArchive } from "./layout.ts";
import { type SnapshotManifest, SnapshotReader } from "./snapshot-reader.ts";

const BLOCKS_TOGETHER = 100;

/**
 * An interrupted call leaves no ledger. Throws `SettingProblem` and `NotYet`. Source: proofs §5.
 */
export async function startFromSnapshot(
  directory: DataDirectory,
  where: string,
  options: { readonly keys: readonly string[]; readonly keptRoots: KeptRoots },
): Promise<SnapshotManifest> {
  const part = join(dirname(directory.ledger), LEDGER_PART);
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { mode: 0o700 });
  try {
    const file = join(part, "snapshot");
    await copied(where, file);
    const snapshot = await SnapshotReader.open(file, where, options.keys);
    const treeFile = join(part, "state.tree");
    const tree = StateTree.open(treeFile, {
      ledgerId: snapshot.manifest.ledger_id,
      ...{ keptRoots: options.keptRoots, access: "write" },
    });
    let head: Head;
    try {
      head = await snapshot.verify(tree);
    } finally {
      tree.close();
    }
    const ledger = join(part, "ledger.db");
    await makeLedger(ledger, snapshot, head);
    renameSync(treeFile, directory.stateTree);
    renameSync(ledger, directory.ledger);
    syncFolderOf(directory.ledger);
    return snapshot.manifest;
  } catch (thrown) {
    throw thrown instanceof WrongArchive || thrown instanceof InvalidBlock
      ? new SettingProblem(`the snapshot is refused: ${thrown.message}`, { cause: thrown })
      : thrown;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/** Copies the snapshot: it is read twice, and must not change between. */
async function copied(where: string, file: string): Promise<void> {
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(where);
  const folder = isUrl ? where.slice(0, where.lastIndexOf("/")) : dirname(where);
  using whole = new WholeFile(file, 0o600);
  for await (const bytes of openArchive(folder).stream(basename(where))) {
    whole.write(bytes);
  }
  whole.finish();
}

/** Throws `InvalidBlock`. */
async function makeLedger(file: string, snapshot: SnapshotReader, head: Head): Promise<void> {
  const { height, first } = snapshot.manifest;
  const database = openForWriting(file);
  try {
    const log = new LocalLog(database);
    const tables = new TablesFromEntries(database, head);
    let ledger: Ledger | undefined;
    let tree = new MerkleTree(sha256);
    let earlier: ArchivedBlock[] = [];
    const store = (): void => {
      tree = ledger?.addEarlier(earlier, tree) ?? tree;
      earlier = [];
    };
    await snapshot.read({
      onSubtree: (subtree) => {
        // Before block 1 there is only block 0, which is stored with its leaves.
        if (first > 1) {
          tables.addSubtree(subtree);
        }
      },
      onEntry: (key, text) => {
        try {
          tables.add(key, text);
        } catch (thrown) {
          if (storageFailure(thrown) !== undefined || thrown instanceof SyncFailure) {
            throw thrown;
          }
          // The root covers the entries, but not their order in the file.
          throw new WrongArchive(
            `the entry ${key} is not in its place: ${(thrown as Error).message}`,
          );
        }
      },
      onTree: (skipped) => {
        tree = skipped;
      },
      onBlock: (block) => {
        const { sn } = block.header;
        if (ledger === undefined) {
          tables.end(head);
          ledger = new Ledger(database, log);
          ledger.keepChanges(true);
          ledger.addEarlier([block], new MerkleTree(sha256));
          if (first > 1) {
            log.keepFrom(first);
          }
        } else if (sn <= height) {
          earlier.push(block);
          if (earlier.length === BLOCKS_TOGETHER || sn === height) {
            store();
          }
        } else {
          if (!database.isTransaction) {
            database.exec("BEGIN IMMEDIATE");
          }
          log.append(block);
        }
      },
    });
    if (database.isTransaction) {
      commit(database);
    }
    ledger?.catchUp();
  } finally {
    closeWhole(database);
  }
}
