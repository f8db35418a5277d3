/** How long a failed node is not used, ms, if there is another one. */
const AWAY_MS = 60_000;

/** Uses one node until it fails, and the preferred one again after a time. Source: cluster §4. */
export class Nodes {
  readonly urls: readonly string[];
  #at = 0;
  #backAtMs = 0;

  constructor(urls: readonly string[]) {
    this.urls = urls;
  }

  get url(): string {
    if (Date.now() >= this.#backAtMs) {
      this.#at = 0;
    }
    return this.urls[this.#at] as string;
  }

  get areSeveral(): boolean {
    return this.urls.length > 1;
  }

  /** Switches to the next node unless another request has done so. */
  leave(url: string): void {
    if (url === this.urls[this.#at]) {
      this.#at = (this.#at + 1) % this.urls.length;
      this.#backAtMs = Date.now() + AWAY_MS;
    }
  }

  isRoundOver(attempts: number): boolean {
    return attempts % this.urls.length === 0;
  }
}
