import type { CallOptions } from "../call.ts";
import type { Ledger } from "../ledger.ts";
import { linesOf } from "../nodes/body.ts";
import { Doubt, meaningOf } from "../nodes/doubt.ts";
import { ProblemError, UnansweredError } from "../nodes/errors.ts";
import {
  errorOf,
  type Failure,
  failureOf,
  isOfNode,
  leavesOpen,
  mayPass,
  pause,
} from "../nodes/transport.ts";
import {
  type BatchWrite,
  elementOf,
  isResult,
  known,
  type OperationResult,
  type Outcome,
  outcomeOf,
  type Sent,
  sendElements,
} from "./batch.ts";
import type { SentWrite } from "./prepared-write.ts";

/** Writes without a returned result; also the size of a batch. */
const OPEN_MAX = 1000;
/** Bytes of their texts, unless one alone is longer. */
const OPEN_BYTES_MAX = 8 << 20;
/** How long a stream without writes is kept open. */
const IDLE_MS = 10_000;
const RETRY_AFTER_MS = 1000;
const LONGEST_PAUSE_MS = 5000;

type Written = SentWrite | ProblemError;

interface Slot {
  readonly sent: Sent;
  result: Outcome | undefined;
}

/** See `Moneta.batchStream`. */
export async function* sendBatchStream(
  ledger: Ledger,
  writes: Iterable<BatchWrite> | AsyncIterable<BatchWrite>,
  options: CallOptions,
): AsyncGenerator<Written, void, undefined> {
  const outbox = new Outbox(writes, ledger, await ledger.id());
  const { nodes } = ledger.transport;
  let doubt = new Doubt();
  try {
    if (!streamsBothWays()) {
      yield* outbox.inBatches(options);
    }
    for (let failures = 0; await outbox.hasMore(); ) {
      const stream = new WriteStream(ledger, outbox, options);
      let pauseMs = 0;
      try {
        for await (const result of stream.results()) {
          failures = 0;
          doubt = new Doubt();
          yield result;
        }
        const { refusal } = stream;
        if (refusal !== undefined) {
          failures += 1;
          doubt.note(refusal);
          if (doubt.isSpent(failures, ledger.transport)) {
            outbox.giveUp(refusal);
            yield* outbox.finished();
          }
          if (isOfNode(refusal)) {
            nodes.leave(stream.url);
          }
          pauseMs = stream.retryAfterMs;
        }
      } catch (thrown) {
        options.signal?.throwIfAborted();
        if (thrown instanceof UnansweredError) {
          throw thrown;
        }
        failures += 1;
        const failure: Failure = stream.notTaken ?? { cause: thrown };
        const { problem, retryAfterMs } = failure;
        // If the node has too many streams, batches do the same without waiting.
        const mayStream = problem === undefined || (mayPass(problem) && problem.code !== "9002");
        if (!mayStream && failures >= nodes.urls.length) {
          yield* outbox.inBatches(options);
          return;
        }
        stream.assertRepeatable(failure, doubt.isSpent(failures, ledger.transport));
        nodes.leave(stream.url);
        pauseMs = retryAfterMs ?? Math.min(100 * 2 ** failures, LONGEST_PAUSE_MS);
      }
      if (nodes.isRoundOver(failures)) {
        await pause(pauseMs, options.signal);
      }
    }
  } finally {
    await outbox.close();
  }
}

/** Node, Deno and Bun do; in browsers this request would not end. */
function streamsBothWays(): boolean {
  const { window, process } = globalThis as {
    readonly window?: unknown;
    readonly process?: { readonly versions?: { readonly node?: string } };
  };
  return process?.versions?.node !== undefined && window === undefined;
}

/** The writes of the caller, and those whose results have not been returned. */
class Outbox {
  readonly #ledger: Ledger;
  readonly #ledgerId: string;
  readonly #source: AsyncIterator<BatchWrite>;
  #next: Promise<IteratorResult<BatchWrite>> | undefined;
  #filling: Promise<boolean> | undefined;
  #isDone = false;
  #failure: { readonly thrown: unknown } | undefined;
  readonly #slots: Slot[] = [];
  #openBytes = 0;
  #unsent = 0;
  #onChange: () => void = () => undefined;

