/** RFC 4180; the header line is always there. */
export const CSV_CONTENT_TYPE = "text/csv; charset=utf-8; header=present";

const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A line of a table with its line end, as RFC 4180 has it. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/**
 * A value as a cell; objects and arrays are JSON. Anybody may write what ends up here, a memo for
 * instance: what a spreadsheet would run as a formula gets an apostrophe before it. Numbers keep
 * their sign.
 */
function csvCell(value: unknown): string {
  const text =
    value === undefined || value === null
      ? ""
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value);
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
