import type { UnitItem } from "@moneta/sdk";
import type { ReadonlySignal } from "@preact/signals";
import { moneta } from "./node.ts";
import { ReadOnce } from "./read-once.ts";

const items = new ReadOnce((mrc402id) => moneta.mrc402({ mrc402id }));

/** For listings. Views that show changing members read them themselves. */
export function unitItemOf(id: string): ReadonlySignal<UnitItem | undefined> {
  return items.of(id);
}
