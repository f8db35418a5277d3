import { SYSTEM_TIME } from "@moneta/ledger";
import type { KnownTimeline, Lease } from "@moneta/ledger/postgres";
import { isOfRows, type RemoteRows } from "./row-calls.ts";

/** Source: cluster §7. */
export const HOUSEKEEPING = "housekeeping";

/** By the engine's clock. Source: cluster §7. */
const LEASE_MS = 30_000;
const EVERY_MS = 10_000;
const NO_TIMELINE = 0;
const AFTER_END_MS = 10;

/** Its end by the monotonic clock, ms. */
export interface HeldLease extends Lease {
  readonly untilMs: number;
}

export interface HousekeepingOptions {
  readonly node: string;
  readonly names: readonly string[];
  readonly isFit: () => boolean;
  readonly onHeld: (held: readonly HeldLease[]) => void;
  readonly timeline: KnownTimeline;
  /** The same for all threads. */
  readonly nowMs?: () => number;
}

/** The leases of a cluster's shared work. Source: cluster §7. */
export class Housekeeping {
  readonly #rows: RemoteRows;
  readonly #options: HousekeepingOptions;
  readonly #nowMs: () => number;
  #held: readonly HeldLease[] = [];
  /**
   * When leases on the engine's timeline may be taken, ms. A promoted engine may lack a lease that
   * its holder still relies on, and its clock may be ahead.
   */
  #timeline: { readonly number: number; readonly settledMs: number };
  #wasFit = false;
  #nextMs: number = EVERY_MS;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(rows: RemoteRows, options: HousekeepingOptions) {
    this.#rows = rows;
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => SYSTEM_TIME.nowMs());
    const { number, knownForMs } = options.timeline;
    this.#timeline = { number, settledMs: this.#nowMs() + LEASE_MS - knownForMs };
  }

  lease(name: string): number | undefined {
    const held = this.#held.find((one) => one.name === name);
    return held !== undefined && this.#nowMs() < held.untilMs ? held.number : undefined;
  }

  start(): void {
    void this.renew();
  }

  /** Takes or renews the leases, or gives them up if the node is not fit. */
  renew(): Promise<void> {
    this.#renewing = this.#renewing.then(() => this.#renew());
    return this.#renewing;
  }

  noteFitness(): void {
    if (this.#options.isFit() !== this.#wasFit) {
      void this.renew();
    }
  }

  /** Gives the leases up, so that another node gets them at its next attempt. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#renewing;
    await this.#giveUp();
  }

  async #renew(): Promise<void> {
    if (this.#isClosed) {
      return;
    }
    clearTimeout(this.#timer);
    this.#nextMs = EVERY_MS;
    this.#wasFit = this.#options.isFit();
    await (this.#wasFit ? this.#take() : this.#giveUp());
    this.#timer = setTimeout(() => void this.renew(), this.#nextMs).unref();
  }

  async #take(): Promise<void> {
    // The engine's time starts later: the lease is never assumed for longer.
    const untilMs = this.#nowMs() + LEASE_MS;
    try {
      const { node, names } = this.#options;
      const { number: known, settledMs } = this.#timeline;
      const settled = this.#nowMs() < settledMs ? NO_TIMELINE : known;
      const held = this.#held.filter((one) => this.#nowMs() < one.untilMs);
      const { timeline, states } = await this.#rows.call("takeLeases", node, names, {
        settled,
        held: held.map(({ name, number }) => ({ name, number })),
      });
      if (timeline !== known) {
        this.#timeline = { number: timeline, settledMs: this.#nowMs() + LEASE_MS };
      }
      this.#hold(
        states.flatMap(({ name, number }) =>
          number === undefined ? [] : [{ name, number, untilMs }],
        ),
      );
      const unsettledMs = Math.max(0, this.#timeline.settledMs - this.#nowMs());
      const others = names
        .map((name) => states.find((state) => state.name === name))
        .filter((state) => state?.number === undefined);
      const ends = others.map((state) => Math.max(state?.leftMs ?? 0, unsettledMs) + AFTER_END_MS);
      this.#nextMs = Math.min(EVERY_MS, ...ends);
    } catch (thrown) {
      if (!isOfRows(thrown)) {
        throw thrown;
      }
    }
  }

  async #giveUp(): Promise<void> {
    if (this.#held.length > 0) {
      this.#hold([]);
      await this.#rows.call("giveUpLeases", this.#options.node).catch(() => undefined);
    }
  }

  #hold(held: readonly HeldLease[]): void {
    this.#held = held;
    this.#options.onHeld(held);
  }
}
