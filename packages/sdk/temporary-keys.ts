/** Keys are valid for 10 minutes, unless a deployment says otherwise: what is older than half of it is left. Source: conventions §5.1. */
const USABLE_MS = 300_000;
/** How many keys one request may fetch. Source: conventions §5.1. */
const COUNT_MAX = 1000;

interface Held {
  readonly key: string;
  readonly untilMs: number;
}

interface Waiting {
  readonly take: (key: string) => void;
  readonly fail: (reason: unknown) => void;
}

/**
 * The unused temporary keys of one address. Each write takes one, and puts the one back that it was answered with; what is missing is fetched for all who wait at once, so that any number
 * of writes may be under way.
 */
export class TemporaryKeys {
  readonly #fetch: (count: number) => Promise<readonly string[]>;
  /** The newest last. */
  #held: Held[] = [];
  #waiting: Waiting[] = [];
  #isFetching = false;

  /** `fetch` answers so many new keys of the address. */
  constructor(fetch: (count: number) => Promise<readonly string[]>) {
    this.#fetch = fetch;
  }

  /** A key that nobody else gets. Throws what fetching throws. */
  take(): Promise<string> {
    const held = this.#held.pop();
    if (held !== undefined && held.untilMs > Date.now()) {
      return Promise.resolve(held.key);
    }
    this.#held = held === undefined ? this.#held : []; // the others are older
    return new Promise((take, fail) => {
      this.#waiting.push({ take, fail });
      this.#fetchSoon();
    });
  }

  /** Takes in a key that has not been used: a new one, or one of a write that was refused. */
  give(key: string): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#held.push({ key, untilMs: Date.now() + USABLE_MS });
    } else {
      next.take(key);
    }
  }

  /** Fetches keys before they are needed. */
  async prefetch(count: number): Promise<void> {
    for (let left = count; left > 0; left -= COUNT_MAX) {
      for (const key of await this.#fetch(Math.min(left, COUNT_MAX))) {
        this.give(key);
      }
    }
  }

  /** Forgets what is held, because it has expired before its time. */
  clear(): void {
    this.#held = [];
  }

  #fetchSoon(): void {
    if (this.#isFetching) {
      return;
    }
    this.#isFetching = true;
    // A turn later, when all those have come who were started together.
    void Promise.resolve().then(() => this.#fetchAll());
  }

  async #fetchAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      try {
        const keys = await this.#fetch(Math.min(this.#waiting.length, COUNT_MAX));
        if (keys.length === 0) {
          throw new Error("the ledger has answered no temporary key");
        }
        for (const key of keys) {
          this.give(key);
        }
      } catch (reason) {
        for (const { fail } of this.#waiting.splice(0)) {
          fail(reason);
        }
      }
    }
    this.#isFetching = false;
  }
}
