import { SyncFailure } from "@moneta/ledger";
import type { WebhookPosition } from "./webhook-position.ts";
import type { WebhookProgress } from "./webhook-progress.ts";

/** Of a single node, which always delivers. */
export class FileProgress implements WebhookProgress {
  readonly isMine = true;
  readonly #file: WebhookPosition;
  readonly #options: {
    readonly position: number;
    readonly url: string;
    readonly onFailure: (message: string) => void;
  };

  /** `onFailure`: the position could not be written; that is retried. */
  constructor(
    file: WebhookPosition,
    options: {
      readonly position: number;
      readonly url: string;
      readonly onFailure: (message: string) => void;
    },
  ) {
    this.#file = file;
    this.#options = options;
  }

  async begin(): Promise<number> {
    return this.#options.position;
  }

  async keep(after: string): Promise<boolean> {
    try {
      await this.#file.write(after, this.#options.url);
      return true;
    } catch (thrown) {
      if (thrown instanceof SyncFailure) {
        throw thrown;
      }
      // A full disk: deliveries repeat if the node ends before there is space.
      this.#options.onFailure(
        `how far a webhook has come could not be kept: ${(thrown as Error).message}`,
      );
      return false;
    }
  }

  end(): void {}
}
