import { existsSync, mkdtempSync, rmSync } from "node:fs";
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
