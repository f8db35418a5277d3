import Papa from "papaparse";

/** A row of a table that was pasted. */
export interface CsvRow {
  /** Where it begins in the text, from 1, as an editor counts. */
  readonly line: number;
  /** Without blanks around them. */
  readonly cells: readonly string[];
}

/** Rows from which the delimiter is guessed. */
const GUESSED_MAX = 100;
/** No operation takes nearly as many; what is behind them is not read. */
const ROWS_MAX = 5000;

/** The rows of CSV or of cells of a spreadsheet that are not empty. */
export function csvRows(text: string): readonly CsvRow[] {
  const guessed = Papa.parse<string[]>(text.trim(), {
    delimitersToGuess: [",", ";", "\t"],
    skipEmptyLines: "greedy",
    preview: GUESSED_MAX,
  });
  // Empty lines count, and would mislead the guess.
  const { data } = Papa.parse<string[]>(text, {
    delimiter: guessed.meta.delimiter,
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
