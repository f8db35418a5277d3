import type { JSX } from "preact";
import { useLocation } from "preact-iso";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";

/** The one field of the search; its results are a view. */
export function SearchField(): JSX.Element {
  const { route, path, query } = useLocation();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("q");
    const text = (field as HTMLInputElement).value.trim();
    if (text !== "") {
      route(link.search(text));
    }
  };
  return (
    <search class="search">
      <form onSubmit={submit}>
        <input
          key={path}
          type="search"
          name="q"
          defaultValue={path.endsWith("/search") ? query["q"] : ""}
          placeholder={t().explorer.search.placeholder}
          aria-label={t().explorer.search.label}
          autocomplete="off"
          spellcheck={false}
        />
      </form>
    </search>
  );
}
