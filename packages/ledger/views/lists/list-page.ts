/** The position of an entry in the order of a list. */
export interface Place<E> {
  /** The content of a cursor after it: the number, price or id by which the list is ordered. */
  readonly at: string | number;
  /** Undefined where the search has passed over an entry that the filters refuse. */
  readonly entry: E | undefined;
  /** Whether the search ends here because of its cost, although more entries may follow. */
  readonly endsPage?: boolean;
}

/** A shown entry that costs more, or less, than the bytes of its text. */
export interface Weighed {
  readonly text: string;
  readonly bytes: number;
}

/** A page of a list. `next` is the place of the last entry where more may follow. */
export interface Page {
  /** JSON texts of the entries. */
  readonly items: readonly string[];
  readonly next: string | number | undefined;
}

/** Where a page ends early. Source: chain §10. */
export const PAGE_BYTES_MAX = 4 << 20;

/**
 * A page of at most `limit` entries and, except the first, 4 MiB. It gets one entry more, which
 * shows whether there are more.
 */
export function pageOf<E>(
  places: Iterable<Place<E>>,
  show: (entry: E) => string | Weighed,
  limit: number,
): Page {
  const items: string[] = [];
  let bytes = 0;
  let last: Page["next"];
  for (const { at, entry, endsPage } of places) {
    if (entry !== undefined) {
      if (items.length === limit) {
        return { items, next: last };
      }
      const shown = show(entry);
      const { text, bytes: more } =
        typeof shown === "string" ? { text: shown, bytes: Buffer.byteLength(shown) } : shown;
      bytes += more;
      if (bytes > PAGE_BYTES_MAX && items.length > 0) {
        return { items, next: last };
      }
      items.push(text);
    }
    last = at;
    if (endsPage === true) {
      return { items, next: last };
    }
  }
  return { items, next: undefined };
}
