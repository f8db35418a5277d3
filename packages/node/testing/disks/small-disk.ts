import assert from "node:assert/strict";
import { execFileSync, type SpawnSyncReturns, spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { cleanUpAtExit } from "../exit-cleanup.ts";
import { TemporaryDirectory } from "../temporary-directory.ts";

const ROOM_BYTES = 512 * 1024;
/** A mount's source names its process. */
const SOURCE = "moneta-test-";

/** A file system of its own in memory: writing fails with ENOSPC. */
export class SmallTmpfs implements Disposable {
  readonly data: string;
  readonly #directory: TemporaryDirectory;
  readonly #mountPoint: string;
  readonly #ballast: string;
  readonly #forget: () => void;

  constructor(options: { readonly megabytes?: number; readonly isOpen?: boolean } = {}) {
    const { megabytes = 24, isOpen = false } = options;
    unmountLeftovers();
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

  /** Leaves room for a few hundred transfers at most. */
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

function mountTmpfs(
  path: string,
  { megabytes, mode }: { readonly megabytes: number; readonly mode: string },
): SpawnSyncReturns<string> {
  const options = `size=${megabytes}m,mode=${mode}`;
  return spawnSync("mount", ["-t", "tmpfs", "-o", options, `${SOURCE}${process.pid}`, path], {
    encoding: "utf8",
  });
}

function unmount(path: string): void {
  // A process just killed may keep it busy for a moment: then it is detached once that has ended.
  if (spawnSync("umount", [path]).status !== 0) {
    spawnSync("umount", ["--lazy", path]);
  }
}

/** Of processes that SIGKILL has ended. */
function unmountLeftovers(): void {
  for (const line of readFileSync("/proc/mounts", "utf8").split("\n")) {
    const [source = "", path = ""] = line.split(" ");
    if (source.startsWith(SOURCE) && !existsSync(`/proc/${source.slice(SOURCE.length)}`)) {
      const mountPoint = path.replaceAll("\\040", " ");
      unmount(mountPoint);
      rmSync(dirname(mountPoint), { recursive: true, force: true });
    }
  }
}
