/** A lock on a file, until it is disposed of. */
export type FileLock = Disposable;

/**
 * Locks a file that serves only as a lock and stays; undefined if it is locked already. The
 * operating system releases the lock when the process ends in any way; a file with a process id
 * could not distinguish a killed run from another process with its number. Throws errors of the
 * file system.
 */
export async function lockFile(file: string): Promise<FileLock | undefined> {
  // SQLite's lock, as for the data directory of a node, because Node has no other; nothing is
  // stored.
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(file);
  try {
    database.exec("PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (thrown) {
    database.close();
    if (((thrown as { readonly errcode?: number }).errcode ?? 0) % 256 === BUSY) {
      return undefined;
    }
    throw thrown;
  }
  return { [Symbol.dispose]: () => database.close() };
}

/** The lowest eight bits are SQLite's code. */
const BUSY = 5;
