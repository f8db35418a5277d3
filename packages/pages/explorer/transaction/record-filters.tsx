import type { JSX } from "preact";
import { Choice } from "../../parts/lists/choice.tsx";
import { TimeFilter } from "../../parts/lists/time-filter.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { t } from "../../texts/texts.ts";
import { typesOfKind } from "./record-kinds.ts";

/** In the API's form. */
export interface RecordFilter {
  /** Types, separated by commas. */
  readonly type?: string;
  /** Unix seconds. */
  readonly since?: string;
  readonly until?: string;
}

export function recordFilter(query: Readonly<Record<string, string>>): RecordFilter {
  const type = typesOfKind(query["kind"]) ?? query["type"] ?? "";
  const { since = "", until = "" } = query;
  return {
    ...(type === "" ? {} : { type }),
    ...(since === "" ? {} : { since }),
    ...(until === "" ? {} : { until }),
  };
}

export function RecordFilters(): JSX.Element {
  const { query } = useQuery();
  const texts = t().explorer.records;
  const kinds = Object.entries(texts.kinds);
  const { type = "" } = query;
  return (
    <>
      <Choice
        name="kind"
        label={texts.filter.kind}
        options={[["", type === "" ? texts.filter.all : type], ...kinds]}
      />
      <TimeFilter name="since" label={texts.filter.since} />
      <TimeFilter name="until" label={texts.filter.until} />
    </>
  );
}
