import type { JSX } from "preact";
import { useQuery } from "../use-query.ts";

/**
 * A filter with a few values, which is in the URL under `name`. A change of it begins the list anew:
 * cursors belong to their filters.
 */
export function Choice({
  name,
  label,
  options,
  cursorName = "cursor",
  ofNames = false,
}: {
  readonly name: string;
  readonly label: string;
  /** Values with their texts; the first value is the default and stays out of the URL. */
  readonly options: readonly (readonly [value: string, text: string])[];
  /** The name of the list's cursor in the URL. */
  readonly cursorName?: string;
  /** Whether the texts are names, such as symbols of tokens, which are not translated. */
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
