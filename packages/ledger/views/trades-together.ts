/**
 * A view to which blocks of a transaction add trades. Many change the same rows, so they are
 * written together.
 */
export abstract class TradesTogether<T> {
  /** Not in the tables yet; how many are in stored blocks. */
  #trades: T[] = [];
  #stored = 0;

  add(trade: T): void {
    this.#trades.push(trade);
  }

  accept(): void {
    this.#stored = this.#trades.length;
  }

  undo(): void {
    this.#trades.length = this.#stored;
  }

  /** Writes the trades if there are at least so many, before their transaction is committed. */
  write(least: number): void {
    const trades = this.#trades;
    if (trades.length >= least) {
      this.#trades = [];
      this.#stored = 0;
      this.put(trades);
    }
  }

  protected abstract put(trades: readonly T[]): void;
}
