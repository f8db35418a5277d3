import type { Mrc401createRequest, Project } from "@moneta/sdk";
import { csvRows } from "../csv-rows.ts";
import {
  amount,
  type FieldFault,
  initialTexts,
  more,
  optional,
  type Reading,
  readFields,
  text,
  time,
  token,
  type Values,
} from "./fields.ts";
import { checkItem, itemElement, itemFields } from "./items.ts";

/** How many items one operation creates at most. Source: mrc401 §1.4 */
export const ITEMS_MAX = 100;

type ItemElement = Mrc401createRequest["itemdata"][number];

const BEHIND_TITLE = /^\s*?[^\n,;\t]+([,;\t])/;

/** The columns of a table of items: the fields of one item, its number, and an auction. */
export const itemColumns = {
  ...itemFields,
  item_id: optional(text(40)),
  auction_start_price: optional(amount({ field: "auction_token" })),
  auction_token: token(),
  auction_bidding_unit: optional(amount({ field: "auction_token" })),
  auction_buynow_price: optional(amount({ field: "auction_token" })),
  auction_end: more(optional(time())),
} as const;

type ItemRow = Values<typeof itemColumns>;

/** One line of the table: an item, or what is wrong with it. */
export interface CsvLine {
  /** As an editor counts. */
  readonly line: number;
  readonly texts: Readonly<Record<string, string>>;
  readonly values: ItemRow | undefined;
  /** By column. */
  readonly faults: Readonly<Record<string, FieldFault>>;
}

/** A table of items as it was read. */
export interface ItemsCsv {
  readonly lines: readonly CsvLine[];
  /** What is wrong with the table as a whole. */
  readonly fault: FieldFault | undefined;
}

/**
 * Reads items from CSV with the names of the columns in the first line, separated by commas,
 * semicolons or tabs. Amounts are in decimals of their token. Reads one line more than may be sent.
 */
export function readItemsCsv(
  csv: string,
  project: Project,
  known: Pick<Reading, "decimals" | "locale">,
): ItemsCsv {
  const [head, ...all] = csvRows(csv.replace(/^\ufeff/, ""), BEHIND_TITLE);
  const names = head?.cells ?? [];
  const rows = all.slice(0, ITEMS_MAX + 1);
  const unknown = names.find(
    (name, index) => !Object.hasOwn(itemColumns, name) || names.indexOf(name) < index,
  );
  const fault: FieldFault | undefined =
    unknown !== undefined
      ? { what: "column", text: unknown }
      : rows.length === 0
        ? { what: "missing" }
        : rows.length > ITEMS_MAX
          ? { what: "lines", max: ITEMS_MAX }
          : undefined;
  const initial = initialTexts(itemColumns, known.locale);
  const lines = rows.map(({ line, cells }): CsvLine => {
    const texts = Object.fromEntries(
      Object.keys(itemColumns).map((name) => [
        name,
        cells[names.indexOf(name)] || (initial[name] ?? ""),
      ]),
    );
    const read = readFields(itemColumns, { texts, ...known });
    if (cells.slice(names.length).some((cell) => cell !== "")) {
      // A comma before decimals makes a cell of its own.
      return {
        line,
        texts,
        values: undefined,
        faults: { [names.at(-1) ?? ""]: { what: "cells" } },
      };
    }
    return "faults" in read
      ? { line, texts, values: undefined, faults: read.faults }
      : { line, texts, values: read.values, faults: checkRow(read.values, project) };
  });
  return { lines: withoutRepeats(lines), fault };
}

function checkRow(row: ItemRow, project: Project): Readonly<Record<string, FieldFault>> {
  const { auction_start_price: start, auction_buynow_price: buyNow } = row;
  return start === undefined
    ? checkItem(row, { project })
    : row.sell_price !== undefined
      ? { auction_start_price: { what: "saleAndAuction" } }
      : row.transferable === "Bound"
        ? { auction_start_price: { what: "bound" } }
        : buyNow !== undefined && buyNow <= start
          ? { auction_buynow_price: { what: "notAbove" } }
          : checkItem({ ...row, sell_price: start, sell_token: row.auction_token }, { project });
}

/** An item number serves once. */
function withoutRepeats(lines: readonly CsvLine[]): readonly CsvLine[] {
  const seen = new Set<string>();
  return lines.map((one) => {
    const number = one.values?.item_id;
    const isRepeated = number !== undefined && seen.has(number);
    seen.add(number ?? "");
    return isRepeated
      ? { ...one, faults: { ...one.faults, item_id: { what: "twice", text: number } } }
      : one;
  });
}

/** Whether every line of the table is an item. */
export function isSendable({ lines, fault }: ItemsCsv): boolean {
  return (
    fault === undefined &&
    lines.every(({ values, faults }) => values !== undefined && Object.keys(faults).length === 0)
  );
}

/** The elements of `itemdata` that the lines mean. */
export function itemdataOf({ lines }: ItemsCsv): readonly ItemElement[] {
  return lines.flatMap(({ values }) => (values === undefined ? [] : [elementOf(values)]));
}

function elementOf({
  auction_start_price,
  auction_token,
  auction_bidding_unit,
  auction_buynow_price,
  auction_end,
  ...item
}: ItemRow): ItemElement {
  return {
    ...itemElement(item),
    ...(auction_start_price === undefined
      ? {}
      : {
          auction_start_price,
          auction_token,
          auction_bidding_unit,
          auction_buynow_price,
          auction_end,
        }),
  };
}
