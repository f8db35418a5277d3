/** A lock on a file, until it is disposed of. */
export type FileLock = Disposable;

/**
 * Locks a file that is there for nothing else, and stays; undefined if somebody holds it. The
 * operating system takes the lock back when the process ends, however it ends: a file with a
 * process id could not tell a run that was killed from one whose number somebody else has. Throws
 * what the file system throws.
 */
export async function lockFile(file: string): Promise<FileLock | undefined> {
  // SQLite's, because Node has no other, as for the data directory of a node; nothing is stored.
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
