import { ProblemError } from "@moneta/sdk";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { onReconnect } from "./live.ts";

/** Doubled after each failure. */
const FIRST_PAUSE_MS = 1000;
/** Later only after the node was away. */
const REPEATS = 6;
const TOO_MANY = 429;

/** Each thing is read when it is first shown, and kept while the page is open. */
export class ReadOnce<T> {
  readonly #read: (id: string) => Promise<T>;
  readonly #things = new Map<string, Signal<T | undefined>>();

  constructor(read: (id: string) => Promise<T>) {
    this.#read = read;
  }

  /** Undefined until it is read, or if it does not exist. Other failures are repeated. */
  of(id: string): ReadonlySignal<T | undefined> {
    const known = this.#things.get(id);
    if (known !== undefined) {
      return known;
    }
    const thing = signal<T | undefined>(undefined);
    this.#things.set(id, thing);
    void this.#load(id, thing);
    return thing;
  }

  note(id: string, value: T): void {
    const thing = this.#things.get(id);
    if (thing === undefined) {
      this.#things.set(id, signal<T | undefined>(value));
    } else {
      thing.value ??= value;
    }
  }

  async #load(id: string, thing: Signal<T | undefined>): Promise<void> {
    for (let repeats = 0; ; repeats += 1) {
      try {
        thing.value ??= await this.#read(id);
        return;
      } catch (error) {
        if (error instanceof ProblemError && isFinal(error)) {
          return;
        }
      }
      await pause(repeats);
    }
  }
}

/** Whether the response would stay the same: missing, or malformed id. */
function isFinal({ status }: ProblemError): boolean {
  return status < 500 && status !== TOO_MANY;
}

async function pause(repeats: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer =
      repeats < REPEATS ? setTimeout(() => end(), FIRST_PAUSE_MS * 2 ** repeats) : undefined;
    const stop = onReconnect(() => end());
    const end = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
  });
}
