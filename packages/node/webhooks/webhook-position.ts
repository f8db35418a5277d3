import { existsSync, readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { SyncFailure } from "@moneta/ledger";
import { writeWhole } from "../write-whole.ts";

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
    writeWhole(this.#file, contentOf(after, url), 0o600);
  }

  /** `url` is for the operator who looks at the file. Throws `SyncFailure`, or what the file system says. */
  async write(after: string, url: string): Promise<void> {
    const part = `${this.#file}.part`;
    const file = await open(part, "w", 0o600);
    try {
      await file.writeFile(contentOf(after, url));
      await file.sync().catch((cause: Error) => {
        throw new SyncFailure(`${part} could not be synced to the disk: ${cause.message}`, {
          cause,
        });
      });
    } finally {
      await file.close();
    }
    await rename(part, this.#file);
  }
}

function contentOf(after: string, url: string): string {
  return `${JSON.stringify({ url, after })}\n`;
}
