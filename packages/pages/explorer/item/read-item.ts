import type { CallOptions, Item, UnitItem } from "@moneta/sdk";
import { moneta } from "../../ledger/node.ts";

/** Which of the items that were looked at consist of units; an item's kind never changes. */
const haveUnits = new Map<string, boolean>();

/**
 * Reads an item of either kind. Ids in a project do not tell the kind, so the item's newest record
 * does. Throws `6004` if there is no such item.
 */
export async function readItem(id: string, options: CallOptions): Promise<Item | UnitItem> {
  let hasUnits = haveUnits.get(id);
  if (hasUnits === undefined) {
    hasUnits = id.startsWith("MRC402_") || (await isOfUnits(id, options));
    haveUnits.set(id, hasUnits);
  }
  return hasUnits
    ? moneta.mrc402({ mrc402id: id }, options)
    : moneta.mrc401({ mrc401id: id }, options);
}

async function isOfUnits(id: string, options: CallOptions): Promise<boolean> {
  const { items } = await moneta.itemTransactions({ id, limit: 1 }, options);
  return items.some(({ type }) => type.startsWith("mrc402"));
}
