import { styleText } from "node:util";
import { visibleLines } from "./table.ts";

type Style = "bold" | "dim" | "red" | "yellow";

/** Where results, notes and errors go: results to stdout, everything else to stderr. */
export class Output {
  /** Whether results are printed as one JSON value. */
  isJson = false;

  /** How many columns a line of results may have; no bound where nobody reads along. */
  get width(): number {
    return process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
  }

  /** A result, in lines. */
  print(text: string): void {
    process.stdout.write(text.endsWith("\n") || text === "" ? text : `${text}\n`);
  }

  /** A result as it is. */
  printBytes(bytes: Uint8Array): void {
    process.stdout.write(bytes);
  }

  /** A value as JSON, integers of any size as texts. */
  printJson(value: unknown, indent = 2): void {
    const text = JSON.stringify(
      value,
      (_, each) => (typeof each === "bigint" ? `${each}` : each),
      indent,
    );
    this.print(visibleLines(text));
  }

  /** Something that helps who reads along and is no result. */
  note(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  warn(text: string): void {
    this.note(`${this.#styled("yellow", "warning:", process.stderr)} ${text}`);
  }

  error(text: string): void {
    this.note(`${this.#styled("red", "moneta:", process.stderr)} ${text}`);
  }

  /** A text of the results in a style, on a terminal that wants it. */
  styled(style: Style, text: string): string {
    return this.isJson ? text : this.#styled(style, text, process.stdout);
  }

  #styled(style: Style, text: string, stream: NodeJS.WriteStream): string {
    const { NO_COLOR = "", TERM = "" } = process.env;
    return stream.isTTY && NO_COLOR === "" && TERM !== "dumb" && !this.isJson
      ? styleText(style, text, { validateStream: false })
      : text;
  }
}
