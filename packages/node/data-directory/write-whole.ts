import { closeSync, fchmodSync, openSync, renameSync, writeFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { StorageFailure, SyncFailure, syncFile, syncFolderOf } from "@moneta/ledger";

/** Durable. Throws `SyncFailure` or `StorageFailure`. */
export function writeWhole(file: string, content: string | Uint8Array, mode: number): void {
  using whole = new WholeFile(file, mode);
  whole.write(content);
  whole.finish();
}

/** Named once complete and durable. Throws `SyncFailure` or `StorageFailure`. */
export class WholeFile implements Disposable {
  readonly #file: string;
  readonly #part: string;
  #descriptor: number | undefined;

  constructor(file: string, mode: number) {
    this.#file = file;
    this.#part = `${file}.part`;
    this.#written(() => {
      this.#descriptor = openSync(this.#part, "w", mode);
      if ((mode & 0o077) !== 0) {
        makePublic(this.#descriptor, mode);
      }
    });
  }

  write(content: string | Uint8Array): void {
    this.#written(() => writeFileSync(this.#descriptor as number, content));
  }

  /** No write may follow. */
  finish(): void {
    this.#written(() => {
      syncFile(this.#descriptor as number, this.#part);
      this[Symbol.dispose]();
      renameSync(this.#part, this.#file);
    });
    syncFolderOf(this.#file);
  }

  [Symbol.dispose](): void {
    if (this.#descriptor !== undefined) {
      closeSync(this.#descriptor);
      this.#descriptor = undefined;
    }
  }

  #written(write: () => void): void {
    try {
      write();
    } catch (thrown) {
      throw thrown instanceof SyncFailure
        ? thrown
        : new StorageFailure(`${this.#file} cannot be written: ${(thrown as Error).message}`, {
            cause: thrown,
          });
    }
  }
}

/** Sets permissions that the umask has removed, where there are any. */
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

/** After a power cut the previous file may be there. */
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