  constructor(
    writes: Iterable<BatchWrite> | AsyncIterable<BatchWrite>,
    ledger: Ledger,
    ledgerId: string,
  ) {
    this.#ledger = ledger;
    this.#ledgerId = ledgerId;
    this.#source = (async function* () {
      yield* writes;
    })();
  }

  /** Throws errors of the caller's iteration. */
  async hasMore(): Promise<boolean> {
    if (this.#slots.length > 0) {
      return true;
    }
    if (this.#failure !== undefined) {
      throw this.#failure.thrown;
    }
    return !this.#isDone && (await this.#peek()).done !== true;
  }

  rewind(): void {
    this.#unsent = 0;
  }

  /** Undefined if there is none for some time, or `isOver`. */
  async take(isOver: () => boolean): Promise<Slot | undefined> {
    while (!isOver()) {
      const slot = this.#slots[this.#unsent];
      if (slot !== undefined) {
        this.#unsent += 1;
        if (slot.result === undefined) {
          return slot;
        }
      } else if (this.#isFull) {
        await new Promise<void>((resolve) => {
          this.#onChange = resolve;
        });
      } else if (!(await this.#fill())) {
        return undefined;
      }
    }
    return undefined;
  }

  /** Throws for a write that may have been done. */
  *finished(): Generator<Written, void, undefined> {
    for (let first = this.#slots[0]; first?.result !== undefined; first = this.#slots[0]) {
      this.#slots.shift();
      this.#openBytes -= first.sent.bytes;
      this.#unsent = Math.max(0, this.#unsent - 1);
      this.wake();
      yield known(first.result);
    }
  }

  get #isFull(): boolean {
    return this.#slots.length >= OPEN_MAX || this.#openBytes >= OPEN_BYTES_MAX;
  }

  wake(): void {
    this.#onChange();
  }

  giveUp(refusal: ProblemError): void {
    for (const slot of this.#slots.slice(0, this.#unsent)) {
      slot.result ??= meaningOf(refusal, slot.sent.mayBeDone);
    }
  }

  get isInDoubt(): boolean {
    return this.#slots.some(({ sent }) => sent.mayBeDone);
  }

  async *inBatches(options: CallOptions): AsyncGenerator<Written, void, undefined> {
    while (await this.hasMore()) {
      for (let isMore = true; isMore && !this.#isFull; ) {
        isMore = await this.#fill();
      }
      const open = this.#slots.filter(({ result }) => result === undefined);
      const sentOf = (slots: readonly Slot[]): Sent[] => slots.map(({ sent }) => sent);
      const all = sentOf(this.#slots);
      const results = await sendElements(this.#ledger, sentOf(open), options, all);
      for (const [index, slot] of open.entries()) {
        slot.result = results[index];
      }
      yield* this.finished();
    }
  }

  async close(): Promise<void> {
    // A waiting source would never return.
    void this.#source.return?.();
  }

  /** False if none comes in time, or if there are no more. */
  #fill(): Promise<boolean> {
    this.#filling ??= this.#fillOnce().finally(() => {
      this.#filling = undefined;
    });
    return this.#filling;
  }

  async #fillOnce(): Promise<boolean> {
    if (this.#isDone || this.#failure !== undefined) {
      return false;
    }
    try {
      const next = await within(this.#peek(), IDLE_MS);
      if (next === undefined) {
        return false;
      }
      this.#next = undefined;
      this.#isDone = next.done === true;
      if (next.done !== true) {
        const sent = elementOf(next.value, this.#ledger, this.#ledgerId);
        this.#slots.push({ sent, result: undefined });
        this.#openBytes += sent.bytes;
      }
      return !this.#isDone;
    } catch (thrown) {
      // Earlier writes are answered first.
      this.#failure = { thrown };
      return false;
    }
  }

  #peek(): Promise<IteratorResult<BatchWrite>> {
    this.#next ??= this.#source.next();
    return this.#next;
  }
}

