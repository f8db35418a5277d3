import type { Time } from "@moneta/ledger";

/** Source: cluster §4. */
const LOOK_EVERY_MS = 50;
/** Source: conventions §2.3. */
const WAIT_MS = 5000;

/** Waiting requests share one look; at most one more waits. Source: cluster §4. */
export class CatchUp {
  readonly #look: () => Promise<number | undefined>;
  readonly #time: Time;
  #next: Promise<number | undefined> | undefined;
  #sent: Promise<unknown> = Promise.resolve();
  #lastMs = -Infinity;

  constructor(look: () => Promise<number | undefined>, time: Time) {
    this.#look = look;
    this.#time = time;
  }

  /** A height that the log had after the call and the views have now, if known in time. */
  async now(): Promise<number | undefined> {
    this.#next ??= this.#begin();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const timer = this.#time.after(WAIT_MS, () => resolve(undefined));
    try {
      return await Promise.race([this.#next, promise]);
    } finally {
      timer.cancel();
    }
  }

  async #begin(): Promise<number | undefined> {
    await this.#sent;
    const waitMs = this.#lastMs + LOOK_EVERY_MS - this.#time.nowMs();
    await new Promise<void>((resolve) => void this.#time.after(Math.max(0, waitMs), resolve));
    // Later calls need another look.
    this.#next = undefined;
    this.#lastMs = this.#time.nowMs();
    const sent = this.#look();
    this.#sent = sent.catch(() => undefined);
    return await sent;
  }
}
