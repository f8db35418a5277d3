import { Worker } from "node:worker_threads";
import type { EventsThreadData, FromEvents, ToEvents } from "./events-messages.ts";

/** The main thread's side of the events thread, which starts with the first message. */
export class EventsHandle {
  readonly #data: EventsThreadData;
  readonly #options: EventsHandleOptions;
  #worker: Worker | undefined;
  /** Resolves when the thread has ended in any way; at once if none was started. */
  #ended: Promise<unknown> = Promise.resolve();

  constructor(data: EventsThreadData, options: EventsHandleOptions) {
    this.#data = data;
    this.#options = options;
  }

  post(message: ToEvents): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
  }

  /** Ends the thread after its current work. Returns at once if it has ended already. */
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
  /** Called when the thread ends by a fault. */
  readonly onFailure: (error: Error) => void;
}
