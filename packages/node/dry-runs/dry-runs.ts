import type { DryResult, DryRun } from "@moneta/ledger";
import { type Refused, refuse } from "@moneta/protocol";
import { SHUTTING_DOWN } from "../admission/admission.ts";
import { DryRunHandle } from "./dry-run-handle.ts";
import type { DryRunThreadData } from "./dry-run-messages.ts";

/** How long one may take. Source: batches §2, Clients. */
const TIME_MS = 200;
/** How many may wait for the one that is being executed. Source: batches §2, Clients. */
const WAITING_MAX = 8;
/** How many of them, and of those being executed, may be one client's. */
const CLIENT_MAX = WAITING_MAX / 2;
const RETRY_AFTER = 1;

/** Executes dry runs on a thread of their own, one at a time. Source: batches §2, Clients. */
export class DryRuns {
  readonly #handle: DryRunHandle;
  readonly #onRun: (ms: number) => void;
  /** The last one that was asked for. */
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;
  /** Those of each client that has any. */
  readonly #ofClients: Map<string, number> = new Map();
  #isClosed = false;

  /** `onRun` is called after each run with the time that it took on the thread. */
  constructor(
    data: DryRunThreadData,
    { onRun }: { readonly onRun: (ms: number) => void } = { onRun: () => undefined },
  ) {
    this.#onRun = onRun;
    this.#handle = new DryRunHandle(data);
  }

  /**
   * Refused with 9002 if too many wait, in all or of a client, which `clientOf` names, or at a
   * shutdown. Rejects if the thread ends by a fault.
   */
  async run(run: Omit<DryRun, "timeMs">, client: string): Promise<DryResult | Refused> {
    const own = this.#ofClients.get(client) ?? 0;
    if (this.#count > WAITING_MAX || own >= CLIENT_MAX) {
      const reason = `Too many dry runs${own >= CLIENT_MAX ? " of this client" : ""} are waiting`;
      return refuse({ code: "9002", reason, retryAfter: RETRY_AFTER });
    }
    this.#count += 1;
    this.#ofClients.set(client, own + 1);
    const result = this.#last.then(() => this.#runNow({ ...run, timeMs: TIME_MS }));
    this.#last = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      this.#count -= 1;
      const left = (this.#ofClients.get(client) ?? 0) - 1;
      if (left > 0) {
        this.#ofClients.set(client, left);
      } else {
        this.#ofClients.delete(client);
      }
    }
  }

  async #runNow(run: DryRun): Promise<DryResult | Refused> {
    const begunMs = performance.now();
    try {
      if (this.#isClosed) {
        return refuse(SHUTTING_DOWN);
      }
      const result = await this.#handle.run(run);
      this.#onRun(performance.now() - begunMs);
      return result;
    } catch (thrown) {
      if (this.#isClosed) {
        return refuse(SHUTTING_DOWN); // whoever has asked has disconnected already
      }
      throw thrown;
    }
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#handle.close();
  }
}
