import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** What is revealed now, and beside which button. */
const revealed = signal<{ anchor: HTMLElement; content: ComponentChildren } | undefined>(undefined);

const MARGIN_PX = 8;

/** A short text that tells more when it is tapped: the exact amount, the absolute time. */
export function Reveal({
  children,
  more,
  label,
}: {
  readonly children: ComponentChildren;
  readonly more: () => ComponentChildren;
  readonly label?: string;
}): JSX.Element {
  return (
    <button
      type="button"
      class="reveal"
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

/** Where revealed texts are shown, once in a page. Escape and a tap elsewhere close it. */
export function RevealPlace(): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const now = revealed.value;
  useEffect(() => {
    const element = place.current;
    if (element === null || now === undefined) {
      return;
    }
    element.showPopover();
    const { left, bottom, top } = now.anchor.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = element;
    const right = document.documentElement.clientWidth - width - MARGIN_PX;
    element.style.left = `${Math.max(MARGIN_PX, Math.min(left, right))}px`;
    element.style.top = `${bottom + height + MARGIN_PX < innerHeight ? bottom + 4 : Math.max(MARGIN_PX, top - height - 4)}px`;
    element.focus();
  }, [now]);
  return (
    <div
      ref={place}
      popover="auto"
      role="dialog"
      aria-label="…"
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
