import { stat, statfs } from "node:fs/promises";
import { basename } from "node:path";
import type { DataDirectory } from "./data-directory.ts";

/** In bytes. */
export interface DiskUsage {
  /** Without the space reserved for root. */
  readonly freeBytes: number;
  readonly sizeBytes: number;
  /** By name; absent files are left out. */
  readonly ledgerFiles: Readonly<Record<string, number>>;
}

/** Undefined if the file system gives no figures. */
export async function diskUsage({ ledger }: DataDirectory): Promise<DiskUsage | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(ledger);
    const ledgerFiles: Record<string, number> = {};
    for (const file of [ledger, `${ledger}-wal`, `${ledger}-redo`]) {
      const size = await sizeOf(file);
      if (size !== undefined) {
        ledgerFiles[basename(file)] = size;
      }
    }
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize, ledgerFiles };
  } catch {
    // The disk is gone: other metrics are needed all the more.
    return undefined;
  }
}

async function sizeOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found?.size;
}
