/**
 * Shares the main thread among reads: who finds the time of a turn of the event loop spent waits for the next one. So many who ask for pages of large records, which take
 * 20 ms each, do not keep those waiting who ask for a temporary key.
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

  /** Resolves in a turn that has time left; of those that wait the first one first. */
  async turn(): Promise<void> {
    while (this.isSpent) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  /** Notes what a read has taken of this turn. */
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
