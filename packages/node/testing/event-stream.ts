import assert from "node:assert/strict";
import { type ClientRequest, get, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { get as tlsGet } from "node:https";

export interface StreamEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

const WITHIN_MS = 120_000;

/**
 * A client of `GET /events` with its own socket: `using stream = await EventStream.open(url,
 * "address=...")`. It reads on demand.
 */
export class EventStream implements Disposable {
  readonly headers: IncomingHttpHeaders;
  readonly #request: ClientRequest;
  readonly #response: IncomingMessage;
  readonly #events: StreamEvent[] = [];
  #rest = "";
  #isEnded = false;
  #noted = Promise.withResolvers<void>();

  private constructor(request: ClientRequest, response: IncomingMessage) {
    this.#request = request;
    this.#response = response;
    this.headers = response.headers;
    response.setEncoding("utf8");
    response.on("data", (text: string) => this.#take(text));
    const end = (): void => {
      this.#isEnded = true;
      this.#note();
    };
    response.on("close", end);
    response.on("error", end);
  }

  static async open(
    url: string,
    query = "",
    headers: Readonly<Record<string, string>> = {},
  ): Promise<EventStream> {
    const where = `${url}/events${query === "" ? "" : `?${query}`}`;
    const options = { headers, agent: false, rejectUnauthorized: false };
    return await new Promise((resolve, reject) => {
      const request = (where.startsWith("https") ? tlsGet : get)(where, options, (response) => {
        if (response.statusCode === 200) {
          resolve(new EventStream(request, response));
        } else {
          request.destroy();
          reject(new Error(`${query}: ${response.statusCode}`));
        }
      });
      request.on("error", reject);
    });
  }

  /** The next event; fails if the stream ends before, or nothing comes. */
  async next(): Promise<StreamEvent> {
    const event = await this.nextOrEnd();
    assert.ok(event !== undefined, "the stream continues");
    return event;
  }

  /** The next event, undefined at the end of the stream. */
  async nextOrEnd(): Promise<StreamEvent | undefined> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#note();
    }, WITHIN_MS);
    while (this.#events.length === 0 && !this.#isEnded) {
      await this.#noted.promise;
      assert.ok(!isLate, "an event comes in time");
    }
    clearTimeout(timer);
    return this.#events.shift();
  }

  /** The next event that is no height, which comes by itself when nothing else does for 15 s. */
  async nextButHeights(): Promise<StreamEvent> {
    for (;;) {
      const event = await this.next();
      if (event.event !== "height") {
        return event;
      }
    }
  }

  async nextTransaction(): Promise<{ readonly id: string; readonly data: string }> {
    for (;;) {
      const { event, id, data } = await this.next();
      if (event === "transaction") {
        return { id: id as string, data };
      }
    }
  }

  async ids(count: number): Promise<string[]> {
    const ids: string[] = [];
    while (ids.length < count) {
      ids.push((await this.nextTransaction()).id);
    }
    return ids;
  }

  get waiting(): readonly StreamEvent[] {
    return this.#events;
  }

  get rest(): string {
    return this.#rest;
  }

  pause(): void {
    this.#response.pause();
  }

  resume(): void {
    this.#response.resume();
  }

  /** Pauses after every piece that has come, until the end of `using`: a client that works. */
  readPaced({ pauseMs }: { readonly pauseMs: number }): Disposable {
    const pause = (): void => {
      this.pause();
      setTimeout(() => this.resume(), pauseMs);
    };
    this.#response.on("data", pause);
    return { [Symbol.dispose]: () => void this.#response.off("data", pause) };
  }

  [Symbol.dispose](): void {
    this.#request.destroy();
  }

  #take(text: string): void {
    // A part of a long event is not searched again with each of its pieces.
    if (!text.includes("\n\n") && !(this.#rest.endsWith("\n") && text.startsWith("\n"))) {
      this.#rest += text;
      return;
    }
    const blocks = (this.#rest + text).split("\n\n");
    this.#rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = new Map(
        block.split("\n").map((line): [string, string] => {
          const [name = "", ...value] = line.split(": ");
          return [name, value.join(": ")];
        }),
      );
      const data = fields.get("data");
      if (data !== undefined) {
        this.#events.push({ event: fields.get("event") ?? "message", id: fields.get("id"), data });
      }
    }
    this.#note();
  }

  #note(): void {
    this.#noted.resolve();
    this.#noted = Promise.withResolvers();
  }
}
