import { Worker } from "node:worker_threads";
import type { EventsThreadData, FromEvents, ToEvents } from "./events-messages.ts";

export class EventsHandle {
  readonly #data: EventsThreadData;
  readonly #options: EventsHandleOptions;
  #worker: Worker | undefined;
  /** At once if no thread was started. */
  #ended: Promise<unknown> = Promise.resolve();

  constructor(data: EventsThreadData, options: EventsHandleOptions) {
    this.#data = data;
    this.#options = options;
  }

  post(message: ToEvents): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
  }

  /** After its current work; at once if it has ended already. */
  async close(): Promise<void> {
    // A thread that has ended drops the message.
    this.#worker?.postMessage({ kind: "end" } satisfies ToEvents);
    await this.#ended;
  }

  #start(): Worker {
    const worker = new Worker(new URL("./events-thread.ts", import.meta.url), {
      workerData: this.#data,
      transferList: this.#data.rows === undefined ? [] : [this.#data.rows],
      name: "events",
    });
    worker.on("message", this.#options.onMessage);
    worker.on("error", this.#options.onFailure);
    this.#ended = new Promise((resolve) => worker.once("exit", resolve));
    return worker;
  }
}

interface EventsHandleOptions {
  readonly onMessage: (message: FromEvents) => void;
  readonly onFailure: (error: Error) => void;
}
