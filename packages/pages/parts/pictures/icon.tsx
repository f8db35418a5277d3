import type { JSX } from "preact";

/** In a square of 16 units. */
const SHAPES = {
  check: "M3 8.5 6.5 12 13 4.5",
  close: "M4 4l8 8M12 4l-8 8",
  copy: "M5.5 5.5h7v8h-7zM10 5.5v-3H3.5v8h2",
  leave: "M6.5 3.5h-3v9h9v-3M9 3h4v4M13 3 7.5 8.5",
} as const;

export function Icon({ of }: { readonly of: keyof typeof SHAPES }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[of]} />
    </svg>
  );
}
