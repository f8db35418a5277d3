export type FileLock = Disposable;

/**
 * Locks a file that serves only as a lock; undefined if it is locked. The system releases it when
 * the process ends in any way, unlike a stored process id. Throws errors of the file system.
 */
export async function lockFile(file: string): Promise<FileLock | undefined> {
  // SQLite's lock, because Node has no other; nothing is stored.
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
