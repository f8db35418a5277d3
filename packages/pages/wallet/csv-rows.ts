import Papa from "papaparse";

/** A row of a table that was pasted. */
export interface CsvRow {
  /** Where it begins in the text, from 1, as an editor counts. */
  readonly line: number;
  /** Without blanks around them. */
  readonly cells: readonly string[];
}

/** No operation takes nearly as many; what is behind them is not read. */
const ROWS_MAX = 5000;

/**
 * The rows of CSV or of cells of a spreadsheet that are not empty. The delimiter is what `first`
 * finds behind the first cell of a kind, which has none in it: a comma may be that of decimals.
 */
export function csvRows(text: string, first: RegExp): readonly CsvRow[] {
  const { data } = Papa.parse<string[]>(text, {
    delimiter: first.exec(text)?.[1] ?? ",",
    preview: ROWS_MAX,
  });
  let next = 1;
  return data.flatMap((cells) => {
    const line = next;
    // Quoted cells may have several; a last \r belongs to the end of the line.
    next += cells
      .join("")
      .replace(/\r$/, "")
      .split(/\r\n|\r|\n/).length;
    const trimmed = cells.map((one) => one.trim());
    return trimmed.every((one) => one === "") ? [] : [{ line, cells: trimmed }];
  });
}
