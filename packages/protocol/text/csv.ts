/** RFC 4180; the header line is always there. */
export const CSV_CONTENT_TYPE = "text/csv; charset=utf-8; header=present";

const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A line of a table with its line end, as RFC 4180 has it. Anybody may write what ends up here, a
 * memo for instance: what a spreadsheet might run as a formula gets an apostrophe before it.
 * Source: chain §10.
 */
export function csvLine(cells: readonly unknown[]): string {
  return lineOf(cells, (text) => !FORMULA.test(text));
}

/** The same for a table of amounts: numbers keep their sign. */
export function signedCsvLine(cells: readonly unknown[]): string {
  return lineOf(cells, (text) => !FORMULA.test(text) || NUMBER.test(text));
}

function lineOf(cells: readonly unknown[], isHarmless: (text: string) => boolean): string {
  return `${cells.map((cell) => csvCell(cell, isHarmless)).join(",")}\r\n`;
}

/** A value as a cell; objects and arrays are JSON. */
function csvCell(value: unknown, isHarmless: (text: string) => boolean): string {
  const text =
    value === undefined || value === null
      ? ""
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value);
  const harmless = isHarmless(text) ? text : `'${text}`;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
