import type { JSX } from "preact";
import "./proof.css";

const MARKS = {
  verified: "M5 13l4 4L19 7",
  wrong: "M6 6l12 12M18 6L6 18",
  unchecked: "M12 5v9M12 18v1",
} as const;

/** The verdict does not depend on colour alone. */
export function Mark({ verdict }: { readonly verdict: keyof typeof MARKS }): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d={MARKS[verdict]} />
    </svg>
  );
}
