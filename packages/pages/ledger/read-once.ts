import { ProblemError } from "@moneta/sdk";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";

/** Things of one kind, each read when it is first shown, and kept while the page is open. */
export class ReadOnce<T> {
  readonly #read: (id: string) => Promise<T>;
  readonly #things = new Map<string, Signal<T | undefined>>();

  constructor(read: (id: string) => Promise<T>) {
    this.#read = read;
  }

  /**
   * A thing; undefined until it is known, and if there is none. After another failure, whoever
   * shows it next asks again.
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
    try {
      thing.value = await this.#read(id);
    } catch (error) {
      if (!(error instanceof ProblemError && error.status === 404)) {
        this.#things.delete(id);
      }
    }
  }
}
