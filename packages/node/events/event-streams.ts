import type { ServerResponse } from "node:http";
import { ClientShares } from "../client-shares.ts";
import type { EventFilter } from "./event-filter.ts";
import { type Considered, droppedEvent, heightEvent, RETRY } from "./event-text.ts";
import type { EventsHandle } from "./events-handle.ts";
import type { Delivery, FromEvents } from "./events-messages.ts";

export const DROP_REASONS = ["slow", "stalled", "crowded", "diverged", "refused"] as const;
export type DropReason = (typeof DROP_REASONS)[number];

const EXPLAINED: Readonly<Record<DropReason, string>> = {
  slow: "more than 1 MiB was waiting, and not read within 5 s: come back with Last-Event-ID",
  stalled: "what was sent was not read within two minutes: come back with Last-Event-ID",
  crowded: "too many clients have not read what they were sent: come back with Last-Event-ID",
  diverged:
    "the log of this ledger is not what it was, and this node shows nothing until it is: 9006",
  refused: "this node has met a block that it refuses, and goes no further: use another one",
};

/** Characters that may be unread when the next events come. Source: chain §11.4. */
const WAITING_MAX = 1024 * 1024;
/** A block, or a node that catches up, makes more at once than a client can read. */
const BEHIND_MS = 5000;
const STALLED_MS = 120_000;
const LATE_STEP_MS = 1000;
/** Sockets share bytes: copies are faster when short, but up to 8 MB each. */
const SHARED_FROM = 64 * 1024;
/** Mostly a single event, 8 MB at most. */
const LONG_PIECE = 128 * 1024;
/** A hundred streams at one long transaction would take 1.6 GB. */
const LONG_PIECES_MAX = 256 << 20;
/** An ended stream then ends after a whole event. */
const LINGER_MS = 5000;
const LINGER_AT_SHUTDOWN_MS = 1000;

interface Stream {
  readonly number: number;
  readonly response: ServerResponse;
  readonly client: string;
  /** Because of which no more is sent. */
  unread: Unread | undefined;
  longPiece: number;
  isEnded: boolean;
}

/** `leaving`: the stream is no longer live once the events thread has replied. */
interface Unread {
  readonly kind: "past" | "leaving" | "behind";
  readonly sinceMs: number;
}

export interface EventStreamsOptions {
  readonly thread: EventsHandle;
  readonly onDrop: (drop: {
    readonly reason: DropReason;
    readonly client: string;
    readonly waiting: number;
  }) => unknown;
  readonly onSent: (events: number) => unknown;
  readonly longPiecesMax?: number;
}

