import { Worker } from "node:worker_threads";
import type { DryRunThreadData, FromDryRuns, ToDryRuns } from "./dry-run-messages.ts";

/**
 * The main thread's side of the thread of dry runs, which starts with the first one and does not
 * keep the process alive. After a fault the next dry run starts another.
 */
export class DryRunHandle {
  readonly #data: DryRunThreadData;
  #worker: Worker | undefined;

  constructor(data: DryRunThreadData) {
    this.#data = data;
  }

  /** Executes one dry run; the one before has ended. Rejects if the thread ends by a fault. */
  run(message: ToDryRuns): Promise<FromDryRuns> {
    const worker = this.#worker ?? this.#start();
    return new Promise((resolve, reject) => {
      const done = (): void => {
        worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      };
      const onMessage = (answer: FromDryRuns): void => {
        done();
        resolve(answer);
      };
      const onError = (error: Error): void => {
        done();
        reject(error);
      };
      const onExit = (code: number): void => {
        done();
        reject(new Error(`the thread of dry runs ended with ${code}`));
      };
      worker.on("message", onMessage).on("error", onError).on("exit", onExit);
      worker.postMessage(message);
    });
  }

  /** Ends the thread at once: it writes nothing. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL("./dry-run-thread.ts", import.meta.url), {
      workerData: this.#data,
      name: "dry-runs",
    });
    worker.unref();
    // Of a thread that failed `exit` comes later, when the next one may have been started.
    const forget = (): void => {
      if (this.#worker === worker) {
        this.#worker = undefined;
      }
    };
    worker.on("error", forget).on("exit", forget);
    this.#worker = worker;
    return worker;
  }
}
