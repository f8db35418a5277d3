import { type RemoteRows, RowsUnavailable } from "./row-calls.ts";

/** How long the lease is, by the engine's clock, and how often it is renewed. Source: cluster §7. */
const LEASE_MS = 30_000;
const EVERY_MS = 10_000;

/**
 * The lease of what is done once in a cluster. One node has it; after a crash another one has it
 * within 30 s. Source: cluster §7.
 */
export class Housekeeping {
  readonly #rows: RemoteRows;
  readonly #node: string;
  readonly #nowMs: () => number;
  #held: { readonly lease: number; readonly untilMs: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> = Promise.resolve();

  constructor(
    rows: RemoteRows,
    options: { readonly node: string /** Monotonic. */; readonly nowMs?: () => number },
  ) {
    this.#rows = rows;
    this.#node = options.node;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /** The number of the lease while this node has it. */
  get lease(): number | undefined {
    return this.#held !== undefined && this.#nowMs() < this.#held.untilMs
      ? this.#held.lease
      : undefined;
  }

  /** Takes the lease when it is free, and renews it, from now on. */
  start(): void {
    this.#renewing = this.renew();
    this.#timer = setInterval(() => {
      this.#renewing = this.#renewing.then(() => this.renew());
    }, EVERY_MS).unref();
  }

  /** Takes or renews the lease now. While no engine can be reached, it ends by itself. */
  async renew(): Promise<void> {
    // The engine counts from later on, so this node never thinks that it has it for longer.
    const untilMs = this.#nowMs() + LEASE_MS;
    try {
      const lease = await this.#rows.call("takeLease", this.#node);
      this.#held = lease === undefined ? undefined : { lease, untilMs };
    } catch (thrown) {
      if (!(thrown instanceof RowsUnavailable)) {
        throw thrown;
      }
    }
  }

  /** Gives the lease up, so that another node has it with its next attempt. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
    if (this.lease !== undefined) {
      this.#held = undefined;
      await this.#rows.call("giveUpLease", this.#node).catch(() => undefined);
    }
  }
}
