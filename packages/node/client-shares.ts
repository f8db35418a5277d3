/** Shares of bytes or places: a total, by default half of it for one client (`clientOf`). */
export class ClientShares {
  #all = 0;
  readonly #byClient: Map<string, number> = new Map();
  readonly #max: number;
  readonly #ofOneMax: number;

  constructor(max: number, ofOneMax: number = max / 2) {
    this.#max = max;
    this.#ofOneMax = ofOneMax;
  }

  get all(): number {
    return this.#all;
  }

  /** A client without a share may exceed its bound at once. */
  isOver(client: string, more = 0): boolean {
    const own = this.#byClient.get(client) ?? 0;
    return this.#all + more > this.#max || (own > 0 && own + more > this.#ofOneMax);
  }

  add(client: string, more: number): void {
    this.#all += more;
    const own = (this.#byClient.get(client) ?? 0) + more;
    if (own > 0) {
      this.#byClient.set(client, own);
    } else {
      this.#byClient.delete(client);
    }
  }

  remove(client: string, less: number): void {
    this.add(client, -less);
  }
}
