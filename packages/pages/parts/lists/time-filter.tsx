import type { JSX } from "preact";
import { useQuery } from "../use-query.ts";

/** A filter by a time in the reader's zone, which is in the URL under `name`, as Unix seconds. */
export function TimeFilter({
  name,
  label,
}: {
  readonly name: string;
  readonly label: string;
}): JSX.Element {
  const { query, change } = useQuery();
  const choose = (text: string): void => {
    const time = Date.parse(text) / 1000;
    if (text === "" || time >= 0) {
      change({ [name]: text === "" ? undefined : String(time), cursor: undefined });
    }
  };
  return (
    <label class="choice">
      <span>{label}</span>
      <input
        key={query[name]}
        type="datetime-local"
        defaultValue={localText(query[name] ?? "")}
        max="9999-12-31T23:59"
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
    </label>
  );
}

/** As the field has it: without zone, to the minute. */
function localText(time: string): string {
  const date = new Date(/^[0-9]{1,12}$/.test(time) ? Number(time) * 1000 : Number.NaN);
  if (Number.isNaN(date.getTime()) || date.getFullYear() > 9999) {
    return "";
  }
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
