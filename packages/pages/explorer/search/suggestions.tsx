import type { Found } from "@moneta/sdk";
import type { JSX } from "preact";
import { FoundThing, foundHref } from "./found-thing.tsx";
import "./search.css";

export { foundHref, searchLedger } from "./found-thing.tsx";

/** What a search field suggests: options of a list box, one of which may be active. */
export function Suggestions({
  found,
  active,
  onChoose,
}: {
  readonly found: readonly Found[];
  readonly active: number;
  readonly onChoose: (href: string) => void;
}): JSX.Element {
  return (
    <>
      {found.map((one, place) => (
        // The keys of the field choose among them.
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has focus.
        <div
          key={foundHref(one)}
          id={`suggestion-${place}`}
          role="option"
          aria-selected={place === active}
          // The field would lose focus, and with it the list would go before the click.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(foundHref(one))}
        >
          <FoundThing found={one} />
        </div>
      ))}
    </>
  );
}
