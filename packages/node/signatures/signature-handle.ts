import { Worker } from "node:worker_threads";
import type { SentClaim, SignatureThreadData, Verified } from "./signature-messages.ts";

/** It starts at once and keeps the process alive until it is closed. */
export class SignatureHandle {
  readonly #worker: Worker;

  constructor(
    index: number,
    options: {
      readonly data: SignatureThreadData;
      readonly onMessage: (verified: Verified) => void;
      /** The thread ends in any way. Can be called repeatedly. */
      readonly onFailure: (error: Error) => void;
    },
  ) {
    this.#worker = new Worker(new URL("./signature-thread.ts", import.meta.url), {
      name: `signatures-${index}`,
      workerData: options.data,
    });
    this.#worker.on("message", options.onMessage);
    this.#worker.on("error", (error) => options.onFailure(error as Error));
    this.#worker.on("exit", (code) =>
      options.onFailure(new Error(`a signature thread ended with ${code}`)),
    );
  }

  post(claims: readonly SentClaim[]): void {
    this.#worker.postMessage(claims);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
