import { parseTemporaryKey } from "@moneta/protocol/client";

/** Keys last an hour by default, but nodes may have another setting. Source: conventions §5.1. */
const USABLE_MS = 300_000;
/** Source: conventions §5.1. */
const COUNT_MAX = 1000;

/** A signature with any other text is useless. */
export function isTemporaryKey(key: unknown): key is string {
  return typeof key === "string" && parseTemporaryKey(key) !== undefined;
}

/** Ledger time, Unix seconds; 0 if it is malformed. Source: accounts §7.3. */
export function expiresAt(key: string | undefined): number {
  return parseTemporaryKey(key ?? "")?.expiry ?? 0;
}

interface Held {
  readonly key: string;
  readonly untilMs: number;
}

interface Waiting {
  readonly take: (key: string) => void;
  readonly fail: (reason: unknown) => void;
}

/**
 * A write takes a key and puts back its response's; one request fetches keys for all pending
 * writes.
 */
export class TemporaryKeys {
  readonly #fetch: (count: number) => Promise<readonly string[]>;
  #held: Held[] = [];
  #waiting: Waiting[] = [];
  #isFetching = false;

  constructor(fetch: (count: number) => Promise<readonly string[]>) {
    this.#fetch = fetch;
  }

  /** A key that no other caller gets. Throws the errors of `fetch`. */
  take(): Promise<string> {
    const held = this.#held.pop();
    if (held !== undefined && held.untilMs > Date.now()) {
      return Promise.resolve(held.key);
    }
    this.#held = held === undefined ? this.#held : [];
    return new Promise((take, fail) => {
      this.#waiting.push({ take, fail });
      this.#fetchSoon();
    });
  }

  /** A new one, or that of a refused write. */
  give(key: string): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#held.push({ key, untilMs: Date.now() + USABLE_MS });
    } else {
      next.take(key);
    }
  }

  async prefetch(count: number): Promise<void> {
    for (let left = count; left > 0; left -= COUNT_MAX) {
      for (const key of await this.#fetch(Math.min(left, COUNT_MAX))) {
        this.give(key);
      }
    }
  }

  /** Drops all keys after one has expired early. */
  clear(): void {
    this.#held = [];
  }

  #fetchSoon(): void {
    if (this.#isFetching) {
      return;
    }
    this.#isFetching = true;
    // One turn later, so that one request serves all writes that started together.
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
