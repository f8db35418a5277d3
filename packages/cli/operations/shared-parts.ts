import type { Members, Params } from "../session/session.ts";
import type { Row } from "./row.ts";

/** Every command has --url. */
export const PAGE_URL = { url: "page-url" } as const;

export const SMALLEST_UNITS = "Amounts in JSON are integers of the smallest unit, as texts.";

/** Source: mrc401 §2.6. */
export const FEES_OF_SALES =
  "Fees and commissions are paid on sales and auctions, not on transfers, alone or in a group.";

export const changedItems = {
  args: ["id"],
  titles: { id: "item" },
  element: { list: "itemdata", without: ["item_id"] },
  ifMissing: {
    mrc400id: {
      about: "that of the items, if their ids say it",
      ask: async (_, params) => projectOf(params),
    },
  },
} as const satisfies Partial<Row>;

/** The id of an item begins with that of its project. */
function projectOf({ id, itemdata = "[]" }: Params): string | undefined {
  let named: unknown = id;
  try {
    named ??= (JSON.parse(itemdata) as readonly Members[])[0]?.["id"];
  } catch {
    // The parser of the list reports its faults.
  }
  return typeof named === "string"
    ? named.split("_").slice(0, 2).join("_") || undefined
    : undefined;
}
