import { ProblemError } from "@moneta/sdk";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { onReconnect } from "./live.ts";

/** The pause before a failed reading is repeated is doubled each time. */
const FIRST_PAUSE_MS = 1000;
/** So often; then whenever the node was away and is back. */
const REPEATS = 6;
const TOO_MANY = 429;

/** Things of one kind, each read when it is first shown, and kept while the page is open. */
export class ReadOnce<T> {
  readonly #read: (id: string) => Promise<T>;
  readonly #things = new Map<string, Signal<T | undefined>>();

  constructor(read: (id: string) => Promise<T>) {
    this.#read = read;
  }

  /**
   * An entry; undefined until it is read, and if it does not exist. A reading that has failed
   * otherwise is repeated, or an id, or an amount in the smallest unit, would stay for ever.
   */
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

  /** Keeps a thing that was read for something else. */
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

/**
 * Whether a node would respond the same again: the entry does not exist, or its id is malformed.
 */
function isFinal({ status }: ProblemError): boolean {
  return status < 500 && status !== TOO_MANY;
}

/** Waits until a reading may succeed that was repeated so often. */
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
