/**
 * Shares the main thread among reads. Once they have used up their share of an event-loop turn,
 * further reads wait for the next. So pages of large records, 20 ms each, do not delay quick
 * requests.
 */
export class TurnBudget {
  readonly #turnMs: number;
  #spentMs = 0;
  #isResetDue = false;

  constructor(turnMs: number) {
    this.#turnMs = turnMs;
  }

  get isSpent(): boolean {
    return this.#spentMs >= this.#turnMs;
  }

  /** Resolves in a turn that has time left, in order of arrival. */
  async turn(): Promise<void> {
    while (this.isSpent) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  /** Does the work in a turn that has time left, and notes the time until it returns. */
  async run<T>(work: () => T): Promise<Awaited<T>> {
    await this.turn();
    return await this.timed(work);
  }

  /** Does the work now, and notes the time until it returns, without its waits. */
  timed<T>(work: () => T): T {
    const started = performance.now();
    try {
      return work();
    } finally {
      this.spend(performance.now() - started);
    }
  }

  /** Notes the time that a read took of this turn. */
  spend(ms: number): void {
    this.#spentMs += ms;
    if (!this.#isResetDue) {
      this.#isResetDue = true;
      setImmediate(() => {
        this.#isResetDue = false;
        this.#spentMs = 0;
      });
    }
  }
}
