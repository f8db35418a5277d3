import { type Refused, refuse } from "@moneta/protocol";
import { ClientShares } from "./client-shares.ts";

const RETRY_AFTER = 1;

/**
 * Expensive work for clients, done one after the other. A bounded number is pending; of one client
 * at most half of them, or `ofOneMax`, the running one included.
 */
export class OneAtATime {
  /** The noun of the work, in the plural: `dry runs`. */
  readonly #what: string;
  #last: Promise<unknown> = Promise.resolve();
  readonly #shares: ClientShares;

  /** `waitingMax` may wait for the running one. */
  constructor(what: string, waitingMax = 8, ofOneMax?: number) {
    this.#what = what;
    this.#shares = new ClientShares(waitingMax + 1, ofOneMax);
  }

  /**
   * Does the work of a client (`clientOf`) after all earlier work; 9002 at once if too much is
   * pending, in all or of the client. The promise rejects as the work does.
   */
  run<T>(client: string, work: () => Promise<T>): Promise<T> | Refused {
    if (this.#shares.isOver(client, 1)) {
      const reason = `Too many ${this.#what} are waiting, in all or of this client`;
      return refuse({ code: "9002", reason, retryAfter: RETRY_AFTER });
    }
    this.#shares.add(client, 1);
    const done = this.#last.then(work).finally(() => this.#shares.remove(client, 1));
    this.#last = done.catch(() => undefined);
    return done;
  }
}
