import { closeSync, fchmodSync, openSync, renameSync, writeFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { StorageFailure, SyncFailure, syncFile, syncFolderOf } from "@moneta/ledger";

/** Replaces a file whole, durably. Throws `SyncFailure` or `StorageFailure`. */
export function writeWhole(file: string, content: string, mode: number): void {
  const part = `${file}.part`;
  try {
    const descriptor = openSync(part, "w", mode);
    try {
      if ((mode & 0o077) !== 0) {
        makePublic(descriptor, mode);
      }
      writeFileSync(descriptor, content);
      syncFile(descriptor, part);
    } finally {
      closeSync(descriptor);
    }
    renameSync(part, file);
  } catch (thrown) {
    throw thrown instanceof SyncFailure
      ? thrown
      : new StorageFailure(`${file} cannot be written: ${(thrown as Error).message}`, {
          cause: thrown,
        });
  }
  syncFolderOf(file);
}

/** Gives a file the rights for others that the umask has taken, where the file system has rights. */
function makePublic(descriptor: number, mode: number): void {
  try {
    fchmodSync(descriptor, mode);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code !== "EPERM" && code !== "ENOTSUP") {
      throw thrown;
    }
  }
}

/** As `writeWhole`, but asynchronous, and after a power cut the previous file may be there. */
export async function replaceWhole(file: string, content: string, mode: number): Promise<void> {
  const part = `${file}.part`;
  const descriptor = await open(part, "w", mode);
  try {
    await descriptor.writeFile(content);
    await descriptor.sync().catch((cause: Error) => {
      const message = `${part} could not be synced to the disk: ${cause.message}`;
      throw new SyncFailure(message, { cause });
    });
  } finally {
    await descriptor.close();
  }
  await rename(part, file);
}
