import type { UnitItem } from "@moneta/sdk";
import type { ReadonlySignal } from "@preact/signals";
import { moneta } from "./node.ts";
import { ReadOnce } from "./read-once.ts";

const items = new ReadOnce((mrc402id) => moneta.mrc402({ mrc402id }));

/**
 * A multi-unit item as listings of its units name it. What changes often, such as its offers, is
 * read by those who show it.
 */
export function unitItemOf(id: string): ReadonlySignal<UnitItem | undefined> {
  return items.of(id);
}
