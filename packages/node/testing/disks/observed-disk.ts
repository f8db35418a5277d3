import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TemporaryDirectory } from "../temporary-directory.ts";

const SOURCE = fileURLToPath(new URL("observed-disk.c", import.meta.url));

/**
 * An operation on a file of the data directory that fails once with EIO: the n-th, counted from the
 * start of the process.
 */
export interface DiskFault {
  readonly operation: "write" | "sync";
  /** Name of the file, `.` for the directory. */
  readonly file: string;
  readonly nth: number;
}

/**
 * A preloaded library between a node and its disk: it makes operations fail, and logs all for
 * `CutDisk`, which makes images after power cuts. In C, because SQLite calls the system itself.
 */
export class ObservedDisk implements Disposable {
  readonly #directory: TemporaryDirectory;
  readonly #library: string;

  constructor() {
    this.#directory = new TemporaryDirectory("observed-disk");
    this.#library = join(this.#directory.path, "observed-disk.so");
    const { status, stderr } = compile(this.#library);
    assert.equal(status, 0, stderr);
  }

  static missing(): string | undefined {
    if (process.platform !== "linux") {
      return "operations on files can only be observed on Linux";
    }
    using directory = new TemporaryDirectory("observed-disk-trial");
    const { status, error, stderr } = compile(join(directory.path, "trial.so"));
    return status === 0 ? undefined : `gcc cannot compile: ${error?.message ?? stderr}`;
  }

  /**
   * Environment of a node whose data directory is `folder`, an absolute path. With a log, syncs do
   * nothing.
   */
  environment(
    folder: string,
    options: {
      readonly fault?: DiskFault | undefined;
      readonly log?: string;
      /** A file: while it is there, syncs of the log of changes hang. */
      readonly stall?: string;
    },
  ): Readonly<Record<string, string>> {
    const { fault, log, stall } = options;
    return {
      LD_PRELOAD: this.#library,
      DISK_FOLDER: folder,
      ...(fault && { DISK_FAULT: `${fault.operation} ${fault.file} ${fault.nth}` }),
      ...(log !== undefined && { DISK_LOG: log }),
      ...(stall !== undefined && { DISK_STALL: stall }),
    };
  }

  [Symbol.dispose](): void {
    this.#directory[Symbol.dispose]();
  }
}

function compile(library: string): ReturnType<typeof spawnSync> & { readonly stderr: string } {
  const options = ["-O1", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl", "-lpthread"];
  return spawnSync("gcc", options, { encoding: "utf8" });
}
