import { type CsvLine, csvRows, readCsvLine } from "../csv-rows.ts";
import {
  entriesMax,
  type FieldFault,
  type Fields,
  fieldsOf,
  type Pair,
  type Reading,
  type Values,
} from "./fields.ts";
import { itemMembers, NEW_ITEM, TRANSFERABLE } from "./items.ts";

const ITEMS_MAX = entriesMax("mrc401create");

const BEHIND_TITLE = /^\s*?[^\n,;\t]+([,;\t])/;

/** Fields of one item, its number, and an auction. */
export const itemColumns = fieldsOf(
  "mrc401create[]",
  `${NEW_ITEM} item_id auction_start_price auction_token auction_bidding_unit auction_buynow_price auction_end auction_extend`,
  { transferable: TRANSFERABLE },
);

/** `attribute:level`, or `name` in short. */
const ATTRIBUTE = /^attribute:([^:]{1,64})$/;

function attributeOf(column: string): string | undefined {
  return column === "name" ? "name" : ATTRIBUTE.exec(column)?.[1];
}

function columnsOf(titles: readonly string[]): Fields {
  const attributes = titles.filter((title) => attributeOf(title) !== undefined);
  return {
    ...itemColumns,
    ...Object.fromEntries(attributes.map((title) => [title, { kind: "text", max: 256 } as const])),
  };
}

export interface ItemsCsv {
  readonly lines: readonly CsvLine[];
  readonly fault: FieldFault | undefined;
}

/**
 * CSV with column names, separated by commas, semicolons or tabs. `attribute:NAME` is an attribute.
 * Amounts are in decimals. Reads one line more than may be sent.
 */
export function readItemsCsv(csv: string, known: Omit<Reading, "texts">): ItemsCsv {
  const [head, ...all] = csvRows(csv.replace(/^\ufeff/, ""), BEHIND_TITLE);
  const names = head?.cells ?? [];
  const rows = all.slice(0, ITEMS_MAX + 1);
  const columns = columnsOf(names);
  const unknown = names.find(
    (name, index) => !Object.hasOwn(columns, name) || names.indexOf(name) < index,
  );
  const fault: FieldFault | undefined =
    unknown !== undefined
      ? { what: "column", text: unknown }
      : rows.length === 0
        ? { what: "missing" }
        : rows.length > ITEMS_MAX
          ? { what: "lines", max: ITEMS_MAX }
          : undefined;
  return { lines: rows.map((row) => readCsvLine(row, names, { columns, known })), fault };
}

export function isSendable({ lines, fault }: ItemsCsv): boolean {
  return (
    fault === undefined &&
    lines.every(({ values, faults }) => values !== undefined && Object.keys(faults).length === 0)
  );
}

export function itemdataOf({ lines }: ItemsCsv): readonly Values[] {
  return lines.flatMap(({ values }) => {
    if (values === undefined) {
      return [];
    }
    const { auction_token, ...cells } = values;
    const auction = cells["auction_start_price"] === undefined ? {} : { auction_token };
    const named = Object.entries(cells).flatMap(([title, value]): readonly Pair[] => {
      const key = attributeOf(title);
      return key === undefined || value === undefined ? [] : [{ key, value }];
    });
    const item = Object.fromEntries(
      Object.entries(cells).filter(([title]) => attributeOf(title) === undefined),
    );
    const attributes = [...((cells["attributes"] as readonly Pair[] | undefined) ?? []), ...named];
    const members = {
      ...itemMembers({ ...item, ...(attributes.length === 0 ? {} : { attributes }) }),
      ...auction,
    };
    return [Object.fromEntries(Object.entries(members).filter(([, one]) => one !== undefined))];
  });
}
