import { localTimeText, readTime } from "@moneta/sdk";
import type { JSX } from "preact";
import { useQuery } from "../use-query.ts";

/** Two days before it, because zones differ. */
const YEAR_10000 = 253_402_128_000;

/** In the URL under `name`, as Unix seconds, like `max`. */
export function TimeFilter({
  name,
  label,
  cursorName = "cursor",
  max = YEAR_10000,
}: {
  readonly name: string;
  readonly label: string;
  readonly cursorName?: string;
  readonly max?: number;
}): JSX.Element {
  const { query, change } = useQuery();
  const choose = (text: string): void => {
    const time = readTime(text);
    if (text === "" || typeof time === "number") {
      change({ [name]: text === "" ? undefined : String(time), [cursorName]: undefined });
    }
  };
  return (
    <label class="choice">
      <span>{label}</span>
      <input
        key={query[name]}
        type="datetime-local"
        defaultValue={inputText(query[name] ?? "")}
        max={inputText(String(max))}
        onChange={({ currentTarget }) =>
          currentTarget.reportValidity() && choose(currentTarget.value)
        }
      />
    </label>
  );
}

function inputText(seconds: string): string {
  return /^[0-9]{1,12}$/.test(seconds) && Number(seconds) <= YEAR_10000
    ? localTimeText(Number(seconds)).slice(0, 16)
    : "";
}
