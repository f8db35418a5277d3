import assert from "node:assert/strict";
import { execFileSync, type SpawnSyncReturns, spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { cleanUpAtExit } from "../exit-cleanup.ts";
import { TemporaryDirectory } from "../temporary-directory.ts";

/** A place for a data directory where space can be made to run out, and be given back. */
export interface SmallDisk extends Disposable {
  readonly data: string;
  /** Leaves room for a few hundred transfers at most. */
  fill(pid: number): void;
  exhaust(): void;
  free(pid: number): void;
}

const ROOM_BYTES = 512 * 1024;

/** A file system of its own in memory: writing fails with ENOSPC. */
export class SmallTmpfs implements SmallDisk {
  readonly data: string;
  readonly #directory: TemporaryDirectory;
  readonly #mountPoint: string;
  readonly #ballast: string;
  readonly #forget: () => void;

  constructor(options: { readonly megabytes?: number; readonly isOpen?: boolean } = {}) {
    const { megabytes = 24, isOpen = false } = options;
    this.#directory = new TemporaryDirectory("small-tmpfs");
    // Another user may have to reach its files there.
    if (isOpen) {
      chmodSync(this.#directory.path, 0o711);
    }
    this.#mountPoint = join(this.#directory.path, "disk");
    this.#ballast = join(this.#mountPoint, "ballast");
    this.data = join(this.#mountPoint, "data");
    mkdirSync(this.#mountPoint);
    const mounted = mountTmpfs(this.#mountPoint, { megabytes, mode: isOpen ? "711" : "700" });
    assert.equal(mounted.status, 0);
    this.#forget = cleanUpAtExit(() => unmount(this.#mountPoint));
  }

  get folder(): string {
    return this.#mountPoint;
  }

  static missing(): string | undefined {
    using directory = new TemporaryDirectory("tmpfs-trial");
    const { status, error, stderr } = mountTmpfs(directory.path, { megabytes: 24, mode: "700" });
    if (status !== 0) {
      const reason = error?.message ?? stderr.split("\n")[0];
      return `a tmpfs cannot be mounted here, which takes root on Linux: ${reason}`;
    }
    unmount(directory.path);
    return undefined;
  }

  fill(): void {
    this.exhaust();
    truncateSync(this.#ballast, Math.max(statSync(this.#ballast).size - ROOM_BYTES, 0));
  }

  exhaust(): void {
    const file = openSync(this.#ballast, "a");
    let chunk = Buffer.alloc(1024 * 1024);
    while (chunk.length > 0) {
      try {
        writeSync(file, chunk);
      } catch {
        chunk = chunk.subarray(0, chunk.length / 2);
      }
    }
    closeSync(file);
  }

  free(): void {
    rmSync(this.#ballast);
  }

  remount(access: "ro" | "rw"): void {
    execFileSync("mount", ["-o", `remount,${access}`, this.#mountPoint]);
  }

  [Symbol.dispose](): void {
    this.#forget();
    unmount(this.#mountPoint);
    this.#directory[Symbol.dispose]();
  }
}

/**
 * The process may not write past a position in any file: writing fails with EFBIG, as with `ulimit
 * -f`.
 */
export class LimitedFiles implements SmallDisk {
  readonly data: string;
  readonly #directory: TemporaryDirectory;

  constructor() {
    this.#directory = new TemporaryDirectory("limited-files");
    this.data = join(this.#directory.path, "data");
  }

  static missing(): string | undefined {
    // A command, because a shell's ulimit cannot lift the limit of a running process.
    const { error } = spawnSync("prlimit", ["--version"]);
    return error === undefined ? undefined : `prlimit (of util-linux) is missing: ${error.message}`;
  }

  fill(pid: number): void {
    const sizes = readdirSync(this.data).map((name) => statSync(join(this.data, name)).size);
    this.#limit(pid, String(Math.max(...sizes) + ROOM_BYTES));
  }

  exhaust(): void {
    // The limit ends with its process.
  }

  free(pid: number): void {
    this.#limit(pid, "unlimited");
  }

  [Symbol.dispose](): void {
    this.#directory[Symbol.dispose]();
  }

  #limit(pid: number, bytes: string): void {
    execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:`]);
  }
}

function mountTmpfs(
  path: string,
  { megabytes, mode }: { readonly megabytes: number; readonly mode: string },
): SpawnSyncReturns<string> {
  const options = `size=${megabytes}m,mode=${mode}`;
  return spawnSync("mount", ["-t", "tmpfs", "-o", options, "moneta-test", path], {
    encoding: "utf8",
  });
}

function unmount(path: string): void {
  // A process just killed may keep it busy for a moment: then it is detached once that has ended.
  if (spawnSync("umount", [path]).status !== 0) {
    spawnSync("umount", ["--lazy", path]);
  }
}
