/** How long after their last movement a reader counts as reading. */
const READING_MS = 3000;
/** A reader who has scrolled further is not at the top of a list. */
const TOP_PX = 80;

let lastMoved = Number.NEGATIVE_INFINITY;

for (const event of ["pointermove", "pointerdown", "keydown", "wheel", "touchmove"]) {
  addEventListener(event, () => (lastMoved = performance.now()), { passive: true, capture: true });
}

/** Whether a change of a list now would move entries while the reader looks at or touches them. */
export function wouldDisturb(list: Element | null): boolean {
  return (
    performance.now() - lastMoved < READING_MS ||
    scrollY > TOP_PX ||
    list?.contains(document.activeElement) === true
  );
}
