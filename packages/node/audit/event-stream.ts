/** A server-sent event. Source: WHATWG HTML, "Server-sent events". */
export interface ServerSentEvent {
  readonly event: string;
  /** The last id received. */
  readonly id: string;
  readonly data: string;
}

/** Parses an event stream from pieces cut anywhere. */
export class EventStreamParser {
  readonly #lengthMax: number;
  #rest = "";
  #event = "";
  #id = "";
  #data: string[] = [];
  #dataLength = 0;

  /** `max` is the longest event, characters; a longer one throws. */
  constructor(lengthMax: number) {
    this.#lengthMax = lengthMax;
  }

  /** Returns the events that end in this piece. */
  *push(piece: string): Iterable<ServerSentEvent> {
    if (!piece.includes("\n")) {
      // Parsed only at its end: otherwise each piece would read a long line again.
      this.#keep(this.#rest + piece);
      return;
    }
    const lines = (this.#rest + piece).split("\n");
    this.#keep(lines.pop() as string);
    for (const line of lines) {
      const event = this.#take(line.endsWith("\r") ? line.slice(0, -1) : line);
      if (event !== undefined) {
        yield event;
      }
    }
  }

  #keep(rest: string): void {
    if (rest.length > this.#lengthMax) {
      throw new RangeError("the line does not end");
    }
    this.#rest = rest;
  }

  #take(line: string): ServerSentEvent | undefined {
    if (line === "") {
      const event = { event: this.#event, id: this.#id, data: this.#data.join("\n") };
      const isEvent = this.#data.length > 0;
      this.#event = "";
      this.#data = [];
      this.#dataLength = 0;
      return isEvent ? event : undefined;
    }
    const [, field, value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === "event") {
      this.#event = value;
    } else if (field === "id") {
      this.#id = value;
    } else if (field === "data") {
      this.#dataLength += value.length;
      if (this.#dataLength > this.#lengthMax) {
        throw new RangeError("the event does not end");
      }
      this.#data.push(value);
    }
    return undefined;
  }
}
