/**
 * A queue in which requests take turns: an item waits for at most one item of each other request,
 * and items of one request keep their order. Source: batches §1.5.
 */
export class FairQueue<T> {
  /** Requests with items, in the order of their turns; those before `#head` are gone. */
  #turns: Turn<T>[] = [];
  #head = 0;
  /** The turns of requests that may have several items. */
  readonly #byRequest: Map<object, Turn<T>> = new Map();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Adds an item; those of no request have a turn each. */
  push(item: T, request: object | undefined): void {
    this.#length += 1;
    const waiting = request && this.#byRequest.get(request);
    if (waiting !== undefined) {
      waiting.items.push(item);
      return;
    }
    const turn = { items: [item], request };
    this.#turns.push(turn);
    if (request !== undefined) {
      this.#byRequest.set(request, turn);
    }
  }

  /** Takes the next items as long as `fits` holds for each. */
  takeWhile(fits: (item: T) => boolean): T[] {
    const taken: T[] = [];
    while (this.#length > 0) {
      const turn = this.#turns[this.#head] as Turn<T>;
      const item = turn.items[0] as T;
      if (!fits(item)) {
        break;
      }
      taken.push(item);
      this.#length -= 1;
      turn.items.shift();
      this.#head += 1;
      if (turn.items.length > 0) {
        this.#turns.push(turn);
      } else if (turn.request !== undefined) {
        this.#byRequest.delete(turn.request);
      }
    }
    // Removing each from the front would move all the others.
    if (this.#head * 2 >= this.#turns.length) {
      this.#turns = this.#turns.slice(this.#head);
      this.#head = 0;
    }
    return taken;
  }

  /** Takes all items. */
  takeAll(): T[] {
    return this.takeWhile(() => true);
  }
}

interface Turn<T> {
  readonly items: T[];
  readonly request: object | undefined;
}
