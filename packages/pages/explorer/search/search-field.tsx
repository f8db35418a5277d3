import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";

/** The one field of the search; its results are a view. */
export function SearchField(): JSX.Element {
  const { route, path, query } = useLocation();
  const searched = path.endsWith("/search") ? (query["q"] ?? "") : "";
  const field = useRef<HTMLInputElement>(null);
  const isTyping = useRef(false);
  // What somebody types while another view is loaded stays.
  useEffect(() => {
    if (field.current !== null && !isTyping.current) {
      field.current.value = searched;
    }
  }, [path, searched]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    isTyping.current = false;
    const text = field.current?.value.trim() ?? "";
    if (text !== "") {
      field.current?.blur();
      route(link.search(text));
    }
  };
  return (
    <search class="search">
      <form onSubmit={submit}>
        <input
          ref={field}
          type="search"
          name="q"
          defaultValue={searched}
          onInput={() => {
            isTyping.current = true;
          }}
          placeholder={t().explorer.search.placeholder}
          aria-label={t().explorer.search.label}
          autocomplete="off"
          spellcheck={false}
        />
      </form>
    </search>
  );
}
