/** Stored for later visits; undefined if there is none or storage is closed. */
export function kept(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** With storage full or closed it holds for this visit only. */
export function keep(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    // The reader's choice is still in use.
  }
}
