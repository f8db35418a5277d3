import type { DryResult, DryRun } from "@moneta/ledger";
import { type Refused, refuse } from "@moneta/protocol";
import { OneAtATime } from "../one-at-a-time.ts";
import { ThreadCalls } from "../thread-calls.ts";
import { SHUTTING_DOWN } from "../write-state.ts";

/** CPU time, ms. Source: batches §2, Clients. */
const CPU_MS = 200;
/** In all and of one client, the running one included. */
const WAITING_MAX = 8;
const OF_ONE_MAX = 1;

/** One at a time, on a thread. Source: batches §2, Clients. */
export class DryRuns {
  readonly #thread: ThreadCalls<DryRun, DryResult>;
  readonly #onRun: (ms: number) => void;
  readonly #runs = new OneAtATime("dry runs", WAITING_MAX, OF_ONE_MAX);
  #isClosed = false;

  constructor(
    data: { readonly file: string },
    { onRun }: { readonly onRun: (ms: number) => void } = { onRun: () => undefined },
  ) {
    this.#onRun = onRun;
    this.#thread = new ThreadCalls({
      file: new URL("./dry-run-thread.ts", import.meta.url),
      name: "dry-runs",
      data,
    });
  }

  /** Refused with 9002 if too many are pending. Rejects if the thread fails. */
  async run(run: Omit<DryRun, "cpuMs">, client: string): Promise<DryResult | Refused> {
    return await this.#runs.run(client, () => this.#runNow({ ...run, cpuMs: CPU_MS }));
  }

  async #runNow(run: DryRun): Promise<DryResult | Refused> {
    const begunMs = performance.now();
    try {
      if (this.#isClosed) {
        return refuse(SHUTTING_DOWN);
      }
      const result = await this.#thread.call(run);
      this.#onRun(performance.now() - begunMs);
      return result;
    } catch (thrown) {
      if (this.#isClosed) {
        return refuse(SHUTTING_DOWN); // the client has disconnected
      }
      throw thrown;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.close();
  }
}
