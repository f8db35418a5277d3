import type { Found } from "@moneta/sdk";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";

/** Wait for further typing before a request, ms. */
const PAUSE_MS = 120;
const SUGGESTED_MAX = 4;

/** The module that draws suggestions, loaded with the first of them. */
type FoundThings = typeof import("./suggestions.tsx");

interface Suggested {
  readonly found: readonly Found[];
  readonly things: FoundThings;
}

/**
 * The search field. `/` moves the focus to it. Suggestions lead directly to what they name; Enter
 * shows all results in a view. Source: explorer §2.
 */
export function SearchField(): JSX.Element {
  const { route, path, query } = useLocation();
  const searched = path.endsWith("/search") ? (query["q"] ?? "") : "";
  const field = useRef<HTMLInputElement>(null);
  const isTyping = useRef(false);
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(-1);
  const suggested = useSuggestions(typed);
  const found = suggested?.found ?? [];
  // What somebody types while another view is loaded stays.
  useEffect(() => {
    if (field.current !== null && !isTyping.current) {
      field.current.value = searched;
    }
  }, [path, searched]);
  useSlash(field);
  const close = (): void => {
    setTyped("");
    setActive(-1);
  };
  const open = (href: string): void => {
    isTyping.current = false;
    close();
    field.current?.blur();
    route(href);
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const chosen = found[active];
    const text = field.current?.value.trim() ?? "";
    if (chosen !== undefined && suggested !== undefined) {
      open(suggested.things.foundHref(chosen));
    } else if (text !== "") {
      open(link.search(text));
    }
  };
  const move = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && found.length > 0 && !event.isComposing) {
      event.preventDefault();
      // The position above the first suggestion is the text itself.
      setActive(((active + 1 + step + found.length + 1) % (found.length + 1)) - 1);
    } else if (event.key === "Escape" && found.length > 0) {
      event.preventDefault();
      close();
    }
  };
  return (
    <search class="search">
      <form onSubmit={submit}>
        <input
          ref={field}
          type="text"
          inputMode="search"
          enterKeyHint="search"
          name="q"
          role="combobox"
          aria-expanded={found.length > 0}
          aria-controls="suggestions"
          aria-autocomplete="list"
          aria-activedescendant={active < 0 ? undefined : `suggestion-${active}`}
          aria-keyshortcuts="/"
          defaultValue={searched}
          onInput={({ currentTarget }) => {
            isTyping.current = true;
            setTyped(currentTarget.value.trim());
            setActive(-1);
          }}
          onKeyDown={move}
          onBlur={close}
          placeholder={t().explorer.search.placeholder}
          aria-label={t().explorer.search.label}
          autocomplete="off"
          spellcheck={false}
        />
      </form>
      <div
        id="suggestions"
        role="listbox"
        aria-label={t().explorer.search.suggestions}
        class="suggestions"
        hidden={found.length === 0}
      >
        {suggested !== undefined && (
          <suggested.things.Suggestions found={found} active={active} onChoose={open} />
        )}
      </div>
    </search>
  );
}

/** `/` moves the focus to the field, unless it is typed into another one. */
function useSlash(field: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isElsewhere =
        event.target instanceof Element &&
        event.target.closest("input, textarea, select, [contenteditable]") === null;
      if (event.key === "/" && isElsewhere && !(event.ctrlKey || event.metaKey || event.altKey)) {
        event.preventDefault();
        field.current?.focus();
        field.current?.select();
      }
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, []);
}

/** The search results for a typed text, after a pause. A failed request gives no suggestions. */
function useSuggestions(text: string): Suggested | undefined {
  const [suggested, setSuggested] = useState<Suggested>();
  useEffect(() => {
    if (text === "") {
      setSuggested(undefined);
      return undefined;
    }
    const abort = new AbortController();
    const { signal } = abort;
    const timer = setTimeout(async () => {
      try {
        const things = await import("./suggestions.tsx");
        const found = await things.searchLedger(text, SUGGESTED_MAX, { signal });
        if (!signal.aborted) {
          setSuggested({ found, things });
        }
      } catch {
        // Enter opens the view, which shows the error.
      }
    }, PAUSE_MS);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [text]);
  return text === "" ? undefined : suggested;
}
