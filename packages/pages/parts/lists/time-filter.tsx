import { localTimeText, readTime } from "@moneta/sdk";
import type { JSX } from "preact";
import { useQuery } from "../use-query.ts";

/** A day before it, because zones differ. */
const YEAR_10000 = 253_402_214_400;

/** In the URL under `name`, as Unix seconds. */
export function TimeFilter({
  name,
  label,
}: {
  readonly name: string;
  readonly label: string;
}): JSX.Element {
  const { query, change } = useQuery();
  const choose = (text: string): void => {
    const time = readTime(text);
    if (text === "" || typeof time === "number") {
      change({ [name]: text === "" ? undefined : String(time), cursor: undefined });
    }
  };
  return (
    <label class="choice">
      <span>{label}</span>
      <input
        key={query[name]}
        type="datetime-local"
        defaultValue={inputText(query[name] ?? "")}
        max="9999-12-31T23:59"
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
    </label>
  );
}

function inputText(seconds: string): string {
  return /^[0-9]{1,12}$/.test(seconds) && Number(seconds) < YEAR_10000
    ? localTimeText(Number(seconds)).slice(0, 16)
    : "";
}
