import { type Refused, refuse } from "@moneta/protocol";
import { ClientShares } from "./client-shares.ts";

const RETRY_AFTER = 1;

/** Pending work is bounded, of one client at most half or `ofOneMax`, with the running one. */
export class OneAtATime {
  /** In the plural: `dry runs`. */
  readonly #what: string;
  #last: Promise<unknown> = Promise.resolve();
  readonly #shares: ClientShares;

  /** `waitingMax` may wait for the running one. */
  constructor(what: string, waitingMax = 8, ofOneMax?: number) {
    this.#what = what;
    this.#shares = new ClientShares(waitingMax + 1, ofOneMax);
  }

  /** After all earlier work; 9002 at once if too much is pending, in all or of the client. */
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
