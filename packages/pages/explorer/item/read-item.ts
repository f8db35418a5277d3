import { type CallOptions, type Item, type Moneta, ProblemError, type UnitItem } from "@moneta/sdk";

/** An item's kind never changes. */
const haveUnits = new Map<string, boolean>();

/**
 * Reads an item of either kind. Its id does not show the kind: its newest record does, or a look-up
 * of both at a pruned node. Throws `6004` if there is none.
 */
export async function readItem(
  moneta: Moneta,
  id: string,
  options: CallOptions,
): Promise<Item | UnitItem> {
  const hasUnits =
    haveUnits.get(id) ?? (id.startsWith("MRC402_") || (await isOfUnits(moneta, id, options)));
  if (hasUnits !== undefined) {
    haveUnits.set(id, hasUnits);
  }
  try {
    return hasUnits === true
      ? await moneta.mrc402({ mrc402id: id }, options)
      : await moneta.mrc401({ mrc401id: id }, options);
  } catch (error) {
    if (hasUnits === undefined && error instanceof ProblemError && error.code === "6004") {
      return await moneta.mrc402({ mrc402id: id }, options);
    }
    throw error;
  }
}

async function isOfUnits(
  moneta: Moneta,
  id: string,
  options: CallOptions,
): Promise<boolean | undefined> {
  const { items } = await moneta.itemTransactions({ id, limit: 1 }, options);
  return items[0]?.type.startsWith("mrc402");
}
