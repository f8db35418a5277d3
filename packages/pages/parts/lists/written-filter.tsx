import type { JSX } from "preact";
import { t } from "../../texts/texts.ts";
import { useQuery } from "../use-query.ts";

/** A filter that one writes, which is in the URL under `name`; Enter applies it. */
export function WrittenFilter({
  name,
  label,
  max,
  example,
}: {
  readonly name: string;
  readonly label: string;
  readonly max: number;
  /** An example, shown while the field is empty. */
  readonly example?: string;
}): JSX.Element {
  const { query, change } = useQuery();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem(name);
    change({ [name]: (field as HTMLInputElement).value.trim(), cursor: undefined });
  };
  return (
    <form class="choice" onSubmit={submit}>
      <label>
        <span>{label}</span>{" "}
        <input
          key={query[name]}
          type="search"
          name={name}
          defaultValue={query[name]}
          maxLength={max}
          placeholder={example}
          autocomplete="off"
          spellcheck={false}
          size={12}
        />
      </label>{" "}
      <button type="submit">{t().list.filter}</button>
    </form>
  );
}