/** The main thread has the sockets, the events thread finds events. Source: chain §11. */
export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #streams: Map<number, Stream> = new Map();
  readonly #counts: Map<string, number> = new Map();
  readonly #longPieces: ClientShares;
  readonly #thread: EventsHandle;
  #opened = 0;
  #lateTimer: NodeJS.Timeout | undefined;

  constructor(options: EventStreamsOptions) {
    this.#options = options;
    this.#thread = options.thread;
    this.#longPieces = new ClientShares(options.longPiecesMax ?? LONG_PIECES_MAX);
  }

  get count(): number {
    return this.#streams.size;
  }

  countOf(client: string): number {
    return this.#counts.get(client) ?? 0;
  }

  /** At the transaction with this running number; the head of the response is written. */
  open(
    response: ServerResponse,
    start: {
      readonly filter: EventFilter;
      readonly position: number;
      readonly considered: Considered;
      readonly client: string;
    },
  ): void {
    this.#opened += 1;
    const stream: Stream = {
      number: this.#opened,
      response,
      client: start.client,
      unread: undefined,
      longPiece: 0,
      isEnded: false,
    };
    this.#streams.set(stream.number, stream);
    this.#counts.set(stream.client, this.countOf(stream.client) + 1);
    response.on("drain", () => {
      this.#releasePiece(stream);
      this.#noteDrained(stream);
    });
    response.once("close", () => this.#forget(stream));
    response.on("error", () => undefined); // "close" follows
    response.write(RETRY + heightEvent(start.considered));
    this.#thread.post({
      kind: "open",
      stream: stream.number,
      filter: start.filter,
      position: start.position,
    });
    this.#lateTimer ??= setInterval(() => this.#dropLate(), LATE_STEP_MS).unref();
  }

  /** After a whole event. The caller opens no new ones. */
  end(): void {
    clearInterval(this.#lateTimer);
    for (const stream of this.#streams.values()) {
      this.#end(stream, LINGER_AT_SHUTDOWN_MS);
    }
  }

  /** This node's copy of the ledger does not continue. */
  dropAll(reason: Extract<DropReason, "diverged" | "refused">): void {
    for (const stream of this.#streams.values()) {
      this.#drop(stream, reason);
    }
  }

  take(
    message: Extract<FromEvents, { readonly kind: "live" | "heights" | "past" | "heldBack" }>,
  ): void {
    switch (message.kind) {
      case "live":
        this.#deliver(message);
        // Sockets could flush first: readers of a large block are not slow.
        setImmediate(() => this.#thread.post({ kind: "taken" }));
        break;
      case "heights":
        this.#deliver(message);
        break;
      case "heldBack":
        this.#noteHeldBack(message.stream);
        break;
      case "past":
        this.#deliverPast(message);
        // All waiting messages arrive in one turn.
        setImmediate(() => this.#thread.post({ kind: "pastTaken" }));
        break;
    }
  }

  /** All of a message or nothing: a stream's past begins where the message began. */
  #deliver({
    from,
    deliveries,
  }: {
    readonly from: number;
    readonly deliveries: readonly Delivery[];
  }): void {
    const took = new Set<number>();
    let sent = 0;
    for (const [text, numbers] of deliveries) {
      const event = text.length > SHARED_FROM && numbers.length > 1 ? Buffer.from(text) : text;
      for (const number of numbers) {
        const stream = this.#streams.get(number);
        if (stream === undefined || stream.isEnded || isHeldBack(stream)) {
          continue;
        }
        if (!took.has(number) && stream.response.writableLength > WAITING_MAX) {
          stream.unread = { kind: "leaving", sinceMs: performance.now() };
          this.#thread.post({ kind: "behind", stream: number, from });
        } else {
          took.add(number);
          stream.response.write(event);
          sent += 1;
        }
      }
    }
    this.#options.onSent(sent);
  }

  #noteHeldBack(number: number): void {
    const stream = this.#streams.get(number);
    if (stream?.unread?.kind === "leaving" && !stream.isEnded) {
      stream.unread = { kind: "behind", sinceMs: stream.unread.sinceMs };
      if (!stream.response.writableNeedDrain) {
        this.#noteDrained(stream);
      }
    }
  }

  #deliverPast(message: Extract<FromEvents, { readonly kind: "past" }>): void {
    const stream = this.#streams.get(message.stream);
    if (stream === undefined || stream.isEnded) {
      return;
    }
    const { text, events } = message;
    const longPiece = text.length > LONG_PIECE ? text.length : 0;
    if (longPiece > 0 && this.#longPieces.isOver(stream.client, longPiece)) {
      this.#drop(stream, "crowded");
      return;
    }
    this.#options.onSent(events);
    if (stream.response.write(text)) {
      this.#thread.post({ kind: "drained", stream: stream.number });
    } else {
      stream.unread = { kind: "past", sinceMs: performance.now() };
      stream.longPiece += longPiece;
      this.#longPieces.add(stream.client, longPiece);
    }
  }

  #releasePiece(stream: Stream): void {
    this.#longPieces.remove(stream.client, stream.longPiece);
    stream.longPiece = 0;
  }

  #noteDrained(stream: Stream): void {
    // Events for a live stream may arrive before the reply of the events thread.
    if (stream.unread !== undefined && stream.unread.kind !== "leaving" && !stream.isEnded) {
      stream.unread = undefined;
      this.#thread.post({ kind: "drained", stream: stream.number });
    }
  }

  #dropLate(): void {
    const now = performance.now();
    for (const stream of this.#streams.values()) {
      if (stream.unread !== undefined) {
        const waitedMs = now - stream.unread.sinceMs;
        if (stream.unread.kind === "past" && waitedMs > STALLED_MS) {
          this.#drop(stream, "stalled");
        } else if (isHeldBack(stream) && waitedMs > BEHIND_MS) {
          this.#drop(stream, "slow");
        }
      }
    }
  }

  #drop(stream: Stream, reason: DropReason): void {
    if (!stream.isEnded) {
      const waiting = stream.response.writableLength;
      stream.response.write(droppedEvent(EXPLAINED[reason]));
      this.#end(stream, LINGER_MS);
      this.#options.onDrop({ reason, client: stream.client, waiting });
    }
  }

  #end(stream: Stream, lingerMs: number): void {
    if (!stream.isEnded) {
      stream.isEnded = true;
      this.#thread.post({ kind: "close", stream: stream.number });
      stream.response.end();
      const timer = setTimeout(() => stream.response.destroy(), lingerMs);
      stream.response.once("close", () => clearTimeout(timer));
    }
  }

  #forget(stream: Stream): void {
    this.#releasePiece(stream);
    this.#streams.delete(stream.number);
    const left = this.countOf(stream.client) - 1;
    if (left > 0) {
      this.#counts.set(stream.client, left);
    } else {
      this.#counts.delete(stream.client);
    }
    if (!stream.isEnded) {
      stream.isEnded = true;
      this.#thread.post({ kind: "close", stream: stream.number });
    }
  }
}

function isHeldBack({ unread }: Stream): boolean {
  return unread !== undefined && unread.kind !== "past";
}
