import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";
import { useCombobox } from "./combobox.tsx";

/** Suggestions lead to their views; Enter shows all results. Source: explorer §2. */
export function SearchField(): JSX.Element {
  const { route, path, query } = useLocation();
  const searched = path.endsWith("/search") ? (query["q"] ?? "") : "";
  const field = useRef<HTMLInputElement>(null);
  const isTyping = useRef(false);
  const [typed, setTyped] = useState("");
  // Text typed while another view is loaded stays.
  useEffect(() => {
    if (field.current !== null && !isTyping.current) {
      field.current.value = searched;
    }
  }, [path, searched]);
  useSlash(field);
  const close = (): void => setTyped("");
  const open = (href: string): void => {
    isTyping.current = false;
    close();
    field.current?.blur();
    route(href);
  };
  const { input, list } = useCombobox({
    text: typed === "" ? undefined : typed,
    choose: (found, { foundHref }) => open(foundHref(found)),
    close,
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const text = field.current?.value.trim() ?? "";
    if (text !== "") {
      open(link.search(text));
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
          {...input}
          aria-keyshortcuts="/"
          defaultValue={searched}
          onInput={({ currentTarget }) => {
            isTyping.current = true;
            setTyped(currentTarget.value.trim());
          }}
          placeholder={t().explorer.search.placeholder}
          aria-label={t().explorer.search.label}
        />
      </form>
      {list}
    </search>
  );
}

/** `/` moves the focus here, unless it is typed into another field. */
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
