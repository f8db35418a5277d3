export interface Place<E> {
  /** The cursor's content: the number, price or id that orders the list. */
  readonly at: string | number;
  /** Undefined if the filters refuse it. */
  readonly entry: E | undefined;
  /** The search ends because of its cost, although more may follow. */
  readonly endsPage?: boolean;
}

export interface Weighed {
  readonly text: string;
  readonly bytes: number;
}

/** `next` is the place of the last entry where more may follow. */
export interface Page {
  readonly items: readonly string[];
  readonly next: string | number | undefined;
}

/** Where a page ends early. Source: chain §10. */
export const PAGE_BYTES_MAX = 4 << 20;

/**
 * At most `limit` entries and, except the first, 4 MiB. One entry more shows whether there are
 * more.
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
