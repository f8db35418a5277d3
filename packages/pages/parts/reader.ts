const READING_MS = 3000;
/** Further down a reader is not at the top of a list. */
const TOP_PX = 80;

let lastMoved = Number.NEGATIVE_INFINITY;

for (const event of ["pointermove", "pointerdown", "keydown", "wheel", "touchmove"]) {
  addEventListener(event, () => (lastMoved = performance.now()), { passive: true, capture: true });
}

/** Whether a change now would move entries that the reader looks at or touches. */
export function wouldDisturb(list: Element | null): boolean {
  return (
    performance.now() - lastMoved < READING_MS ||
    scrollY > TOP_PX ||
    list?.contains(document.activeElement) === true
  );
}
