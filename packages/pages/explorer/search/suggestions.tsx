import type { Found } from "@moneta/sdk";
import type { JSX } from "preact";
import { FoundThing, foundHref } from "./found-thing.tsx";
import "./search.css";

export { foundHref, searchLedger } from "./found-thing.tsx";

export function Suggestions({
  id,
  found,
  active,
  onChoose,
}: {
  readonly id: string;
  readonly found: readonly Found[];
  readonly active: number;
  readonly onChoose: (found: Found) => void;
}): JSX.Element {
  return (
    <>
      {found.map((one, place) => (
        // The arrow keys of the field move between them.
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has focus.
        <div
          key={foundHref(one)}
          id={`${id}-${place}`}
          role="option"
          aria-selected={place === active}
          // Otherwise the field loses focus and the list closes before the click.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(one)}
        >
          <FoundThing found={one} />
        </div>
      ))}
    </>
  );
}
