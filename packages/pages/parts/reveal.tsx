import { signal } from "@preact/signals";
import { type ComponentChildren, createContext, type JSX } from "preact";
import { useContext, useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../texts/texts.ts";

const revealed = signal<{ anchor: HTMLElement; content: ComponentChildren } | undefined>(undefined);

const MARGIN_PX = 8;
const GAP_PX = 4;

/** Rows of lists lead to views with the same in full. */
export const InList = createContext(false);

/** A fact has room for a time in full. */
export const InFacts = createContext(false);

export function Reveal({
  children,
  more,
  label,
  isMinor = false,
}: {
  readonly children: ComponentChildren;
  readonly more: () => ComponentChildren;
  readonly label?: string;
  /** The tab key passes over it in lists. */
  readonly isMinor?: boolean;
}): JSX.Element {
  const inList = useContext(InList);
  return (
    <button
      type="button"
      class="reveal"
      tabIndex={isMinor && inList ? -1 : undefined}
      aria-haspopup="dialog"
      aria-label={label}
      onClick={({ currentTarget }) => {
        revealed.value = { anchor: currentTarget, content: more() };
      }}
    >
      {children}
    </button>
  );
}

/** Once in a page. Escape and a tap elsewhere close it. */
export function RevealPlace(): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const now = revealed.value;
  // At once: otherwise the event that the last one was closed would also close this one.
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null || now === undefined) {
      return undefined;
    }
    element.showPopover();
    const stand = (): void => {
      const { left, bottom, top } = now.anchor.getBoundingClientRect();
      const { offsetWidth: width, offsetHeight: height } = element;
      const right = document.documentElement.clientWidth - width - MARGIN_PX;
      const above = Math.max(MARGIN_PX, top - height - GAP_PX);
      const isBelow = bottom + height + MARGIN_PX < innerHeight;
      element.style.left = `${Math.max(MARGIN_PX, Math.min(left, right))}px`;
      element.style.top = `${isBelow ? bottom + GAP_PX : above}px`;
    };
    stand();
    // The revealed text may still be loading.
    const growing = new ResizeObserver(stand);
    growing.observe(element);
    element.focus();
    return () => growing.disconnect();
  }, [now]);
  return (
    <div
      ref={place}
      popover="auto"
      role="dialog"
      aria-label={t().frame.more}
      tabIndex={-1}
      class="revealed"
      onToggle={(event) => {
        if (event.newState === "closed") {
          now?.anchor.focus({ preventScroll: true });
          revealed.value = undefined;
        }
      }}
    >
      {now?.content}
    </div>
  );
}
