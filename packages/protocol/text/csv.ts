export const CSV_CONTENT_TYPE = "text/csv; charset=utf-8; header=present";

const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;

const FORMULA = /^[=+\-@\t\r]/;

/** Users write some texts: one that may run as a formula gets an apostrophe. Source: chain §10. */
export function csvLine(cells: readonly unknown[]): string {
  return lineOf(cells, (text) => !FORMULA.test(text));
}

export function signedCsvLine(cells: readonly unknown[]): string {
  return lineOf(cells, (text) => !FORMULA.test(text) || NUMBER.test(text));
}

export type PeoplesCell =
  | { readonly plain: string }
  /** `isFree`: a spreadsheet may read it as a number or date. */
  | { readonly text: string; readonly isFree?: boolean };

/** Spreadsheets round numbers with more digits. */
const EXACT_DIGITS_MAX = 15;
/** The longest text in a formula of spreadsheets. */
const FORMULA_TEXT_MAX = 255;
/** Where a cell may begin with a formula if a program splits at other marks. */
const FORMULA_ANYWHERE = /(?=[=+\-@＝＋－＠\t\r])(?<=(?:^|[;,|\t\r\n])"*)/g;

/**
 * As `csvLine`, also after marks that split. `isExact` makes long numbers and free texts `="007"`,
 * which spreadsheets do not change. Source: chain §10.
 */
export function peoplesCsvLine(cells: readonly PeoplesCell[], isExact: boolean): string {
  const texts = cells.map((cell) => {
    const text = "plain" in cell ? cell.plain : cell.text.replace(FORMULA_ANYWHERE, "'");
    const isChanged =
      "plain" in cell
        ? NUMBER.test(text) && text.replace(/[^0-9]/g, "").length > EXACT_DIGITS_MAX
        : cell.isFree === true && text !== "" && text.length <= FORMULA_TEXT_MAX;
    return isExact && isChanged && !/[\r\n]/.test(text) ? `="${text.replaceAll('"', '""')}"` : text;
  });
  return lineOf(texts, () => true);
}

function lineOf(cells: readonly unknown[], isHarmless: (text: string) => boolean): string {
  return `${cells.map((cell) => csvCell(cell, isHarmless)).join(",")}\r\n`;
}

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
