import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** Event streams to open: the filter of each is one address. */
export interface StreamsData {
  readonly port: number;
  readonly addresses: readonly string[];
}

const SETTLED_WITHIN_MS = 60_000;

/**
 * Streams that are open and read, on a thread of their own, so that reading them does not slow the
 * load generator's down.
 */
export class OpenStreams implements AsyncDisposable {
  readonly #worker: Worker;
  #count = 0;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (count: number) => {
      this.#count = count;
    });
  }

  /** Resolves when each has begun. */
  static async open(data: StreamsData): Promise<OpenStreams> {
    const worker = new Worker(new URL("./open-streams-thread.ts", import.meta.url), {
      workerData: data,
      name: "streams",
    });
    await once(worker, "message");
    return new OpenStreams(worker);
  }

  /** Throws if they do not come to see exactly so many transactions. */
  async sees(count: number): Promise<void> {
    const deadline = performance.now() + SETTLED_WITHIN_MS;
    while (this.#count < count && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    if (this.#count !== count) {
      throw new Error(`the streams were sent ${this.#count} transactions and not ${count}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}
