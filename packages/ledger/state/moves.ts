/** What moves: amounts of tokens, whole MRC401 items, free units of MRC402 items. */
export type MoveKind = "tokens" | "items" | "units";

/** What an operation has moved for an address: by id, positive for what it received; 0 remains. */
export type AddressMoves = { readonly [K in MoveKind]?: Map<string, bigint> };

/** What the current operation has moved, by address. */
export class Moves {
  readonly #of: Map<string, { [K in MoveKind]?: Map<string, bigint> }> = new Map();

  /** Adds to what has moved for an address. An amount of 0 counts as a move. */
  add(address: string, kind: MoveKind, id: string, amount: bigint): void {
    let moves = this.#of.get(address);
    if (moves === undefined) {
      moves = {};
      this.#of.set(address, moves);
    }
    const sums = moves[kind];
    if (sums === undefined) {
      moves[kind] = new Map([[id, amount]]);
    } else {
      sums.set(id, (sums.get(id) ?? 0n) + amount);
    }
  }

  of(address: string): AddressMoves | undefined {
    return this.#of.get(address);
  }

  clear(): void {
    this.#of.clear();
  }
}
