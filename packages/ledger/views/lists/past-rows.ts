import type { ListedPlace } from "../../state/tables/earlier-entries.ts";
import type { StateTables } from "../../state/tables/tables.ts";
import type { Place } from "./list-page.ts";

/** Passed-over entries of a page that were not in the list as of the block. */
export const PASSED_MAX = 1000;

export interface PastList<E> {
  readonly tables: StateTables;
  readonly name: string;
  readonly current: Iterable<ListedPlace>;
  readonly after: string | number;
  readonly isAscending: boolean;
  readonly limit: number;
  /** The entry as of the block; undefined if it was not in the list. */
  readonly read: (at: ListedPlace) => E | undefined;
}

/** Of those in it now or gone since, the ones that were in it then. Source: proofs §1.2. */
export function* pastPlaces<E>({ read, limit, ...list }: PastList<E>): Generator<Place<E>> {
  let passed = 0;
  let found = 0;
  for (const { at, isCandidate } of candidates(list)) {
    const entry = isCandidate ? read(at) : undefined;
    if (entry !== undefined) {
      yield { at: at.place, entry };
      found += 1;
      if (found === limit) {
        return;
      }
    } else {
      passed += 1;
      if (passed === PASSED_MAX) {
        yield { at: at.place, entry: undefined, endsPage: true };
        return;
      }
    }
  }
}

function* candidates({
  tables,
  name,
  current,
  after,
  isAscending,
}: Omit<PastList<unknown>, "read" | "limit">): Generator<{
  readonly at: ListedPlace;
  readonly isCandidate: boolean;
}> {
  const height = tables.earlier.past?.height ?? 0;
  const present = current[Symbol.iterator]();
  const left = tables.earlier.left(name, { after, isAscending });
  try {
    let one = present.next();
    let other = left.next();
    while (one.done !== true || other.done !== true) {
      const isPresent =
        one.done !== true &&
        (other.done === true ||
          one.value.place === other.value.place ||
          one.value.place < other.value.place === isAscending);
      if (isPresent && one.done !== true) {
        const at = one.value;
        one = present.next();
        if (other.done !== true && other.value.place === at.place) {
          other = left.next();
        }
        yield { at, isCandidate: true };
      } else if (other.done !== true) {
        const at = other.value;
        other = left.next();
        yield { at, isCandidate: at.height > height };
      }
    }
  } finally {
    // Statements that are not read to their end prevent the snapshot from being closed.
    present.return?.();
    left.return(undefined);
  }
}
