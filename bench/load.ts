import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import { openCallers } from "./callers.ts";
import { type Answer, Connection, type ConnectionEvents, type Lane } from "./connection.ts";
import type { Payer } from "./requests.ts";

export interface Requests {
  readonly requests: readonly Buffer[];
  readonly after?: readonly number[];
  readonly operationsEach?: number;
  readonly payer?: Payer;
}

export interface LoadOptions extends Requests {
  readonly port: number;
  readonly connections: number;
  readonly secondsMax?: number;
  /** Open loop: operations are due at this even rate; latency counts from the due time. */
  readonly perSecond?: number;
  readonly onAnswer?: (request: number, body: Buffer) => void;
}

export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
}

export interface Load {
  readonly operations: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly latency: Latency;
  readonly failures: number;
  readonly firstFailure: string | undefined;
}

/**
 * Throws if a connection is lost or no response comes for 30 s; other statuses count as failures.
 */
export async function load(options: LoadOptions): Promise<Load> {
  return await new Run(options).toItsEnd();
}

export async function answers(port: number, requests: readonly Buffer[]): Promise<string[]> {
  const bodies: string[] = [];
  const { firstFailure } = await load({
    port,
    connections: 64,
    requests,
    onAnswer: (request, body) => {
      bodies[request] = body.toString();
    },
  });
  if (firstFailure !== undefined) {
    throw new Error(`the service answers ${firstFailure}`);
  }
  return bodies;
}

const STALL_MS = 30_000;
/** In a batch's response: one of its operations was refused. */
const PROBLEM = Buffer.from('"problem":');

class Run {
  readonly #options: LoadOptions;
  readonly #histogram: RecordableHistogram = createHistogram({ highest: 600e6, figures: 3 });
  readonly #ended = Promise.withResolvers<void>();
  #lanes: readonly Lane[] = [];
  #idle: Lane[] = [];
  readonly #isAnswered: Uint8Array;
  #toSend: number;
  #sent = 0;
  #answered = 0;
  #startMs = 0;
  #lastAnswerMs = 0;
  #failures = 0;
  #firstFailure: string | undefined;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#isAnswered = new Uint8Array(options.requests.length);
    this.#toSend = options.requests.length;
    // A connection may be lost before this promise has a handler.
    this.#ended.promise.catch(() => undefined);
  }

  async toItsEnd(): Promise<Load> {
    const { perSecond } = this.#options;
    let clock: NodeJS.Timeout | undefined;
    try {
      await this.#open({
        onAnswer: (lane, answer) => this.#take(lane, answer),
        onLost: this.#ended.reject,
      });
      this.#idle = [...this.#lanes];
      this.#startMs = performance.now();
      this.#lastAnswerMs = this.#startMs;
      clock = setInterval(() => this.#tick(), perSecond === undefined ? 100 : 1);
      this.#tick();
      await this.#ended.promise;
    } finally {
      clearInterval(clock);
      for (const lane of this.#lanes) {
        lane.close();
      }
    }
    return this.#result();
  }

  async #open(events: ConnectionEvents): Promise<void> {
    const { port, connections: count, payer } = this.#options;
    if (payer !== undefined) {
      this.#lanes = openCallers(port, payer, count, events);
      return;
    }
    const opening = Array.from({ length: count }, () => Connection.open(port, events));
    const opened = await Promise.allSettled(opening);
    this.#lanes = opened.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    await Promise.all(opening);
  }

  #tick(): void {
    const now = performance.now();
    if (this.#answered < this.#sent && now - this.#lastAnswerMs > STALL_MS) {
      this.#ended.reject(new Error(`no answer for ${STALL_MS / 1000} s`));
    }
    this.#pump(now);
  }

  #pump(now: number): void {
    const { secondsMax = Number.POSITIVE_INFINITY } = this.#options;
    if (now - this.#startMs > secondsMax * 1000) {
      this.#toSend = this.#sent;
    }
    while (this.#sent < this.#toSend) {
      const dueMs = this.#dueMs(this.#sent, now);
      const isDue = dueMs <= now && this.#hasWhatItNeeds(this.#sent);
      const connection = isDue ? this.#idle.pop() : undefined;
      if (connection === undefined) {
        return;
      }
      connection.dueMs = dueMs;
      connection.request = this.#sent;
      connection.send(this.#options.requests[this.#sent] as Buffer);
      this.#sent += 1;
    }
    if (this.#answered === this.#sent) {
      this.#ended.resolve();
    }
  }

  #hasWhatItNeeds(request: number): boolean {
    const earlier = this.#options.after?.[request] ?? -1;
    return earlier === -1 || this.#isAnswered[earlier] === 1;
  }

  #dueMs(request: number, now: number): number {
    const { perSecond, operationsEach = 1 } = this.#options;
    return perSecond === undefined
      ? now
      : this.#startMs + (request * operationsEach * 1000) / perSecond;
  }

  #take(connection: Lane, { status, body }: Answer): void {
    const now = performance.now();
    this.#histogram.record(Math.max(1, Math.round((now - connection.dueMs) * 1000)));
    this.#lastAnswerMs = now;
    this.#answered += 1;
    this.#isAnswered[connection.request] = 1;
    const { operationsEach = 1 } = this.#options;
    if (status === 200 && !(operationsEach > 1 && body.includes(PROBLEM))) {
      this.#options.onAnswer?.(connection.request, body);
    } else {
      this.#failures += 1;
      this.#firstFailure ??= `${status} ${body.toString()}`;
    }
    this.#idle.push(connection);
    this.#pump(now);
  }

  #result(): Load {
    const { operationsEach = 1 } = this.#options;
    const operations = (this.#answered - this.#failures) * operationsEach;
    const seconds = (this.#lastAnswerMs - this.#startMs) / 1000;
    const ms = (percentile: number) => this.#histogram.percentile(percentile) / 1000;
    return {
      operations,
      seconds,
      perSecond: operations / seconds,
      latency: {
        p50Ms: ms(50),
        p99Ms: ms(99),
        p999Ms: ms(99.9),
        maxMs: this.#histogram.max / 1000,
      },
      failures: this.#failures,
      firstFailure: this.#firstFailure,
    };
  }
}
