import { existsSync, readFileSync } from "node:fs";
import { replaceWhole, writeWhole } from "../data-directory/write-whole.ts";

const MODE = 0o600;

/** The newest handled id, `""` before the first. After a crash it may lag, but is never ahead. */
export class WebhookPosition {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Undefined without a file. Throws if the file is malformed. */
  read(): string | undefined {
    if (!existsSync(this.#file)) {
      return undefined;
    }
    const { after } = JSON.parse(readFileSync(this.#file, "utf8")) as { after?: unknown };
    if (typeof after !== "string") {
      throw new Error('it has no text "after"');
    }
    return after;
  }

  /** Durable, so that everything after it is delivered. */
  begin(after: string, url: string): void {
    writeWhole(this.#file, contentOf(after, url), MODE);
  }

  /** `url` is for operators. Throws `SyncFailure`, and errors of the file system. */
  async write(after: string, url: string): Promise<void> {
    await replaceWhole(this.#file, contentOf(after, url), MODE);
  }
}

function contentOf(after: string, url: string): string {
  return `${JSON.stringify({ url, after })}\n`;
}
