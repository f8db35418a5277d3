import { gzipSync } from "node:zlib";
import { WholeFile } from "../data-directory/write-whole.ts";

/** Closes a gzip member; bounds the cost of reading one line. */
export const MEMBER_LENGTH = 256 << 10;

/** Offset and length in bytes; line 0 is the block's own. Source: proofs §4. */
export type Member = readonly [height: number, line: number, offset: number, bytes: number];

export class ChunkWriter implements Disposable {
  readonly #file: WholeFile;
  readonly #members: Member[] = [];
  #lines: string[] = [];
  #length = 0;
  #first: readonly [height: number, line: number] = [0, 0];
  #offset = 0;

  constructor(file: string) {
    this.#file = new WholeFile(file, 0o644);
  }

  add(height: number, lines: Iterable<string>): void {
    let number = 0;
    for (const line of lines) {
      if (this.#lines.length === 0) {
        this.#first = [height, number];
      }
      this.#lines.push(`${line}\n`);
      this.#length += line.length;
      if (this.#length >= MEMBER_LENGTH) {
        this.#close();
      }
      number += 1;
    }
  }

  /** Returns the text of the index. */
  finish(): string {
    this.#close();
    this.#file.finish();
    return `[${this.#members.map((member) => JSON.stringify(member)).join(",\n")}]\n`;
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }

  #close(): void {
    if (this.#lines.length > 0) {
      const member = gzipSync(this.#lines.join(""));
      this.#file.write(member);
      this.#members.push([...this.#first, this.#offset, member.length]);
      this.#offset += member.length;
      this.#lines = [];
      this.#length = 0;
    }
  }
}
