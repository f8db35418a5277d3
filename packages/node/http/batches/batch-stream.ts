import type { IncomingMessage, ServerResponse } from "node:http";
import { type AnyOperation, type Fault, Refused, readBatchLine } from "@moneta/protocol";
import { SHUTTING_DOWN } from "../../write-state.ts";
import { AnswerLines } from "./answer-lines.ts";
import { BatchRun, type BatchSurroundings, type ReadElement } from "./batch-run.ts";
import { ndjsonLines } from "./ndjson-lines.ts";
import { problemResult } from "./operation-result.ts";

/** Reading stops. Source: batches §1.2. */
const UNREAD_BYTES_MAX = 1 << 20;
const UNDER_WAY_LENGTH_MAX = 1 << 20;

/** How long a client may read nothing once the stream has been ended. */
const LINGER_MS = 10_000;

export interface StreamSurroundings
  extends Omit<BatchSurroundings, "isAbandoned" | "isCrowded" | "onResult"> {
  readonly operationOf: (name: string) => AnyOperation | undefined;
  readonly lineBytesMax: number;
  /** Without a line, or without writing. */
  readonly idleMs: number;
  /** Resolves when a long line may be held, with the function that releases it. */
  readonly holdLongLine: () => Promise<() => void>;
}

interface Held {
  readonly length: number;
  readonly release: (() => void) | undefined;
}

/** Reads when there is room for a line and its result. Source: batches §1.2. */
export class BatchStream {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #surroundings: StreamSurroundings;
  readonly #answers: AnswerLines;
  readonly #held: Held[] = [];
  #heldLength = 0;
  #releaseLongLine: (() => void) | undefined;
  /** If not because the request has ended. */
  #end: Fault | undefined;
  #isCut = false;
  #phase: "reading" | "answering" | "finishing" = "reading";
  #noLineSinceMs: number | undefined;
  #unreadSinceMs: number | undefined;
  #wake: () => void = () => undefined;

  constructor(
    { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
    surroundings: StreamSurroundings,
  ) {
    this.#request = request;
    this.#response = response;
    this.#surroundings = surroundings;
    this.#answers = new AnswerLines(response, () => this.#wake());
  }

  async answer(): Promise<void> {
    const wake = (): void => this.#wake();
    const events = ["readable", "end", "close", "error"] as const;
    for (const event of events) {
      this.#request.on(event, wake);
    }
    // Half-closing in the middle of the request counts as gone.
    this.#request.socket.once("end", wake);
    const run = new BatchRun({
      ...this.#surroundings,
      isAbandoned: () => this.#answers.isGone,
      isCrowded: () => false, // nothing is read while too much is unread
      onResult: (result) => this.#take(result),
    });
    const { count, stop } = await run.run(this.#elements());
    this.#releaseLongLine?.();
    this.#request.socket.off("end", wake);
    this.#request.off("readable", wake);
    // A line may have had the shutdown as its result.
    if (this.#end !== undefined && (this.#end !== SHUTTING_DOWN || stop === undefined)) {
      this.#answers.add(problemResult(count, this.#end));
    }
    this.#phase = "finishing";
    await this.#answers.end();
  }

  /** Ends a stalled stream, and every one when the node stops. */
  check(): void {
    const { idleMs, service } = this.#surroundings;
    const now = performance.now();
    const { progressMs } = this.#answers;
    if (this.#phase === "finishing") {
      if (now - progressMs > (this.#end === undefined ? idleMs : LINGER_MS)) {
        this.#response.destroy();
      }
    } else if (this.#phase === "answering") {
      return;
    } else if (service.isEnding()) {
      this.#endWith(SHUTTING_DOWN);
    } else if (now - (this.#noLineSinceMs ?? now) > idleMs) {
      this.#endWith({ code: "9408", reason: `No line came for ${idleMs / 1000} s.` });
    } else if (now - Math.max(this.#unreadSinceMs ?? now, progressMs) > idleMs) {
      const reason = `Nothing of the answers was read for ${idleMs / 1000} s: read while you write.`;
      this.#endWith({ code: "9408", reason });
    }
  }

  #endWith(fault: Fault): void {
    this.#end ??= fault;
    this.#wake();
  }

  async *#elements(): AsyncGenerator<ReadElement, void, undefined> {
    const { lineBytesMax: bytesMax, operationOf } = this.#surroundings;
    const lines = ndjsonLines(this.#chunks(), { bytesMax, onLong: () => this.#holdLongLine() });
    this.#noLineSinceMs = performance.now();
    for await (const line of lines) {
      this.#noLineSinceMs = undefined;
      if (this.#isOver()) {
        break; // the line may be cut
      }
      this.#hold(line);
      yield (index) => (line instanceof Refused ? line : readBatchLine(line, index, operationOf));
      await this.#room();
      if (this.#isOver()) {
        break;
      }
      this.#noLineSinceMs = performance.now();
    }
    this.#noLineSinceMs = undefined;
    this.#phase = "answering";
  }

  #isOver(): boolean {
    return this.#end !== undefined || this.#isCut;
  }

  /** Nothing is received while no more is requested. */
  async *#chunks(): AsyncGenerator<Buffer, void, undefined> {
    const request = this.#request;
    while (this.#end === undefined && !request.destroyed) {
      const chunk = request.read() as Buffer | null;
      if (chunk !== null) {
        yield chunk;
      } else if (request.readableEnded || (request.socket.readableEnded && !request.complete)) {
        break;
      } else {
        await this.#change();
      }
    }
    this.#isCut = !request.readableEnded;
  }

  async #room(): Promise<void> {
    while (this.#end === undefined && !this.#answers.isGone) {
      if (this.#answers.unreadBytes >= UNREAD_BYTES_MAX) {
        this.#unreadSinceMs ??= performance.now();
      } else if (this.#heldLength < UNDER_WAY_LENGTH_MAX) {
        break;
      }
      await this.#change();
    }
    this.#unreadSinceMs = undefined;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #holdLongLine(): Promise<void> {
    // That others keep long lines is not the client's fault.
    this.#noLineSinceMs = undefined;
    this.#releaseLongLine = await this.#surroundings.holdLongLine();
    this.#noLineSinceMs = performance.now();
  }

  #hold(line: string | Refused): void {
    const release = this.#releaseLongLine;
    this.#releaseLongLine = undefined;
    const length = line instanceof Refused ? 0 : line.length;
    if (line instanceof Refused) {
      release?.();
    }
    this.#heldLength += length;
    this.#held.push({ length, release: line instanceof Refused ? undefined : release });
  }

  #take(result: string): void {
    const { length, release } = this.#held.shift() as Held;
    this.#heldLength -= length;
    release?.();
    this.#answers.add(result);
    this.#wake();
  }
}
