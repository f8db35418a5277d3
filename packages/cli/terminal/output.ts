import { once } from "node:events";
import { styleText } from "node:util";
import { visibleLines, visibleOutput } from "./visible-text.ts";

type Style = "bold" | "dim" | "red" | "yellow";

/**
 * The exit code if the reader of the results has gone before the end: that of SIGPIPE in shells.
 */
export const UNREAD = 128 + 13;

/** The output streams; those of the process by default. */
export interface Streams {
  readonly stdout: NodeJS.WritableStream & Partial<Pick<NodeJS.WriteStream, "isTTY" | "columns">>;
  readonly stderr: NodeJS.WritableStream & Partial<Pick<NodeJS.WriteStream, "isTTY">>;
}

/** An error, and advice for the user. */
export interface Failure {
  readonly exitCode: number;
  readonly message: string;
  readonly hint?: string;
  /** The problem of the ledger, for scripts. */
  readonly problem?: Readonly<Record<string, unknown>>;
}

/** Prints results to stdout, and notes and errors to stderr. */
export class Output {
  /** Whether results are printed as one JSON value. */
  isJson = false;
  /** Whether the command goes on without a reader of its results, because it changes something. */
  mustFinish = false;
  /** Called when the reader of the results has gone. */
  onUnread: () => void = () => undefined;
  #isUnread = false;
  readonly #streams: Streams;

  constructor(streams: Streams = process) {
    this.#streams = streams;
  }

  /** Whether results can no longer be written, usually because their reader has gone. */
  get isUnread(): boolean {
    return this.#isUnread;
  }

  noteUnread(): void {
    this.#isUnread = true;
    this.onUnread();
  }

  get isTerminal(): boolean {
    return this.#streams.stdout.isTTY === true;
  }

  /** Columns of the terminal; unbounded without one. */
  get width(): number {
    return this.isTerminal ? this.#streams.stdout.columns || 80 : Number.POSITIVE_INFINITY;
  }

  print(text: string): void {
    const shown = this.isTerminal ? visibleOutput(text) : text;
    this.#streams.stdout.write(shown.endsWith("\n") || shown === "" ? shown : `${shown}\n`);
  }

  /** Prints raw bytes. */
  printBytes(bytes: Uint8Array): void {
    this.#streams.stdout.write(bytes);
  }

  printJson(value: unknown, indent = 2): void {
    const text = JSON.stringify(
      value,
      (_, each) => (typeof each === "bigint" ? `${each}` : each),
      indent,
    );
    this.print(visibleLines(text));
  }

  /** Prints a result: as JSON with --json, else as a text and notes for people. */
  result(value: unknown, text: string, ...notes: readonly string[]): void {
    if (this.isJson) {
      this.printJson(value);
      return;
    }
    this.print(text);
    for (const note of notes) {
      this.note(note);
    }
  }

  /** Prints a note for people. */
  note(text: string): void {
    this.#streams.stderr.write(`${visibleOutput(text)}\n`);
  }

  /** Resolves when the reader of the results has taken most of them, or has gone. */
  async drained(): Promise<void> {
    const { stdout } = this.#streams;
    const isFull = "writableNeedDrain" in stdout && stdout.writableNeedDrain === true;
    if (isFull && !this.#isUnread) {
      await once(stdout, "drain").catch(() => undefined); // listeners of the stream get the error
    }
  }

  /**
   * Shows the progress of work on a terminal, of a total if known; without arguments it removes it.
   */
  progress(part?: { readonly done: number; readonly total: number | undefined }): void {
    const { stderr } = this.#streams;
    if (stderr.isTTY !== true || this.isJson) {
      return;
    }
    stderr.write(part === undefined ? CLEAR_LINE : `${CLEAR_LINE}${barOf(part)}`);
  }

  warn(text: string): void {
    this.note(`${this.#styled("yellow", "warning:", this.#streams.stderr)} ${text}`);
  }

  error(text: string): void {
    this.note(`${this.#styled("red", "moneta:", this.#streams.stderr)} ${text}`);
  }

  /** Prints why a command failed: as text, or with --json as the last line on stderr. */
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

  /** Styles a text for stdout if it is a terminal with colours. */
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

const CLEAR_LINE = "\r\u001b[K";
const BAR_WIDTH = 30;

function barOf(part: { readonly done: number; readonly total: number | undefined }): string {
  const { done, total } = part;
  if (total === undefined) {
    return `${done} answered`;
  }
  const share = total === 0 ? 1 : done / total;
  const bar = "#".repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH);
  return `[${bar}] ${done} of ${total}, ${Math.floor(share * 100)} %`;
}
