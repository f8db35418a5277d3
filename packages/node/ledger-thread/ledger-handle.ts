import { Worker } from "node:worker_threads";
import { closeWhole, type Database, holdOpen, SyncFailure } from "@moneta/ledger";
import type {
  FromLedger,
  FromOpenLedger,
  LedgerThreadData,
  Ready,
  ToLedger,
} from "./ledger-messages.ts";

export class LedgerHandle {
  readonly ready: Promise<Ready>;
  readonly #worker: Worker;
  /** While open, the thread's end does no WAL flush, whose failure would go unnoticed. */
  readonly #holder: Database | undefined;
  /** After a failed sync the thread never exits by itself. */
  readonly #ended: PromiseWithResolvers<"exited" | "standsStill"> = Promise.withResolvers();
  #isClosing = false;

  constructor(
    data: LedgerThreadData,
    options: {
      readonly onMessage: (message: FromOpenLedger) => void;
      /** The thread, once ready, ends by a fault or stops. Can be called repeatedly. */
      readonly onFailure: (error: Error) => void;
    },
  ) {
    const ready = Promise.withResolvers<Ready>();
    let isReady = false;
    const fail = (error: Error): void => (isReady ? options.onFailure(error) : ready.reject(error));
    this.ready = ready.promise;
    this.#holder = data.immutableName === undefined ? holdOpen(data.file) : undefined;
    const thread =
      data.source === undefined ? "./ledger-thread.ts" : "../follower/follower-thread.ts";
    this.#worker = new Worker(new URL(thread, import.meta.url), {
      workerData: data,
      transferList: [...(data.shared?.rows ?? [])],
      name: "ledger",
    });
    this.#worker.on("message", (message: FromLedger) => {
      switch (message.kind) {
        case "ready":
          isReady = true;
          return ready.resolve(message);
        case "syncFailed":
          this.#ended.resolve("standsStill");
          return fail(new SyncFailure(message.message));
        default:
          return options.onMessage(message);
      }
    });
    this.#worker.on("error", (error) => {
      if (!isReady) {
        this.#release();
      }
      fail(error as Error);
    });
    this.#worker.on("exit", (code) => {
      this.#ended.resolve("exited");
      if (!this.#isClosing) {
        fail(new Error(`the ledger thread ended with ${code}`));
      }
    });
  }

  post(message: ToLedger): void {
    this.#worker.postMessage(message);
  }

  /** After the sent batches. After a failed sync it closes nothing. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.post({ kind: "end" });
    if ((await this.#ended.promise) === "exited") {
      this.#release();
    } else {
      await this.#worker.terminate();
    }
  }

  #release(): void {
    if (this.#holder !== undefined) {
      closeWhole(this.#holder);
    }
  }
}
