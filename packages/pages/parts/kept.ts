/**
 * What the browser keeps under a name for later visits; undefined if it keeps nothing: there or, with
 * storage closed to this site, anywhere. Then a page works as on a first visit.
 */
export function kept(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text for later visits. With storage full or closed to this site it holds until this one ends. */
export function keep(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    // What the reader has chosen is in use all the same.
  }
}
