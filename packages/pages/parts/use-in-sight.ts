import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Scrolls a row of links so that `current` stays in sight. */
export function useInSight(current: string): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = row.current?.querySelector<HTMLElement>("[aria-current]");
    if (row.current && link) {
      const { offsetLeft, clientWidth } = row.current;
      row.current.scrollLeft = link.offsetLeft - offsetLeft - (clientWidth - link.offsetWidth) / 2;
    }
  }, [current]);
  return row;
}
