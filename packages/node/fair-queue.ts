/** A request without a client counts as one; an item with neither has its own turn. */
export interface Turn {
  readonly client?: string | undefined;
  /** If the request has several items. */
  readonly request?: object | undefined;
}

/**
 * An item waits for at most one turn of each other client, and between turns of its own client for
 * one of each other request. Items of one request keep their order. Source: batches §1.5.
 */
export class FairQueue<T> {
  readonly #costOf: (item: T) => number;
  readonly #turnCost: number;
  #spent = 0;
  readonly #clients: Rounds<string | object, Rounds<object, Line<T>>> = new Rounds();
  #length = 0;

  /** By default a turn is one item. */
  constructor({
    costOf = () => 1,
    turnCost = 1,
  }: { readonly costOf?: (item: T) => number; readonly turnCost?: number } = {}) {
    this.#costOf = costOf;
    this.#turnCost = turnCost;
  }

  get length(): number {
    return this.#length;
  }

  push(item: T, { client, request }: Turn = {}): void {
    this.#length += 1;
    this.#clients
      .of(client ?? request, () => new Rounds())
      .of(request, () => new Line())
      .push(item);
  }

  takeWhile(fits: (item: T) => boolean): T[] {
    const taken: T[] = [];
    for (;;) {
      const requests = this.#clients.first;
      if (requests === undefined) {
        break;
      }
      const items = requests.first as Line<T>;
      const item = items.first as T;
      if (!fits(item)) {
        break;
      }
      taken.push(item);
      this.#length -= 1;
      items.shift();
      requests.next(items.isEmpty);
      this.#spent += this.#costOf(item);
      const next = requests.first?.first;
      if (next === undefined || this.#spent + this.#costOf(next) > this.#turnCost) {
        this.#clients.next(requests.isEmpty);
        this.#spent = 0;
      }
    }
    return taken;
  }

  takeAll(): T[] {
    return this.takeWhile(() => true);
  }
}

class Line<T> {
  #items: T[] = [];
  /** Removing each item from the front would move all others. */
  #head = 0;

  get first(): T | undefined {
    return this.#items[this.#head];
  }

  get isEmpty(): boolean {
    return this.#head === this.#items.length;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    const item = this.#items[this.#head];
    this.#head += 1;
    if (this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}

class Rounds<K, V> {
  readonly #turns: Line<{ readonly key: K | undefined; readonly value: V }> = new Line();
  readonly #byKey: Map<K, V> = new Map();

  get isEmpty(): boolean {
    return this.#turns.isEmpty;
  }

  get first(): V | undefined {
    return this.#turns.first?.value;
  }

  /** A new value gets a turn at the end. Without a key: a new one. */
  of(key: K | undefined, make: () => V): V {
    const known = key === undefined ? undefined : this.#byKey.get(key);
    if (known !== undefined) {
      return known;
    }
    const value = make();
    this.#turns.push({ key, value });
    if (key !== undefined) {
      this.#byKey.set(key, value);
    }
    return value;
  }

  /** Removes the value, or gives it its next turn after all others. */
  next(isOver: boolean): void {
    const turn = this.#turns.shift();
    if (turn === undefined) {
      return;
    }
    if (!isOver) {
      this.#turns.push(turn);
    } else if (turn.key !== undefined) {
      this.#byKey.delete(turn.key);
    }
  }
}
