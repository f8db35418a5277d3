import { Worker } from "node:worker_threads";

/** Does not keep the process alive. After a fault, the next call starts a new thread. */
export class ThreadCalls<To, From> {
  readonly #file: URL;
  readonly #name: string;
  readonly #data: object;
  readonly #youngMegabytes: number | undefined;
  #worker: Worker | undefined;

  /** `youngMegabytes` limits memory for short-lived objects. */
  constructor(thread: {
    readonly file: URL;
    readonly name: string;
    readonly data: object;
    readonly youngMegabytes?: number;
  }) {
    this.#file = thread.file;
    this.#name = thread.name;
    this.#data = thread.data;
    this.#youngMegabytes = thread.youngMegabytes;
  }

  /** The previous call must have ended. Rejects after a fault. */
  call(message: To): Promise<From> {
    const worker = this.#worker ?? this.#start();
    return new Promise((resolve, reject) => {
      const done = (): void => {
        worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      };
      const onMessage = (answer: From): void => {
        done();
        resolve(answer);
      };
      const onError = (error: Error): void => {
        done();
        reject(error);
      };
      const onExit = (code: number): void => {
        done();
        reject(new Error(`the thread ${this.#name} ended with ${code}`));
      };
      worker.on("message", onMessage).on("error", onError).on("exit", onExit);
      worker.postMessage(message);
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const young = this.#youngMegabytes;
    const worker = new Worker(this.#file, {
      workerData: this.#data,
      name: this.#name,
      ...(young === undefined ? {} : { resourceLimits: { maxYoungGenerationSizeMb: young } }),
    });
    worker.unref();
    // The next thread may already run at the `exit` of a failed one.
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
