import type { JSX } from "preact";
import { useQuery } from "../use-query.ts";

/** In the URL under `name`. A change begins the list anew: cursors belong to their filters. */
export function Choice({
  name,
  label,
  options,
  cursorName = "cursor",
  ofNames = false,
}: {
  readonly name: string;
  readonly label: string;
  /** The first value is the default and stays out of the URL. */
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly cursorName?: string;
  readonly ofNames?: boolean;
}): JSX.Element {
  const { query, change } = useQuery();
  const [standard = ""] = options[0] ?? [];
  return (
    <label class="choice">
      <span>{label}</span>
      <select
        {...(ofNames && { translate: false })}
        value={query[name] ?? standard}
        onChange={({ currentTarget: { value } }) =>
          change({ [name]: value === standard ? undefined : value, [cursorName]: undefined })
        }
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
