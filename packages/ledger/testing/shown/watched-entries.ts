import { NO_TIMES } from "../../state/auction.ts";

/** Members that no entry has while they have these values; `policy` follows from its number. */
export const DEFAULTS: { readonly [name: string]: unknown } = {
  ...{ policy: {}, policy_number: 0, face_price: "0", face_token: "0", held_since: 0 },
  ...{ attributes: {}, metadatahash: "", frozen: 0 },
  ...NO_TIMES,
};

/** A `GET` response without the members that entries and records leave out. */
export function withoutDefaults(shown: object): object {
  return Object.fromEntries(
    Object.entries(shown).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(DEFAULTS[name]),
    ),
  );
}

/**
 * An entry that an operation has made or changed, as its `GET` shows it, or would have shown it
 * before.
 */
export interface ShownEntry<E extends object> {
  readonly before: E | undefined;
  readonly after: E;
}

/**
 * The values that a record of the entry must have. `isFirst` is false for a second record of an
 * entry that the operation creates; `derived` are members of a `GET` response that the state entry
 * lacks. Source: conventions §8.4.
 */
export function shownValues<E extends object>(
  { before, after }: ShownEntry<E>,
  isFirst: boolean,
  derived: readonly string[] = [],
): object {
  if (before === undefined && isFirst) {
    return withoutDefaults(after);
  }
  const earlier = new Map(Object.entries(before ?? {}));
  return Object.fromEntries(
    Object.entries(before === undefined ? withoutDefaults(after) : after).filter(
      ([name, value]) =>
        !derived.includes(name) && JSON.stringify(earlier.get(name)) !== JSON.stringify(value),
    ),
  );
}

/** Entries by id, with the changes of each operation. */
export class WatchedEntries<E extends object> extends Map<string, E> {
  readonly #before: Map<string, E | undefined> = new Map();

  override set(id: string, entry: E): this {
    if (!this.#before?.has(id)) {
      this.#before?.set(id, this.get(id));
    }
    return super.set(id, entry);
  }

  begin(): void {
    this.#before.clear();
  }

  /** The operation's change of an entry; undefined if there is none. */
  change(id: string): ShownEntry<E> | undefined {
    const after = this.get(id);
    return this.#before.has(id) && after !== undefined
      ? { before: this.#before.get(id), after }
      : undefined;
  }
}
