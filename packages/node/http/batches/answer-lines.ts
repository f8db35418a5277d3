import type { ServerResponse } from "node:http";

const PIECE_LENGTH = 16 << 10;

export class AnswerLines {
  readonly #response: ServerResponse;
  readonly #onWritten: () => void;
  #waiting: string[] = [];
  #unreadBytes = 0;
  #isWriting = false;
  #isEnded = false;
  #progressMs: number = performance.now();

  /** After each piece, and when the client has gone. */
  constructor(response: ServerResponse, onWritten: () => void) {
    this.#response = response;
    this.#onWritten = onWritten;
    response.on("error", () => undefined); // "close" follows
    response.once("close", () => this.#drop());
  }

  get unreadBytes(): number {
    return this.#unreadBytes;
  }

  /** When a piece was last written or begun, by `performance.now`. */
  get progressMs(): number {
    return this.#progressMs;
  }

  get isGone(): boolean {
    return this.#response.destroyed;
  }

  add(line: string): void {
    if (!this.isGone) {
      this.#waiting.push(`${line}\n`);
      this.#unreadBytes += Buffer.byteLength(line) + 1;
      this.#write();
    }
  }

  /** Resolves when all has been written, or the client has disconnected. */
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
