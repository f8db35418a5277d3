import { type CallOptions, type Item, ProblemError, type UnitItem } from "@moneta/sdk";
import { moneta } from "../../ledger/node.ts";

/** Reads an item of either kind; both kinds have ids of the same form. Throws `6004` if neither is. */
export async function readItem(id: string, options: CallOptions): Promise<Item | UnitItem> {
  if (id.startsWith("MRC402_")) {
    return moneta.mrc402({ mrc402id: id }, options);
  }
  try {
    return await moneta.mrc401({ mrc401id: id }, options);
  } catch (error) {
    if (error instanceof ProblemError && error.code === "6004") {
      return moneta.mrc402({ mrc402id: id }, options);
    }
    throw error;
  }
}
