import type { ComponentChildren, JSX } from "preact";
import "./thing-card.css";

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
  readonly note?: ComponentChildren;
  readonly isFresh?: boolean;
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
