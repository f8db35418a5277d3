import type { ServerResponse } from "node:http";

/** Lines are written in pieces of about so many characters, each when the one before has gone. */
const PIECE_LENGTH = 16 << 10;

/**
 * The lines of a continuing response. It knows the unread bytes, and since when nothing could be
 * written.
 */
export class AnswerLines {
  readonly #response: ServerResponse;
  readonly #onWritten: () => void;
  #waiting: string[] = [];
  #unreadBytes = 0;
  #isWriting = false;
  #isEnded = false;
  #progressMs: number = performance.now();

  /** `onWritten` is called after each piece, and when the client has gone. */
  constructor(response: ServerResponse, onWritten: () => void) {
    this.#response = response;
    this.#onWritten = onWritten;
    response.on("error", () => undefined); // "close" follows
    response.once("close", () => this.#drop());
  }

  /** Bytes that the system has not taken, because the client has not read earlier ones. */
  get unreadBytes(): number {
    return this.#unreadBytes;
  }

  /** When a piece was last written or begun, by `performance.now`. */
  get progressMs(): number {
    return this.#progressMs;
  }

  /** Whether the client has disconnected. */
  get isGone(): boolean {
    return this.#response.destroyed;
  }

  /** Adds a line, without its end. */
  add(line: string): void {
    if (!this.isGone) {
      this.#waiting.push(`${line}\n`);
      this.#unreadBytes += Buffer.byteLength(line) + 1;
      this.#write();
    }
  }

  /**
   * Ends the response after its last line; resolves when it has been written, or the client has
   * disconnected.
   */
  async end(): Promise<void> {
    this.#isEnded = true;
    this.#progressMs = performance.now();
    if (!this.isGone) {
      const closed = new Promise((resolve) => this.#response.once("close", resolve));
      this.#write();
      await closed;
    }
  }

  #write(): void {
    if (this.#isWriting || this.isGone) {
      return;
    }
    if (this.#waiting.length === 0) {
      if (this.#isEnded) {
        this.#response.end();
      }
      return;
    }
    let count = 0;
    for (let length = 0; count < this.#waiting.length && length < PIECE_LENGTH; count += 1) {
      length += (this.#waiting[count] as string).length;
    }
    const piece = Buffer.from(this.#waiting.splice(0, count).join(""));
    this.#isWriting = true;
    this.#progressMs = performance.now();
    this.#response.write(piece, () => {
      this.#isWriting = false;
      this.#unreadBytes -= piece.length;
      this.#progressMs = performance.now();
      this.#write();
      this.#onWritten();
    });
  }

  #drop(): void {
    this.#waiting = [];
    this.#onWritten();
  }
}
