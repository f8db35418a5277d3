import { once } from "node:events";
import { styleText } from "node:util";
import { visibleLines, visibleOutput } from "./visible-text.ts";

type Style = "bold" | "dim" | "red" | "yellow";

/** Exit code if the reader has gone: that of SIGPIPE in shells. */
export const UNREAD = 128 + 13;

export interface Streams {
  readonly stdout: NodeJS.WritableStream & Partial<Pick<NodeJS.WriteStream, "isTTY" | "columns">>;
  readonly stderr: NodeJS.WritableStream & Partial<Pick<NodeJS.WriteStream, "isTTY">>;
}

export interface Failure {
  readonly exitCode: number;
  readonly message: string;
  readonly hint?: string;
  readonly problem?: Readonly<Record<string, unknown>>;
}

/** Results go to stdout, notes and errors to stderr. */
export class Output {
  isJson = false;
  /** Whether the command continues without a reader, because it changes something. */
  mustFinish = false;
  onUnread: () => void = () => undefined;
  #isUnread = false;
  readonly #streams: Streams;

  constructor(streams: Streams = process) {
    this.#streams = streams;
  }

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

  /** Unbounded without a terminal. */
  get width(): number {
    return this.isTerminal ? this.#streams.stdout.columns || 80 : Number.POSITIVE_INFINITY;
  }

  print(text: string): void {
    const shown = this.isTerminal ? visibleOutput(text) : text;
    this.#streams.stdout.write(shown.endsWith("\n") || shown === "" ? shown : `${shown}\n`);
  }

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

  /** JSON with --json, else text and notes. */
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

  note(text: string): void {
    this.#streams.stderr.write(`${visibleOutput(text)}\n`);
  }

  /** Resolves when the reader has taken most results, or has gone. */
  async drained(): Promise<void> {
    const { stdout } = this.#streams;
    const isFull = "writableNeedDrain" in stdout && stdout.writableNeedDrain === true;
    if (isFull && !this.#isUnread) {
      await once(stdout, "drain").catch(() => undefined); // listeners of the stream get the error
    }
  }

  /** Shows progress on a terminal; without arguments it removes it. */
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

  /** Only on a terminal with colours. */
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
