import type { UnitItem } from "@moneta/sdk";
import type { ReadonlySignal } from "@preact/signals";
import { moneta } from "./node.ts";
import { ReadOnce } from "./read-once.ts";

const items = new ReadOnce((mrc402id) => moneta.mrc402({ mrc402id }));

/**
 * A multi-unit item, for listings of its units. Views that show changing members, such as its
 * offers, read it themselves.
 */
export function unitItemOf(id: string): ReadonlySignal<UnitItem | undefined> {
  return items.of(id);
}
