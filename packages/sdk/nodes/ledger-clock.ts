/** Largest distance of a `Date` in whole seconds from the middle of its second, ms. */
const HALF_SECOND_MS = 500;
/** Differences below this come from the network, ms. */
const NOISE_MS = 1500;

/**
 * The ledger's time by the `Date` of its responses, so that a device with a wrong clock shows
 * auctions, locks and keys as the ledger does. Before the first response it is the device's time.
 */
export class LedgerClock {
  /** Called when the time has changed by more than a second. */
  onCorrection: (() => void) | undefined;
  /** The ledger's time at the start of the monotonic clock, ms. */
  #startMs: number | undefined;

  /** Unix seconds with fractions. */
  now(): number {
    return (this.#startMs === undefined ? Date.now() : this.#startMs + performance.now()) / 1000;
  }

  /** How far the device's clock is ahead of the ledger's, seconds; negative if it is behind. */
  get deviceAhead(): number {
    return Date.now() / 1000 - this.now();
  }

  /** By both clocks: a node could claim any time to make a client sign again too early. */
  hasPassed(time: number): boolean {
    return time < Math.min(this.now(), Date.now() / 1000);
  }

  note({ headers }: Response): void {
    const dateMs = Date.parse(headers.get("date") ?? "");
    const isFresh = headers.get("cache-control")?.includes("no-store") === true;
    if (Number.isNaN(dateMs) || !isFresh || !headers.has("ledger-height")) {
      return;
    }
    const startMs = dateMs + HALF_SECOND_MS - performance.now();
    if (this.#startMs === undefined || Math.abs(startMs - this.#startMs) > NOISE_MS) {
      this.#startMs = startMs;
      this.onCorrection?.();
    }
  }
}
