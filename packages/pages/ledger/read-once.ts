import { ProblemError } from "@moneta/sdk";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";

/**
 * Reads each thing when it is first shown, and keeps it while the page is open. Undefined until it
 * is known, and if there is none. After another failure, whoever shows it next asks again.
 */
export function readOnce<T>(
  read: (id: string) => Promise<T>,
): (id: string) => ReadonlySignal<T | undefined> {
  const things = new Map<string, Signal<T | undefined>>();
  const load = async (id: string, thing: Signal<T | undefined>): Promise<void> => {
    try {
      thing.value = await read(id);
    } catch (error) {
      if (!(error instanceof ProblemError && error.status === 404)) {
        things.delete(id);
      }
    }
  };
  return (id) => {
    const known = things.get(id);
    if (known !== undefined) {
      return known;
    }
    const thing = signal<T | undefined>(undefined);
    things.set(id, thing);
    void load(id, thing);
    return thing;
  };
}