/** It ends early at a temporary refusal; that write goes into the next. */
class WriteStream {
  readonly #ledger: Ledger;
  readonly #outbox: Outbox;
  readonly #options: CallOptions;
  readonly #abort: AbortController = new AbortController();
  readonly #asked: Slot[] = [];
  readonly url: string;
  #isEnding = false;
  /** The pause that the node asks for. */
  retryAfterMs = 0;
  #watch: ReturnType<typeof setTimeout> | undefined;
  notTaken: Failure | undefined;
  refusal: ProblemError | undefined;

  constructor(ledger: Ledger, outbox: Outbox, options: CallOptions) {
    this.#ledger = ledger;
    this.url = ledger.transport.nodes.url;
    this.#outbox = outbox;
    this.#options = options;
    outbox.rewind();
  }

  /** Throws if the request must not be repeated, or was repeated too often. */
  assertRepeatable(failure: Failure, isTooOften: boolean): void {
    if (leavesOpen(failure)) {
      for (const { sent } of this.#asked) {
        sent.mayBeDone = true;
      }
    }
    if (isTooOften || this.#asked.some(({ sent }) => sent.mayBeDone && !sent.isRepeatable)) {
      throw errorOf(failure, this.url, this.#outbox.isInDoubt);
    }
  }

  async *results(): AsyncGenerator<Written, void, undefined> {
    const { signal } = this.#options;
    const end = (): void => this.#abort.abort(signal?.reason);
    signal?.addEventListener("abort", end, { once: true });
    try {
      signal?.throwIfAborted();
      for await (const line of this.#exchange()) {
        this.#stayAwake();
        const result: unknown = JSON.parse(line);
        if (!isResult(result)) {
          throw new Error("a line of the answer is no result");
        }
        this.#take(result);
        yield* this.#outbox.finished();
      }
      if (this.#asked.length > 0 && this.refusal === undefined) {
        throw new Error("the answer has ended before its last line");
      }
    } finally {
      signal?.removeEventListener("abort", end);
      clearTimeout(this.#watch);
      this.#end();
      this.#abort.abort();
    }
  }

  #end(): void {
    this.#isEnding = true;
    this.#outbox.wake();
  }

  async *#exchange(): AsyncGenerator<string, void, undefined> {
    const { traceparent, minHeight } = this.#options;
    this.#stayAwake();
    const response = await this.#ledger.transport.fetch(`${this.url}/batch`, {
      method: "POST",
      headers: {
        "Content-Type": "application/x-ndjson",
        ...this.#ledger.heightMin(true, minHeight),
        ...(traceparent === undefined ? {} : { traceparent }),
      },
      body: this.#body(),
      signal: this.#abort.signal,
      duplex: "half",
    } as RequestInit);
    if (!response.ok || response.body === null || !response.headers.has("ledger-height")) {
      this.notTaken = await failureOf(response);
      throw new Error(); // The listener's error has less detail.
    }
    yield* linesOf(response);
  }

  #body(): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const slot = await this.#outbox.take(() => this.#isEnding);
          if (slot === undefined) {
            this.#isEnding = true;
            controller.close();
            return;
          }
          this.#asked.push(slot);
          this.#stayAwake();
          controller.enqueue(encoder.encode(`${slot.sent.text}\n`));
        },
      },
      { highWaterMark: 0 },
    );
  }

  #take(answer: OperationResult): void {
    const slot = this.#asked.shift();
    const outcome = slot && outcomeOf(this.#ledger, slot.sent, answer);
    const { problem } = answer;
    if (problem !== undefined && (mayPass(problem) || problem.code === "9408")) {
      if (outcome instanceof UnansweredError && slot?.sent.isRepeatable === false) {
        throw outcome;
      }
      // The rest of this stream is not done, except operations that the ledger already had.
      this.refusal ??= new ProblemError(problem);
      const { retry_after = 0 } = problem;
      this.retryAfterMs = Math.max(this.retryAfterMs, retry_after * 1000 || RETRY_AFTER_MS);
      this.#end();
    } else if (slot !== undefined) {
      slot.result = outcome;
      this.#ledger.noteTransaction(answer.transaction_id);
    }
  }

  /** A node that sends nothing for a whole timeout counts as lost, unless nothing is open. */
  #stayAwake(): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      if (this.#asked.length > 0) {
        this.#abort.abort(new Error("no answer in time"));
      }
    }, this.#ledger.transport.timeoutMs);
  }
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
