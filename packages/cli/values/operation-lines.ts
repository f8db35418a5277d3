import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { BatchWrite } from "@moneta/sdk";
import { WrongUse } from "../command-line/wrong-use.ts";
import { STANDARD_INPUT, whyUnreadable } from "../session/bounded-file.ts";
import { exactNumber, whyNoJson } from "./exact-number.ts";

/** The longest line that a node takes. Source: batches §1.2. */
const LINE_BYTES_MAX = 4 << 20;
/** Read, signed and stored together. */
export const LINES_TOGETHER = 500;
export const LINE_FEED = 0x0a;

export interface OperationLine {
  /** From 1. */
  readonly number: number;
  readonly hash: string;
  readonly write: BatchWrite & { readonly operation: string };
}

export interface WrongLine {
  readonly number: number;
  readonly wrong: string;
}

/**
 * The operations of a file or standard input (`-`), one JSON object a line, in pieces of at most
 * 500. Keeps one piece and one line. Throws a `WrongUse` if it cannot be read.
 */
export async function* operationLines(
  file: string,
): AsyncGenerator<readonly (OperationLine | WrongLine)[], void, undefined> {
  let number = 0;
  for await (const texts of textLines(piecesOf(file))) {
    const lines: (OperationLine | WrongLine)[] = [];
    for (const line of texts) {
      number += 1;
      // Some editors put a byte order mark first.
      const text = number === 1 ? line?.replace(/^\ufeff/, "") : line;
      if (text === undefined) {
        lines.push({ number, wrong: `it has more than ${LINE_BYTES_MAX} bytes` });
      } else if (text.trim() !== "") {
        lines.push(lineOf(text, number));
      }
    }
    for (let first = 0; first < lines.length; first += LINES_TOGETHER) {
      yield lines.slice(first, first + LINES_TOGETHER);
    }
  }
}

/** The lines that end in each piece; undefined for too long ones. */
export async function* textLines(
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<readonly (string | undefined)[], void, undefined> {
  let begun: Buffer[] = [];
  let length = 0;
  const add = (bytes: Buffer): void => {
    length += bytes.length;
    begun = length > LINE_BYTES_MAX + 1 ? [] : [...begun, bytes];
  };
  const end = (): string | undefined => {
    const isTooLong = length > LINE_BYTES_MAX + 1;
    const text = Buffer.concat(begun).toString().replace(/\r$/, "");
    begun = [];
    length = 0;
    return isTooLong ? undefined : text;
  };
  for await (const piece of pieces) {
    const lines: (string | undefined)[] = [];
    let start = 0;
    for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, start)) {
      add(piece.subarray(start, at));
      lines.push(end());
      start = at + 1;
    }
    if (start < piece.length) {
      add(piece.subarray(start));
    }
    yield lines;
  }
  if (length > 0) {
    yield [end()];
  }
}

async function* piecesOf(file: string): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* file === STANDARD_INPUT ? process.stdin : createReadStream(file);
  } catch (thrown) {
    throw new WrongUse(`${file} cannot be read: ${whyUnreadable(thrown)}`);
  }
}

function lineOf(text: string, number: number): OperationLine | WrongLine {
  let write: unknown;
  try {
    write = JSON.parse(text, exactNumber);
  } catch (thrown) {
    return { number, wrong: whyNoJson(thrown as Error, text) };
  }
  const { operation, problem } = (write ?? {}) as Readonly<Record<string, unknown>>;
  if (operation === undefined && typeof problem === "string") {
    return { number, wrong: `its command has failed: ${problem}` };
  }
  if (typeof operation !== "string" || Array.isArray(write)) {
    return { number, wrong: 'it must be a JSON object with the name of an "operation"' };
  }
  const hash = createHash("sha256").update(text).digest("hex");
  return { number, hash, write: write as OperationLine["write"] };
}
