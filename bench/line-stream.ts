import { connect, type Socket } from "node:net";
import type { ConnectionEvents, Lane } from "./connection.ts";
import { message } from "./wire.ts";

const HEAD = message(
  "POST",
  "/batch",
  "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n",
);
const HEAD_END = Buffer.from("\r\n\r\n");
const LINE_END = Buffer.from("\r\n");
const LINE_FEED = 0x0a;
const NOTHING = Buffer.alloc(0);

export function chunkOf(line: string): Buffer {
  return Buffer.from(`${(line.length + 1).toString(16)}\r\n${line}\n\r\n`, "latin1");
}

/**
 * A stream of operations that several lanes share, each with one line under way. Its answers are in
 * the order of the lines.
 */
export class LineStream {
  readonly lanes: readonly Lane[];
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  readonly #sent: Lane[] = [];
  #raw: Buffer = NOTHING;
  #text: Buffer = NOTHING;
  #hasHead = false;
  #isClosing = false;

  private constructor(socket: Socket, lanes: number, events: ConnectionEvents) {
    this.#socket = socket;
    this.#events = events;
    this.lanes = Array.from({ length: lanes }, () => this.#lane());
  }

  static open(port: number, lanes: number, events: ConnectionEvents): Promise<LineStream> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port, noDelay: true });
      const stream = new LineStream(socket, lanes, events);
      socket.once("error", reject);
      socket.on("data", (bytes: Buffer) => stream.#receive(bytes));
      socket.once("connect", () => {
        socket.write(HEAD);
        resolve(stream);
        socket.once("error", events.onLost);
        socket.once("close", () => {
          if (!stream.#isClosing) {
            events.onLost(new Error("the service has closed a stream of operations"));
          }
        });
      });
    });
  }

  #lane(): Lane {
    const lane: Lane = {
      dueMs: 0,
      request: 0,
      send: (chunk) => {
        this.#sent.push(lane);
        this.#socket.write(chunk);
      },
      close: () => {
        this.#isClosing = true;
        this.#socket.destroy();
      },
    };
    return lane;
  }

  #receive(bytes: Buffer): void {
    this.#raw = this.#raw.length === 0 ? bytes : Buffer.concat([this.#raw, bytes]);
    if (!this.#hasHead) {
      const end = this.#raw.indexOf(HEAD_END);
      if (end === -1) {
        return;
      }
      const status = this.#raw.toString("latin1", 9, 12);
      if (status !== "200") {
        this.#events.onLost(new Error(`a stream of operations is refused with ${status}`));
        return;
      }
      this.#hasHead = true;
      this.#raw = this.#raw.subarray(end + HEAD_END.length);
    }
    this.#takeChunks();
    this.#takeLines();
  }

  #takeChunks(): void {
    const pieces = [this.#text];
    for (;;) {
      const sizeEnd = this.#raw.indexOf(LINE_END);
      const size = Number.parseInt(this.#raw.toString("latin1", 0, Math.max(0, sizeEnd)), 16);
      const start = sizeEnd + LINE_END.length;
      if (sizeEnd === -1 || this.#raw.length < start + size + LINE_END.length) {
        break;
      }
      pieces.push(this.#raw.subarray(start, start + size));
      this.#raw = this.#raw.subarray(start + size + LINE_END.length);
    }
    this.#text = Buffer.concat(pieces);
  }

  #takeLines(): void {
    let start = 0;
    for (let end = this.#text.indexOf(LINE_FEED); end !== -1; ) {
      const body = this.#text.subarray(start, end);
      // `{"status":200,`
      const status = Number(body.toString("latin1", 10, 13));
      this.#events.onAnswer(this.#sent.shift() as Lane, { status, body });
      start = end + 1;
      end = this.#text.indexOf(LINE_FEED, start);
    }
    this.#text = this.#text.subarray(start);
  }
}
