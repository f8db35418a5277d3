import { Worker } from "node:worker_threads";
import type { EventsThreadData, FromEvents, ToEvents } from "./events-messages.ts";

/** The events thread as the main thread has it: it starts with the first message. */
export class EventsWorker {
  readonly #data: EventsThreadData;
  readonly #onMessage: (message: FromEvents) => void;
  readonly #onFailure: (error: Error) => void;
  #worker: Worker | undefined;
  /** Resolves when the thread has ended, however it ended; at once where none was started. */
  #ended: Promise<unknown> = Promise.resolve();

  constructor(
    data: EventsThreadData,
    options: {
      readonly onMessage: (message: FromEvents) => void;
      /** It has ended by a fault. */
      readonly onFailure: (error: Error) => void;
    },
  ) {
    this.#data = data;
    this.#onMessage = options.onMessage;
    this.#onFailure = options.onFailure;
  }

  post(message: ToEvents): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
  }

  /** Ends it, once what is under way has been brought to an end. Returns at once if the thread has ended already. */
  async close(): Promise<void> {
    // A thread that has ended drops the message.
    this.#worker?.postMessage({ kind: "end" } satisfies ToEvents);
    await this.#ended;
  }

  #start(): Worker {
    const worker = new Worker(new URL("./events-thread.ts", import.meta.url), {
      workerData: this.#data,
      name: "events",
    });
    worker.on("message", this.#onMessage);
    worker.on("error", this.#onFailure);
    this.#ended = new Promise((resolve) => worker.once("exit", resolve));
    return worker;
  }
}
