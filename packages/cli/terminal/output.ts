import { styleText } from "node:util";
import { visibleLines } from "./visible-text.ts";

type Style = "bold" | "dim" | "red" | "yellow";

/** What is printed to: the process, or what stands in its place. */
export interface Streams {
  readonly stdout: NodeJS.WritableStream & Partial<Pick<NodeJS.WriteStream, "isTTY" | "columns">>;
  readonly stderr: NodeJS.WritableStream & Partial<Pick<NodeJS.WriteStream, "isTTY">>;
}

/** What is said of something that went wrong: what it was, and what can be done. */
export interface Failure {
  readonly exitCode: number;
  readonly message: string;
  readonly hint?: string;
  /** What the ledger has said, for scripts. */
  readonly problem?: Readonly<Record<string, unknown>>;
}

/** Where results, notes and errors go: results to stdout, everything else to stderr. */
export class Output {
  /** Whether results are printed as one JSON value. */
  isJson = false;
  readonly #streams: Streams;

  constructor(streams: Streams = process) {
    this.#streams = streams;
  }

  /** Whether somebody reads the results in a terminal. */
  get isTerminal(): boolean {
    return this.#streams.stdout.isTTY === true;
  }

  /** How many columns a line of results may have; no bound where nobody reads along. */
  get width(): number {
    return this.isTerminal ? this.#streams.stdout.columns || 80 : Number.POSITIVE_INFINITY;
  }

  /** A result, in lines. */
  print(text: string): void {
    this.#streams.stdout.write(text.endsWith("\n") || text === "" ? text : `${text}\n`);
  }

  /** A result as it is. */
  printBytes(bytes: Uint8Array): void {
    this.#streams.stdout.write(bytes);
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
    this.#streams.stderr.write(`${text}\n`);
  }

  warn(text: string): void {
    this.note(`${this.#styled("yellow", "warning:", this.#streams.stderr)} ${text}`);
  }

  error(text: string): void {
    this.note(`${this.#styled("red", "moneta:", this.#streams.stderr)} ${text}`);
  }

  /** Why a command has failed, with what can be done: in words, or for scripts as one line of JSON, the last one on stderr. */
  fail({ exitCode, message, hint, problem }: Failure): void {
    if (this.isJson) {
      const error = { message, hint, exit_code: exitCode, ...problem };
      this.note(visibleLines(JSON.stringify({ error })));
      return;
    }
    this.error(message);
    if (hint !== undefined) {
      this.note(hint);
    }
  }

  /** A text of the results in a style, on a terminal that wants it. */
  styled(style: Style, text: string): string {
    return this.isJson ? text : this.#styled(style, text, this.#streams.stdout);
  }

  #styled(style: Style, text: string, stream: Streams["stderr"]): string {
    const { NO_COLOR = "", TERM = "" } = process.env;
    return stream.isTTY && NO_COLOR === "" && TERM !== "dumb" && !this.isJson
      ? styleText(style, text, { validateStream: false })
      : text;
  }
}
