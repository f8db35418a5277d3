import { csvRows } from "../csv-rows.ts";
import {
  type FieldFault,
  type Fields,
  fieldsOf,
  initialTexts,
  type Pair,
  type Reading,
  readFields,
  type Values,
} from "./fields.ts";
import { itemMembers, NEW_ITEM, TRANSFERABLE } from "./items.ts";

/** How many items one operation creates at most. Source: mrc401 §1.4 */
export const ITEMS_MAX = 100;

const BEHIND_TITLE = /^\s*?[^\n,;\t]+([,;\t])/;

/** The columns of a table of items: the fields of one item, its number, and an auction. */
export const itemColumns = fieldsOf(
  "mrc401create[]",
  `${NEW_ITEM} item_id auction_start_price auction_token auction_bidding_unit auction_buynow_price auction_end auction_extend`,
  { transferable: TRANSFERABLE },
);

/** A column whose cells are the values of one attribute: `attribute:level`, or `name` in short. */
const ATTRIBUTE = /^attribute:([^:]{1,64})$/;

function attributeOf(column: string): string | undefined {
  return column === "name" ? "name" : ATTRIBUTE.exec(column)?.[1];
}

/** The columns of a table with such titles: those of every table, and its attributes. */
function columnsOf(titles: readonly string[]): Fields {
  const attributes = titles.filter((title) => attributeOf(title) !== undefined);
  return {
    ...itemColumns,
    ...Object.fromEntries(attributes.map((title) => [title, { kind: "text", max: 256 } as const])),
  };
}

/** One line of the table: an item, or what is wrong with it. */
export interface CsvLine {
  /** As an editor counts. */
  readonly line: number;
  readonly texts: Readonly<Record<string, string>>;
  readonly values: Values | undefined;
  /** By column. */
  readonly faults: Readonly<Record<string, FieldFault>>;
}

export interface ItemsCsv {
  readonly lines: readonly CsvLine[];
  /** What is wrong with the table as a whole. */
  readonly fault: FieldFault | undefined;
}

/**
 * Reads items from CSV with the names of the columns in the first line, separated by commas,
 * semicolons or tabs. Each column `attribute:NAME` is an attribute. Amounts are in decimals of their token. Reads one line more than may be sent.
 */
export function readItemsCsv(csv: string, known: Pick<Reading, "decimals" | "locale">): ItemsCsv {
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
  const initial = initialTexts(columns, known.locale);
  const lines = rows.map(({ line, cells }): CsvLine => {
    const texts = Object.fromEntries(
      Object.keys(columns).map((name) => [
        name,
        cells[names.indexOf(name)] || (initial[name] ?? ""),
      ]),
    );
    const read = readFields(columns, { texts, ...known });
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
      : { line, texts, values: read.values, faults: {} };
  });
  return { lines, fault };
}

/** Whether every line of the table is an item. */
export function isSendable({ lines, fault }: ItemsCsv): boolean {
  return (
    fault === undefined &&
    lines.every(({ values, faults }) => values !== undefined && Object.keys(faults).length === 0)
  );
}

/** The elements of `itemdata` that the lines mean. */
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
