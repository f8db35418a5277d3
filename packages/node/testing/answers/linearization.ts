export interface Call<S> {
  /** For a report: long ones take longer than the search. */
  readonly name: () => string;
  /** When it was sent, and when its response arrived; `Infinity` without a response. */
  readonly begin: number;
  readonly end: number;
  /** Whether it may never have taken effect, for lack of a response. */
  readonly isOptional: boolean;
  /**
   * The state after it: the same object if it changes nothing, undefined if its response is
   * impossible in this state.
   */
  readonly after: (state: S) => S | undefined;
}

export interface Explanation<S> {
  /**
   * Undecided: the search has tried `statesMax` states. Then, and if there is no explanation,
   * `order` is the longest one found.
   */
  readonly kind: "explained" | "unexplained" | "undecided";
  readonly order: readonly Call<S>[];
  /** The state after `order`, and the calls of which none can follow. */
  readonly state: S;
  readonly next: readonly Call<S>[];
}

/**
 * Searches an order of the calls that makes every response right, and in which no call precedes one
 * that had its response before it was sent (linearizability).
 *
 * The search is that of Wing and Gong ("Testing and Verifying Concurrent Objects", 1993), with the
 * memory of Lowe ("Testing for linearizability", 2017): it does not repeat the same calls that lead
 * to the same state. A call that may be next and changes nothing is taken at once: any order that
 * has it later can have it here. `keyOf` is equal for equal states.
 */
export function linearize<S>(
  calls: readonly Call<S>[],
  {
    initial,
    keyOf,
    statesMax = 1_000_000,
  }: {
    readonly initial: S;
    readonly keyOf: (state: S) => string;
    readonly statesMax?: number;
  },
): Explanation<S> {
  const sorted = calls.toSorted((a, b) => a.begin - b.begin);
  const taken = new Set<number>();
  const tried = new Set<string>();
  const path: Step<S>[] = [];
  const mandatory = sorted.filter(({ isOptional }) => !isOptional).length;
  let [mandatoryTaken, low, high, state] = [0, 0, 0, initial];
  let best: Pick<Explanation<S>, "order" | "state" | "next"> | undefined;
  let open = next();

  while (mandatoryTaken < mandatory) {
    const choice = open.shift();
    if (choice === undefined) {
      note();
      const last = path.pop();
      if (last === undefined) {
        return { kind: "unexplained", order: [], state, next: [], ...best };
      }
      taken.delete(last.index);
      mandatoryTaken -= callAt(last.index).isOptional ? 0 : 1;
      ({ state, open, low } = last);
      continue;
    }
    const { index, after } = choice;
    path.push({ index, state, open: after === state ? [] : open, low });
    taken.add(index);
    high = Math.max(high, index);
    mandatoryTaken += callAt(index).isOptional ? 0 : 1;
    state = after;
    while (taken.has(low)) {
      low += 1;
    }
    let key = `${low}`;
    for (let one = low + 1; one <= high; one += 1) {
      key += taken.has(one) ? ` ${one}` : "";
    }
    key += ` ${keyOf(state)}`;
    open = tried.has(key) ? [] : next();
    tried.add(key);
    if (tried.size > statesMax) {
      note();
      return { kind: "undecided", order: [], state, next: [], ...best };
    }
  }
  return { kind: "explained", order: order(), state, next: [] };

  function callAt(index: number): Call<S> {
    return sorted[index] as Call<S>;
  }

  function order(): readonly Call<S>[] {
    return path.map(({ index }) => callAt(index));
  }

  /** The calls that can be next; one is enough if it changes nothing. */
  function next(): Choice<S>[] {
    const choices: Choice<S>[] = [];
    for (const index of candidates(sorted, taken, low)) {
      const after = callAt(index).after(state);
      if (after !== undefined && after === state) {
        return [{ index, after }];
      }
      if (after !== undefined) {
        choices.push({ index, after });
      }
    }
    return choices;
  }

  function note(): void {
    if (best === undefined || path.length > best.order.length) {
      const left = candidates(sorted, taken, low).map(callAt);
      best = { order: order(), state, next: left };
    }
  }
}

interface Choice<S> {
  readonly index: number;
  readonly after: S;
}

interface Step<S> {
  readonly index: number;
  /** The state before it, and the alternatives to it. */
  readonly state: S;
  readonly open: Choice<S>[];
  readonly low: number;
}

/**
 * The calls that may be next: no other open call had its response before they were sent. Sorted by
 * the time of their responses.
 */
function candidates<S>(
  sorted: readonly Call<S>[],
  taken: ReadonlySet<number>,
  low: number,
): number[] {
  const found: number[] = [];
  let firstEnd = Number.POSITIVE_INFINITY;
  for (let index = low; index < sorted.length; index += 1) {
    const { begin, end } = sorted[index] as Call<S>;
    if (begin > firstEnd) {
      break;
    }
    if (!taken.has(index)) {
      found.push(index);
      firstEnd = Math.min(firstEnd, end);
    }
  }
  return found
    .filter((index) => (sorted[index] as Call<S>).begin <= firstEnd)
    .sort((a, b) => (sorted[a] as Call<S>).end - (sorted[b] as Call<S>).end);
}
