import { closeSync, openSync, readSync } from "node:fs";
import { WrongUse } from "../command-line/wrong-use.ts";

const CHUNK_BYTES = 65_536;

/** Reads a file, pipe or standard input (0); throws after more than `bytesMax` bytes. */
export function readAtMost(file: string | 0, bytesMax: number): Buffer {
  const descriptor = file === 0 ? 0 : openSync(file, "r");
  try {
    const chunks: Buffer[] = [];
    for (let length = 0; length <= bytesMax; ) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const read = readSync(descriptor, chunk);
      if (read === 0) {
        return Buffer.concat(chunks);
      }
      chunks.push(chunk.subarray(0, read));
      length += read;
    }
    throw new Error(`it has more than ${bytesMax} bytes`);
  } finally {
    if (descriptor !== 0) {
      closeSync(descriptor);
    }
  }
}

export const STANDARD_INPUT = "-";

/** As `readAtMost`, where `-` is standard input; throws a `WrongUse`. */
export function readGiven(file: string, bytesMax: number, what: string): Buffer {
  try {
    return readAtMost(file === STANDARD_INPUT ? 0 : file, bytesMax);
  } catch (thrown) {
    throw new WrongUse(`${what} cannot be read: ${whyUnreadable(thrown)}`);
  }
}

export function whyUnreadable(thrown: unknown): string {
  const { code, message } = thrown as NodeJS.ErrnoException;
  switch (code) {
    case "ENOENT":
      return "there is no such file";
    case "EISDIR":
      return "it is a directory";
    case "EACCES":
      return "you may not read it";
    default:
      return message;
  }
}
