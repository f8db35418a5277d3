import { hash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanUpAtExit } from "./exit-cleanup.ts";

/**
 * A new empty directory that is removed with all it holds at the end of the scope, unless `keep()`
 * was called or TEST_KEEP is set.
 */
export class TemporaryDirectory implements Disposable {
  readonly path: string;
  #isKept = false;
  readonly #forget: () => void;

  constructor(purpose: string) {
    this.path = mkdtempSync(join(tmpdir(), `moneta-${purpose}-`));
    this.#forget = cleanUpAtExit(() => this.#remove());
    if (process.env["TEST_KEEP"]) {
      this.keep();
    }
  }

  keep(): void {
    this.#isKept = true;
    console.error(`kept: ${this.path}`);
  }

  [Symbol.dispose](): void {
    this.#forget();
    this.#remove();
  }

  #remove(): void {
    // Node reports nothing if it has stopped at a file that vanished meanwhile, such as a WAL.
    while (!this.#isKept && existsSync(this.path)) {
      rmSync(this.path, { recursive: true, force: true });
    }
  }
}

/** SHA-256 of the content of a folder's files, by their paths in it, but of those that match. */
export function filesIn(folder: string, leftOut: RegExp): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(
    files
      .filter((name) => !leftOut.test(name))
      .toSorted()
      .map((name) => [name, hash("sha256", readFileSync(join(folder, name)))]),
  );
}
