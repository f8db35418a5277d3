import type { LedgerReader, PlacedTransaction } from "@moneta/ledger";
import { recordParts } from "@moneta/protocol";
import { transactionText } from "../transaction-text.ts";
import { CHARACTERS_TOGETHER, candidates, TRANSACTIONS_TOGETHER } from "./candidates.ts";
import { type EventFilter, type ItemNames, RecordMatcher } from "./event-filter.ts";
import { heightEvent, transactionEvent } from "./event-text.ts";
import type { Delivery, FromEvents } from "./events-messages.ts";
import { FilterIndex } from "./filter-index.ts";
import type { ReadSnapshot } from "./read-snapshot.ts";

const LIVE_CHARACTERS = 256 * 1024;
const PAST_CHARACTERS = 64 * 1024;

interface Stream {
  readonly number: number;
  readonly matcher: RecordMatcher;
  /** The first one not considered; for a live stream, as of when it became live. */
  position: number;
  /** `waiting` for the client to read. */
  state: "past" | "waiting" | "live";
  eventMs: number;
}

/**
 * *Live* streams share one read of each transaction. Others read the past in turn, and become live
 * at the next live one: nothing is missed or repeated. Source: chain §11.
 */
export class EventFeed {
  readonly #readSnapshot: ReadSnapshot;
  readonly #post: (message: FromEvents) => void;
  readonly #heightAfterMs: number;
  readonly #schedule: () => void;
  readonly #namesOf: ItemNames;
  readonly #index: FilterIndex<Stream> = new FilterIndex();
  readonly #streams: Map<number, Stream> = new Map();
  readonly #live: Set<Stream> = new Set();
  readonly #perBlock: Set<Stream> = new Set();
  /** Longest waiting first. */
  readonly #past: Set<Stream> = new Set();
  #next: number;
  #isTaken = true;
  /** A thousand pieces at once would block the main thread for seconds. */
  #isPastTaken = true;

  /** `schedule` arranges a call of `turn`. */
  constructor(options: {
    readonly readSnapshot: ReadSnapshot;
    readonly namesOf: ItemNames;
    readonly post: (message: FromEvents) => void;
    readonly schedule: () => void;
    readonly heightAfterMs: number;
  }) {
    this.#readSnapshot = options.readSnapshot;
    this.#namesOf = options.namesOf;
    this.#post = options.post;
    this.#schedule = options.schedule;
    this.#heightAfterMs = options.heightAfterMs;
    this.#next = this.#readSnapshot(({ size }) => size);
  }

  open(number: number, filter: EventFilter, position: number): void {
    const matcher = new RecordMatcher(filter);
    const stream: Stream = {
      number,
      matcher,
      position,
      state: "past",
      eventMs: performance.now(),
    };
    this.#streams.set(number, stream);
    this.#past.add(stream);
    this.#schedule();
  }

  close(number: number): void {
    const stream = this.#streams.get(number);
    if (stream !== undefined) {
      this.#streams.delete(number);
      this.#past.delete(stream);
      this.#leaveLive(stream);
    }
  }

  /** From the unsent `from` on, a slow client reads the past at its own pace. */
  noteBehind(number: number, from: number): void {
    const stream = this.#streams.get(number);
    if (stream !== undefined) {
      if (stream.state === "live") {
        stream.position = Math.max(stream.position, from);
        this.#leaveLive(stream);
      }
      this.#past.delete(stream);
      stream.state = "waiting";
      this.#post({ kind: "heldBack", stream: number });
    }
  }

  noteDrained(number: number): void {
    const stream = this.#streams.get(number);
    if (stream?.state === "waiting") {
      stream.state = "past";
      this.#past.add(stream);
      this.#schedule();
    }
  }

  /** The main thread has taken the last `live` message. */
  noteTaken(): void {
    this.#isTaken = true;
    this.#schedule();
  }

  /** The client may not have read it. */
  notePastTaken(): void {
    this.#isPastTaken = true;
    this.#schedule();
  }

