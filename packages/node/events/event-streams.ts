import type { ServerResponse } from "node:http";
import { ClientShares } from "../client-shares.ts";
import type { EventFilter } from "./event-filter.ts";
import { type Considered, droppedEvent, heightEvent, RETRY } from "./event-text.ts";
import type { EventsHandle } from "./events-handle.ts";
import type { Delivery, FromEvents } from "./events-messages.ts";

/** Why the node ends a stream. */
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

/** Characters that a client may not have read when the next events come. Source: chain §11.4. */
const WAITING_MAX = 1024 * 1024;
/**
 * The time in which a client must then read them: a block, or a node that catches up, makes more at
 * once than a client can read.
 */
const BEHIND_MS = 5000;
/** The time in which a client must read a piece of the past. */
const STALLED_MS = 120_000;
const LATE_STEP_MS = 1000;
/**
 * From this length on, sockets share the bytes of an event. For a text each socket makes its own,
 * which is faster for a short one, but takes 8 MB of memory a client for the longest.
 */
const SHARED_FROM = 64 * 1024;
/** A longer piece of the past is mostly a single event, 8 MB at most. */
const LONG_PIECE = 128 * 1024;
/**
 * Bytes of long pieces that clients may leave unread, half of it for one client, as of other long
 * responses: a hundred streams at one long transaction would take 1.6 GB.
 */
const LONG_PIECES_MAX = 256 << 20;
/** How long an ended stream may take to flush, so that it ends after a whole event. */
const LINGER_MS = 5000;
const LINGER_AT_SHUTDOWN_MS = 1000;

interface Stream {
  readonly number: number;
  readonly response: ServerResponse;
  /** The client by `clientOf`. */
  readonly client: string;
  /** Unread data because of which no more is sent; undefined if it is little. */
  unread: Unread | undefined;
  /** Characters of a long piece that may be unread. */
  longPiece: number;
  isEnded: boolean;
}

/**
 * A piece of the past; or so much that the stream is no longer live, which the events thread knows
 * once it has replied.
 */
interface Unread {
  readonly kind: "past" | "leaving" | "behind";
  readonly sinceMs: number;
}

export interface EventStreamsOptions {
  readonly thread: EventsHandle;
  /** Called for each dropped stream, with the characters that were unread. */
  readonly onDrop: (drop: {
    readonly reason: DropReason;
    readonly client: string;
    readonly waiting: number;
  }) => unknown;
  readonly onSent: (events: number) => unknown;
  /** By default 256 MiB. */
  readonly longPiecesMax?: number;
}

/**
 * The open event streams. The main thread has the sockets, the events thread finds their events.
 * Source: chain §11.
 */
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

  /** Streams whose connection is open. */
  get count(): number {
    return this.#streams.size;
  }

  countOf(client: string): number {
    return this.#counts.get(client) ?? 0;
  }

  /**
   * Begins a stream at the transaction with this running number; the head of the response is
   * written.
   */
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

  /** Ends all streams after a whole event. The caller opens no new ones. */
  end(): void {
    clearInterval(this.#lateTimer);
    for (const stream of this.#streams.values()) {
      this.#end(stream, LINGER_AT_SHUTDOWN_MS);
    }
  }

  /** Drops all streams, because this node's copy of the ledger does not continue. */
  dropAll(reason: Extract<DropReason, "diverged" | "refused">): void {
    for (const stream of this.#streams.values()) {
      this.#drop(stream, reason);
    }
  }

  /** Delivers a message of the events thread. */
  take(
    message: Extract<FromEvents, { readonly kind: "live" | "heights" | "past" | "heldBack" }>,
  ): void {
    switch (message.kind) {
      case "live":
        this.#deliver(message);
        // After the sockets could flush: readers of a large block are not slow.
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
        // In a later turn, because all waiting messages arrive at once.
        setImmediate(() => this.#thread.post({ kind: "pastTaken" }));
        break;
    }
  }

  /** A stream gets all of a message or nothing, so that its past begins where the message began. */
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
    // Before the reply of the events thread, events for a live stream may still arrive.
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

  /** Called when either side has closed the connection. */
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

/** Whether it has so much to read that it gets no new events. */
function isHeldBack({ unread }: Stream): boolean {
  return unread !== undefined && unread.kind !== "past";
}
