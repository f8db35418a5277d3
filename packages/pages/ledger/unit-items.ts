import { ProblemError, type UnitItem } from "@moneta/sdk";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { moneta } from "./node.ts";

const items = new Map<string, Signal<UnitItem | undefined>>();

/**
 * A multi-unit item as listings of its units name it; undefined until it is known. Read once while
 * the page is open: what changes often, such as its offers, is read by those who show it.
 */
export function unitItemOf(id: string): ReadonlySignal<UnitItem | undefined> {
  const known = items.get(id);
  if (known !== undefined) {
    return known;
  }
  const item = signal<UnitItem | undefined>(undefined);
  items.set(id, item);
  void load(id, item);
  return item;
}

async function load(id: string, item: Signal<UnitItem | undefined>): Promise<void> {
  try {
    item.value = await moneta.mrc402({ mrc402id: id });
  } catch (error) {
    if (!(error instanceof ProblemError && error.status === 404)) {
      items.delete(id); // whoever shows it next asks again
    }
  }
}
