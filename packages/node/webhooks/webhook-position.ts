import { existsSync, readFileSync } from "node:fs";
import { replaceWhole, writeWhole } from "../data-directory/write-whole.ts";

const MODE = 0o600;

/**
 * How far a webhook has been told, in a file of its own: the id of the newest transaction that was delivered or not meant for it, `""` before the first one. Each write replaces
 * the file whole; after a crash it may be a little behind, so that a delivery is repeated, but never ahead.
 */
export class WebhookPosition {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Undefined if nothing has been kept. Throws if what has been kept cannot be read. */
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

  /** Where it begins: kept before anything else happens, so that whatever comes then is delivered. */
  begin(after: string, url: string): void {
    writeWhole(this.#file, contentOf(after, url), MODE);
  }

  /** `url` is for the operator who looks at the file. Throws `SyncFailure`, or what the file system says. */
  async write(after: string, url: string): Promise<void> {
    await replaceWhole(this.#file, contentOf(after, url), MODE);
  }
}

function contentOf(after: string, url: string): string {
  return `${JSON.stringify({ url, after })}\n`;
}
