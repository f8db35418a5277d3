import type { JSX } from "preact";
import { useLocation } from "preact-iso";
import { t } from "../../texts/texts.ts";
import { RECORD_KINDS, typesOfKind } from "./record-kinds.ts";

/** What the URL narrows a list of records to, as the API takes it. */
export interface RecordFilter {
  /** Types, separated by commas. */
  readonly type?: string;
  /** Unix seconds. */
  readonly since?: string;
  readonly until?: string;
}

/** Reads the filter of a view's URL: `kind` or `type`, `since`, `until`. */
export function recordFilter(query: Readonly<Record<string, string>>): RecordFilter {
  const type = typesOfKind(query["kind"]) ?? query["type"] ?? "";
  const { since = "", until = "" } = query;
  return {
    ...(type === "" ? {} : { type }),
    ...(since === "" ? {} : { since }),
    ...(until === "" ? {} : { until }),
  };
}

/** Fields that narrow a list of records by kind and time; what they say is in the URL. */
export function RecordFilters(): JSX.Element {
  const { path, query, route } = useLocation();
  const texts = t().explorer.records;
  const change = (changed: Readonly<Record<string, string>>): void => {
    const { cursor: _cursor, ...kept } = { ...query, ...changed };
    const given = Object.entries(kept).filter(([, text]) => text !== "");
    route(`${path}${given.length === 0 ? "" : `?${new URLSearchParams(given)}`}`);
  };
  const { kind = "", type = "", since = "", until = "" } = query;
  const isFiltered = [kind, type, since, until].some((text) => text !== "");
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <label>
        {texts.filter.kind}
        <select
          value={kind || (type && "type")}
          onChange={({ currentTarget: { value } }) => change({ kind: value, type: "" })}
        >
          <option value="">{texts.filter.all}</option>
          {Object.keys(RECORD_KINDS).map((one) => (
            <option key={one} value={one}>
              {texts.kinds[one as keyof typeof RECORD_KINDS]}
            </option>
          ))}
          {type !== "" && <option value="type">{type}</option>}
        </select>
      </label>
      <TimeField
        label={texts.filter.since}
        time={since}
        choose={(time) => change({ since: time })}
      />
      <TimeField
        label={texts.filter.until}
        time={until}
        choose={(time) => change({ until: time })}
      />
      {isFiltered && (
        <button type="button" onClick={() => change({ kind: "", type: "", since: "", until: "" })}>
          {texts.filter.clear}
        </button>
      )}
    </form>
  );
}

/** A time in the reader's zone; Unix seconds in the URL. */
function TimeField({
  label,
  time,
  choose,
}: {
  readonly label: string;
  readonly time: string;
  readonly choose: (time: string) => void;
}): JSX.Element {
  return (
    <label>
      {label}
      <input
        type="datetime-local"
        defaultValue={localText(time)}
        key={time}
        max="9999-12-31T23:59"
        onChange={({ currentTarget: { value } }) => {
          const chosen = Date.parse(value) / 1000;
          if (value === "" || chosen >= 0) {
            choose(value === "" ? "" : String(chosen));
          }
        }}
      />
    </label>
  );
}

/** As the field has it: without zone, to the minute. */
function localText(time: string): string {
  const seconds = /^[0-9]{1,12}$/.test(time) ? Number(time) : Number.NaN;
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime()) || date.getFullYear() > 9999) {
    return "";
  }
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
