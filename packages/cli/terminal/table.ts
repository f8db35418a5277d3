import type { Output } from "./output.ts";

export interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
  /** Of rows over several lines, those without it are dim; by default the first column. */
  readonly isMain?: boolean;
}

const GAP = "  ";

/**
 * Aligned rows with titles. Too wide rows and cells continue on further lines; nothing is cut.
 * Empty columns are omitted.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  output: Pick<Output, "width" | "styled">,
): string {
  const main = Math.max(
    0,
    columns.findIndex(({ isMain }) => isMain),
  );
  const lines = linesOf(measured(columns, rows), output.width);
  const print = (cells: (index: number) => string, isTitle: boolean): string =>
    lines
      .map((line, number) => {
        const text = line
          .map(({ index, width, isNumber }) => padded(cells(index), width, isNumber === true))
          .join(GAP)
          .trimEnd();
        const isWide = widthOf(text) + GAP.length > output.width;
        const behind = isWide ? wrapped(text.trim(), output.width, GAP) : `${GAP}${text}`;
        const whole = number === 0 ? text : behind;
        return isTitle
          ? output.styled("bold", whole)
          : whole.trim() === "" || line.some(({ index }) => index === main)
            ? whole
            : output.styled("dim", whole);
      })
      .filter((line) => line.trim() !== "")
      .join("\n");
  return [
    print((index) => columns[index]?.title ?? "", true),
    ...rows.map((row) => print((index) => row[index] ?? "", false)),
  ].join("\n");
}

/** Whether each row is one line. */
export function fits(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): boolean {
  return linesOf(measured(columns, rows), width).length <= 1;
}

function measured(columns: readonly Column[], rows: readonly (readonly string[])[]) {
  return columns
    .map((column, index) => ({
      ...column,
      index,
      width: Math.max(column.title.length, ...rows.map((row) => widthOf(row[index] ?? ""))),
    }))
    .filter(({ index }) => rows.some((row) => (row[index] ?? "") !== ""));
}

function linesOf<C extends { readonly width: number }>(
  columns: readonly C[],
  width: number,
): C[][] {
  const lines: C[][] = [];
  let used = 0;
  for (const column of columns) {
    if (lines.length === 0 || used + GAP.length + column.width > width) {
      used = lines.length === 0 ? column.width : GAP.length + column.width;
      lines.push([column]);
    } else {
      used += GAP.length + column.width;
      lines.at(-1)?.push(column);
    }
  }
  return lines;
}

export function wrapped(text: string, width: number, indent = ""): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer) <= width) {
      lines[lines.length - 1] = longer;
    } else {
      lines.push(`${indent}${word}`);
    }
  }
  return lines.join("\n");
}

export function keyValues(
  pairs: readonly (readonly [name: string, value: string])[],
  output: Pick<Output, "styled">,
): string {
  const width = Math.max(0, ...pairs.map(([name]) => name.length));
  return pairs
    .map(([name, value]) => {
      const text = value.replaceAll("\n", `\n${" ".repeat(width)}${GAP}`);
      return `${output.styled("dim", name.padEnd(width))}${GAP}${text}`.trimEnd();
    })
    .join("\n");
}

function padded(text: string, width: number, isNumber: boolean): string {
  const rest = " ".repeat(Math.max(0, width - widthOf(text)));
  return isNumber ? `${rest}${text}` : `${text}${rest}`;
}

/** In terminal columns, estimated by code points. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
