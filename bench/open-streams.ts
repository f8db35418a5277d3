import { once } from "node:events";
import { Worker } from "node:worker_threads";

export interface StreamsData {
  readonly port: number;
  readonly addresses: readonly string[];
}

const SETTLED_WITHIN_MS = 60_000;

export class OpenStreams implements AsyncDisposable {
  readonly #worker: Worker;
  #count = 0;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (count: number) => {
      this.#count = count;
    });
  }

  static async open(data: StreamsData): Promise<OpenStreams> {
    const worker = new Worker(new URL("./open-streams-thread.ts", import.meta.url), {
      workerData: data,
      name: "streams",
    });
    await once(worker, "message");
    return new OpenStreams(worker);
  }

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
