import type { Found, SearchRequest } from "@moneta/sdk";
import type { JSX } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { t } from "../../texts/texts.ts";

const PAUSE_MS = 120;
const SUGGESTED_MAX = 4;

/** Draws suggestions; loaded with the first of them. */
type FoundThings = typeof import("./suggestions.tsx");

interface Suggested {
  readonly found: readonly Found[];
  readonly things: FoundThings;
}

/** Source: WAI-ARIA, combobox. */
interface ComboboxInput {
  readonly role: "combobox";
  readonly "aria-expanded": boolean;
  readonly "aria-controls": string;
  readonly "aria-autocomplete": "list";
  readonly "aria-activedescendant": string | undefined;
  readonly autocomplete: "off";
  readonly spellcheck: false;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onBlur: () => void;
}

export function useCombobox({
  text,
  first = [],
  kind,
  choose,
  close,
}: {
  readonly text: string | undefined;
  /** Not searched for again. */
  readonly first?: readonly Found[];
  /** All if absent; `none` for only `first`. */
  readonly kind?: SearchRequest["kind"] | "none";
  readonly choose: (found: Found, things: FoundThings) => void;
  readonly close: () => void;
}): {
  readonly input: ComboboxInput;
  readonly list: JSX.Element;
} {
  const id = useId();
  const { found: results, things } = useSuggestions(text, { kind, mayLoad: first.length > 0 });
  const others = results.filter((one) => !first.some((known) => known.id === one.id));
  const found = text === undefined || things === undefined ? [] : [...first, ...others];
  const [place, setPlace] = useState(-1);
  useEffect(() => setPlace(-1), [text]);
  const active = found[place];
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (found.length === 0 || event.isComposing) {
      return;
    }
    if (step !== 0) {
      event.preventDefault();
      // The position above the first suggestion is the text itself.
      setPlace(((place + 1 + step + found.length + 1) % (found.length + 1)) - 1);
    } else if (event.key === "Escape") {
      event.preventDefault();
      close();
    } else if (event.key === "Enter" && active !== undefined && things !== undefined) {
      event.preventDefault();
      choose(active, things);
    }
  };
  return {
    input: {
      role: "combobox",
      "aria-expanded": found.length > 0,
      "aria-controls": id,
      "aria-autocomplete": "list",
      "aria-activedescendant": active === undefined ? undefined : `${id}-${place}`,
      autocomplete: "off",
      spellcheck: false,
      onKeyDown,
      onBlur: close,
    },
    list: (
      <div
        id={id}
        role="listbox"
        aria-label={t().explorer.search.suggestions}
        class="suggestions"
        hidden={found.length === 0}
      >
        {things !== undefined && found.length > 0 && (
          <things.Suggestions
            id={id}
            found={found}
            active={place}
            onChoose={(one) => choose(one, things)}
          />
        )}
      </div>
    ),
  };
}

/** After a pause. A failed request gives no suggestions. */
function useSuggestions(
  text: string | undefined,
  { kind, mayLoad }: { readonly kind: SearchRequest["kind"] | "none"; readonly mayLoad: boolean },
): Partial<Pick<Suggested, "things">> & Pick<Suggested, "found"> {
  const [suggested, setSuggested] = useState<Suggested>();
  useEffect(() => {
    if (text === undefined || (text === "" && !mayLoad)) {
      setSuggested(undefined);
      return undefined;
    }
    const abort = new AbortController();
    const { signal } = abort;
    const search = async (): Promise<void> => {
      try {
        const things = await import("./suggestions.tsx");
        if (mayLoad && !signal.aborted) {
          setSuggested((before) => ({ found: before?.found ?? [], things }));
        }
        const request = { text, limit: SUGGESTED_MAX, ...(kind === undefined ? {} : { kind }) };
        const found =
          kind === "none" ? [] : await things.searchLedger(request as SearchRequest, { signal });
        if (!signal.aborted) {
          setSuggested({ found, things });
        }
      } catch {}
    };
    const timer = setTimeout(() => void search(), text === "" ? 0 : PAUSE_MS);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [text, kind, mayLoad]);
  return text === undefined ? { found: [] } : (suggested ?? { found: [] });
}
