import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { immutableName, StorageFailure } from "@moneta/ledger";
import { PROBE_BYTES_MIN, PROBE_EVERY_MS } from "../ledger-thread/storage-probe.ts";
import type { WriteHold } from "../write-state.ts";
import { UNTIL_MENDED_SECONDS } from "../write-state.ts";

/** The node serves reads until a probe file beside the ledger shows that writes succeed. */
export class UnwritableDisk {
  readonly openName: string;
  readonly #failure: StorageFailure;
  readonly #probeFile: string;
  #timer: NodeJS.Timeout | undefined;

  private constructor(ledgerFile: string, openName: string, failure: StorageFailure) {
    this.openName = openName;
    this.#failure = failure;
    this.#probeFile = `${ledgerFile}-probe`;
  }

  /** Undefined if a start has failed by another cause, or the ledger's file is incomplete. */
  static after(thrown: unknown, ledgerFile: string): UnwritableDisk | undefined {
    const failure = existsSync(ledgerFile) ? diskFailure(thrown) : undefined;
    const name = failure && immutableName(ledgerFile);
    return failure && name ? new UnwritableDisk(ledgerFile, name, failure) : undefined;
  }

  hold(): WriteHold {
    const { reason, message } = this.#failure;
    return { reason, detail: message, retryAfter: UNTIL_MENDED_SECONDS };
  }

  probe(onWritable: () => void): void {
    this.#timer = setTimeout(async () => {
      const takesFile = await this.#takesFile();
      if (this.#timer === undefined) {
        return;
      }
      if (takesFile) {
        onWritable();
      } else {
        this.probe(onWritable);
      }
    }, PROBE_EVERY_MS).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #takesFile(): Promise<boolean> {
    try {
      const content = Buffer.alloc(PROBE_BYTES_MIN, 1);
      await writeFile(this.#probeFile, content, { flush: true, mode: 0o600 });
      return true;
    } catch {
      return false;
    } finally {
      await rm(this.#probeFile, { force: true }).catch(() => undefined);
    }
  }
}

function diskFailure(thrown: unknown): StorageFailure | undefined {
  // After a failed sync the system discards unwritten data: the node ends.
  if (!(thrown instanceof Error) || thrown.name === "SyncFailure") {
    return undefined;
  }
  const cause = thrown.cause ?? thrown;
  const { code = "" } = cause as NodeJS.ErrnoException;
  // By its name, because an error of a thread has lost its class.
  const isOfDisk =
    thrown.name === "StorageFailure" ? !MISSING_RIGHTS.has(code) : DISK_CODES.has(code);
  return isOfDisk ? new StorageFailure(thrown.message, { cause }) : undefined;
}

/** Only an operator can change these: exit code 2. */
const MISSING_RIGHTS: ReadonlySet<string> = new Set(["EACCES", "EPERM"]);
const DISK_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EIO"]);
