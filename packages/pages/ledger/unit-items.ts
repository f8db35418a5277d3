import type { UnitItem } from "@moneta/sdk";
import type { ReadonlySignal } from "@preact/signals";
import { moneta } from "./node.ts";
import { readOnce } from "./read-once.ts";

/**
 * A multi-unit item as listings of its units name it. What changes often, such as its offers, is
 * read by those who show it.
 */
export const unitItemOf: (id: string) => ReadonlySignal<UnitItem | undefined> = readOnce(
  (mrc402id) => moneta.mrc402({ mrc402id }),
);