  turn(): void {
    this.#readSnapshot((reader) => {
      if (this.#live.size === 0) {
        this.#next = reader.size;
      } else if (this.#isTaken && this.#next < reader.size) {
        this.#sendNews(reader);
      }
      const [stream] = this.#past;
      if (stream !== undefined && this.#isPastTaken) {
        this.#sendPast(stream, reader);
      }
      const hasNews = this.#live.size > 0 && this.#isTaken && this.#next < reader.size;
      if (hasNews || (this.#past.size > 0 && this.#isPastTaken)) {
        this.#schedule();
      }
    });
  }

  /** To streams without an event for a while. Called periodically. */
  sendHeights(): void {
    const now = performance.now();
    const due = [...this.#streams.values()].filter(
      ({ state, eventMs }) => state !== "waiting" && now - eventMs >= this.#heightAfterMs,
    );
    if (due.length === 0) {
      return;
    }
    this.#readSnapshot((reader) => {
      const byPosition = Map.groupBy(due, ({ state, position }) =>
        state === "live" ? Math.max(this.#next, position) : position,
      );
      const deliveries = [...byPosition].map(([position, streams]): Delivery => {
        const considered = reader.placeOf(position - 1);
        return this.#delivery(heightEvent(considered), streams, now);
      });
      this.#post({ kind: "heights", from: this.#next, deliveries });
    });
  }

  #sendNews(reader: LedgerReader): void {
    const now = performance.now();
    const deliveries: Delivery[] = [];
    const end = Math.min(reader.size, this.#next + TRANSACTIONS_TOGETHER);
    let characters = 0;
    let charactersRead = 0;
    let next = this.#next;
    for (const placed of reader.transactionsFrom(next, end)) {
      const { number, id, block, record } = placed;
      const streams = this.#index.matching(number, recordParts(record), this.#namesOf);
      if (streams.length > 0) {
        const text = transactionEvent(id, transactionText(id, block, record));
        deliveries.push(this.#delivery(text, streams, now));
        characters += text.length;
      }
      if (this.#perBlock.size > 0 && isLastOfBlock(placed)) {
        const streams = [...this.#perBlock].filter(({ position }) => number >= position);
        const considered = { id, height: block.header.sn };
        deliveries.push(this.#delivery(heightEvent(considered), streams, now));
      }
      next = number + 1;
      charactersRead += record.length;
      if (characters >= LIVE_CHARACTERS || charactersRead >= CHARACTERS_TOGETHER) {
        break;
      }
    }
    // Last, so that a failure is retried.
    const from = this.#next;
    this.#next = next;
    if (deliveries.length > 0) {
      this.#isTaken = false;
      this.#post({ kind: "live", from, deliveries });
    }
  }

  #delivery(text: string, streams: readonly Stream[], now: number): Delivery {
    for (const stream of streams) {
      stream.eventMs = now;
    }
    return [text, streams.map(({ number }) => number)];
  }

  #sendPast(stream: Stream, reader: LedgerReader): void {
    const { matcher } = stream;
    let { position } = stream;
    let text = "";
    let events = 0;
    const { transactions, end } = candidates(reader, matcher, { from: position, to: this.#next });
    let isWhole = true;
    for (const placed of transactions) {
      const { id, block, record } = placed;
      if (matcher.matchesText(record, this.#namesOf)) {
        text += transactionEvent(id, transactionText(id, block, record));
        events += 1;
      }
      if (matcher.wantsBlocks && isLastOfBlock(placed)) {
        text += heightEvent({ id, height: block.header.sn });
        events += 1;
      }
      position = placed.number + 1;
      if (text.length >= PAST_CHARACTERS) {
        isWhole = false;
        break;
      }
    }
    this.#past.delete(stream);
    stream.position = isWhole ? Math.max(position, end()) : position;
    if (text !== "") {
      stream.eventMs = performance.now();
      this.#isPastTaken = false;
      this.#post({ kind: "past", stream: stream.number, text, events });
    }
    if (stream.position >= this.#next) {
      this.#goLive(stream);
    } else if (text === "") {
      this.#past.add(stream);
    } else {
      stream.state = "waiting";
    }
  }

  #leaveLive(stream: Stream): void {
    this.#perBlock.delete(stream);
    if (this.#live.delete(stream)) {
      this.#index.remove(stream);
    }
  }

  #goLive(stream: Stream): void {
    stream.state = "live";
    this.#live.add(stream);
    this.#index.add(stream);
    if (stream.matcher.wantsBlocks) {
      this.#perBlock.add(stream);
    }
    this.#schedule();
  }
}

function isLastOfBlock({ number, block }: PlacedTransaction): boolean {
  return number === block.header.size - 1;
}
