import { isUtf8 } from "node:buffer";
import { type Refused, refuse } from "@moneta/protocol";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** A shorter line may always be kept. */
const SHORT_BYTES = 64 << 10;
const FIRST_BYTES = 4 << 10;

export interface LineLimits {
  /** A longer line is 9413. */
  readonly bytesMax: number;
  /** Once for a line, before more than 64 KiB of it are kept. */
  readonly onLong: () => Promise<void>;
}

/** A line that is too long is 9413; one that is not UTF-8 is 1006. Source: batches §1.2. */
export async function* ndjsonLines(
  chunks: AsyncIterable<Buffer>,
  { bytesMax, onLong }: LineLimits,
): AsyncGenerator<string | Refused, void, undefined> {
  const begun = new BegunLine();
  let isSkipping = false;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const line = isSkipping ? undefined : lineOf(begun.endWith(chunk, start, end), bytesMax);
      isSkipping = false;
      start = end + 1;
      if (line !== undefined) {
        yield line;
      }
    }
    const length = begun.length + chunk.length - start;
    if (isSkipping || chunk.length === start) {
      continue;
    }
    // The last byte may be half of a line's end.
    if (length > bytesMax + 1) {
      begun.clear();
      isSkipping = true;
      yield tooLong(bytesMax);
      continue;
    }
    if (begun.length <= SHORT_BYTES && length > SHORT_BYTES) {
      await onLong();
    }
    begun.add(chunk, start);
  }
  const last = isSkipping ? undefined : lineOf(begun.endWith(NOTHING, 0, 0), bytesMax);
  if (last !== undefined) {
    yield last;
  }
}

const NOTHING = Buffer.alloc(0);

/** Undefined for an empty line. */
function lineOf(bytes: Buffer, bytesMax: number): string | Refused | undefined {
  const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  if (end === 0) {
    return undefined;
  }
  const line = bytes.subarray(0, end);
  if (line.length > bytesMax) {
    return tooLong(bytesMax);
  }
  return isUtf8(line)
    ? line.toString()
    : refuse({ code: "1006", parameter: undefined, reason: "the line is no UTF-8" });
}

function tooLong(bytesMax: number): Refused {
  return refuse({ code: "9413", bytesMax, isLine: true });
}

/** A copy, because chunks of one byte would each keep the whole piece of received memory. */
class BegunLine {
  #bytes: Buffer = NOTHING;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(chunk: Buffer, start: number): void {
    const length = this.#length + chunk.length - start;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, length, FIRST_BYTES));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    chunk.copy(this.#bytes, this.#length, start);
    this.#length = length;
  }

  endWith(chunk: Buffer, start: number, end: number): Buffer {
    const rest = chunk.subarray(start, end);
    if (this.#length === 0) {
      return rest;
    }
    const line = Buffer.concat([this.#bytes.subarray(0, this.#length), rest]);
    this.clear();
    return line;
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > SHORT_BYTES) {
      this.#bytes = NOTHING;
    }
  }
}
