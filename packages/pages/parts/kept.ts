/**
 * A value that the browser stores under a name for later visits; undefined if there is none or
 * storage is closed to this site. Then a page works as on a first visit.
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
    // The reader's choice is still in use.
  }
}
