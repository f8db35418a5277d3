import { type Refused, refuse } from "@moneta/protocol";
import { ClientShares } from "./client-shares.ts";

const RETRY_AFTER = 1;

/**
 * Costly work for clients, done one after the other. A bounded number waits, half of them, or as
 * many as are given, of one client at most, the one that is being done included.
 */
export class OneAtATime {
  /** What waits, in the plural: `dry runs`. */
  readonly #what: string;
  #last: Promise<unknown> = Promise.resolve();
  readonly #shares: ClientShares;

  /** `waitingMax` may wait for the one that is being done. */
  constructor(what: string, waitingMax = 8, ofOneMax?: number) {
    this.#what = what;
    this.#shares = new ClientShares(waitingMax + 1, ofOneMax);
  }

  /**
   * Does the work of a client, which `clientOf` names, after all that was asked for before; 9002 at
   * once if too much waits, in all or of the client. The promise rejects as the work does.
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
