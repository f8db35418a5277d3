import type { JSX } from "preact";
import { t } from "../../texts/texts.ts";
import { useQuery } from "../use-query.ts";

export function WrittenFilter({
  name,
  label,
  max,
  example,
  read = (text) => text,
  shown = (value) => value,
}: {
  readonly name: string;
  readonly label: string;
  readonly max: number;
  readonly example?: string;
  /** Converts a text to its value; `shown` converts back. */
  readonly read?: (text: string) => string | Promise<string>;
  readonly shown?: (value: string) => string;
}): JSX.Element {
  const { query, change } = useQuery();
  const value = query[name];
  const text = value === undefined ? undefined : shown(value);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem(name);
    change({ [name]: await read((field as HTMLInputElement).value.trim()), cursor: undefined });
  };
  return (
    <form class="choice" onSubmit={(event) => void submit(event)}>
      <label>
        <span>{label}</span>{" "}
        <input
          key={text}
          type="search"
          name={name}
          defaultValue={text}
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
