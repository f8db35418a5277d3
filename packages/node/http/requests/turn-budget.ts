/** So that pages of large records, 20 ms each, do not delay quick requests. */
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

  async turn(): Promise<void> {
    while (this.isSpent) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  /** The time until it returns counts. */
  async run<T>(work: () => T): Promise<Awaited<T>> {
    await this.turn();
    return await this.timed(work);
  }

  /** The time until it returns counts, without its waits. */
  timed<T>(work: () => T): T {
    const started = performance.now();
    try {
      return work();
    } finally {
      this.spend(performance.now() - started);
    }
  }

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
