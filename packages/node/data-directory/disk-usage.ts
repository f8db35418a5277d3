import { stat, statfs } from "node:fs/promises";
import { basename } from "node:path";
import type { DataDirectory } from "./data-directory.ts";

/** Room on the disk of a data directory and what the ledger takes of it, bytes. */
export interface DiskUsage {
  /** What this process may still write, which is less than what is free for the system's administrator. */
  readonly freeBytes: number;
  readonly sizeBytes: number;
  /** By name, without those that are not there. */
  readonly ledgerFiles: Readonly<Record<string, number>>;
}

/** Undefined if the file system does not say. */
export async function diskUsage({ ledger }: DataDirectory): Promise<DiskUsage | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(ledger);
    const ledgerFiles: Record<string, number> = {};
    for (const file of [ledger, `${ledger}-wal`]) {
      const size = await sizeOf(file);
      if (size !== undefined) {
        ledgerFiles[basename(file)] = size;
      }
    }
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize, ledgerFiles };
  } catch {
    // A disk that is gone: other measurements are wanted all the more.
    return undefined;
  }
}

async function sizeOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found?.size;
}
