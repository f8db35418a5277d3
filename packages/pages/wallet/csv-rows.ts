import Papa from "papaparse";
import {
  type FieldFault,
  type Fields,
  initialTexts,
  type Reading,
  readFields,
  type Values,
} from "./operations/fields.ts";

export interface CsvRow {
  /** In the text, from 1, as an editor counts. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvLine {
  readonly line: number;
  readonly texts: Readonly<Record<string, string>>;
  readonly values: Values | undefined;
  readonly faults: Readonly<Record<string, FieldFault>>;
}

/** Further rows are not read; no operation takes as many. */
const ROWS_MAX = 5000;

/**
 * Non-empty rows. `first` finds the delimiter after the first cell, which has none of its own: a
 * comma may be that of decimals.
 */
export function csvRows(text: string, first: RegExp): readonly CsvRow[] {
  const { data } = Papa.parse<string[]>(text, {
    delimiter: first.exec(text)?.[1] ?? ",",
    preview: ROWS_MAX,
  });
  let next = 1;
  return data.flatMap((cells) => {
    const line = next;
    // Quoted cells may have several; a last \r belongs to the line end.
    next += cells
      .join("")
      .replace(/\r$/, "")
      .split(/\r\n|\r|\n/).length;
    const trimmed = cells.map((one) => one.trim());
    return trimmed.every((one) => one === "") ? [] : [{ line, cells: trimmed }];
  });
}

export function readCsvLine(
  { line, cells }: CsvRow,
  names: readonly string[],
  { columns, known }: { readonly columns: Fields; readonly known: Omit<Reading, "texts"> },
): CsvLine {
  const initial = initialTexts(columns, known.locale);
  const texts = Object.fromEntries(
    Object.keys(columns).map((name) => [name, cells[names.indexOf(name)] || (initial[name] ?? "")]),
  );
  // A comma before decimals makes a cell of its own.
  const isLonger = cells.slice(names.length).some((cell) => cell !== "");
  const read = isLonger
    ? { faults: { [names.at(-1) ?? ""]: { what: "cells" } as const } }
    : readFields(columns, { texts, ...known });
  return "faults" in read
    ? { line, texts, values: undefined, faults: read.faults }
    : { line, texts, values: read.values, faults: {} };
}
