import type { ComponentChildren, JSX } from "preact";
import "./thing-card.css";

/** Cards beside each other, as many as fit. */
export function Gallery({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <ul class="gallery" aria-label={label}>
      {children}
    </ul>
  );
}

/** One card of a gallery, which leads to the view of its subject. */
export function ThingCard({
  href,
  name,
  picture,
  note,
  isFresh = false,
  children,
}: {
  readonly href: string;
  readonly name: ComponentChildren;
  readonly picture: ComponentChildren;
  /** Where it belongs, in a few words. */
  readonly note?: ComponentChildren;
  readonly isFresh?: boolean;
  /** Its price, or its state. */
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <li class={`thing-card ${isFresh ? "fresh" : ""}`}>
      {picture}
      <div class="thing-card-text">
        <a class="thing-card-name" href={href}>
          {name}
        </a>
        {note !== undefined && <span class="quiet small">{note}</span>}
        <span class="thing-card-state">{children}</span>
      </div>
    </li>
  );
}
