import { type AnyRead, csvLine, type Schema } from "@moneta/protocol";
import { acceptedWeight, namedWeight } from "../requests/accepted.ts";
import type { Answer } from "./answer.ts";

/** The column of a list of plain texts. */
const VALUE = "value";

/** The members of a list's entries, in the description's order; undefined for other reads. */
export function csvColumns({ result }: AnyRead): readonly string[] | undefined {
  const entry = result.kind === "json" ? entrySchema(result.schema) : undefined;
  return entry === undefined
    ? undefined
    : entry["type"] === "string"
      ? [VALUE]
      : Object.keys((entry["properties"] as object | undefined) ?? {});
}

function entrySchema(schema: Schema): Schema | undefined {
  const { items } = (schema["properties"] ?? {}) as { readonly items?: Schema };
  const list = schema["type"] === "array" ? schema : items;
  return list?.["type"] === "array" ? (list["items"] as Schema) : undefined;
}

/**
 * Whether a client prefers CSV: `Accept` names it, with more weight than JSON. Weighed equally with
 * all types, CSV is preferred, because it is named.
 */
export function wantsCsv(accept: string | undefined): boolean {
  const csv = namedWeight(accept, "text/csv") ?? 0;
  const json = namedWeight(accept, "application/json");
  return (
    csv > 0 && (json === undefined ? csv >= acceptedWeight(accept, "application/json") : csv > json)
  );
}

/** A page of a list as CSV, and what asks for the next one. */
export interface CsvPage {
  readonly lines: string;
  readonly next: Answer["next"];
}

/** Converts a page of a list from JSON to lines of CSV, one for each entry. */
export function csvPage({ body, next }: Answer, columns: readonly string[]): CsvPage {
  const list = JSON.parse(String(body)) as unknown;
  const { items } = (Array.isArray(list) ? { items: list } : list) as {
    readonly items: readonly unknown[];
  };
  const lines = items.map((item) =>
    csvLine(
      typeof item === "object" && item !== null
        ? columns.map((column) => (item as Readonly<Record<string, unknown>>)[column])
        : [item],
    ),
  );
  return { lines: lines.join(""), next };
}

/** A whole list as CSV: a header line, and page after page, each made once the one before is read. */
export async function* csvChunks(
  columns: readonly string[],
  first: CsvPage,
  pageOf: (next: Readonly<Record<string, string>>) => Promise<CsvPage>,
): AsyncGenerator<string> {
  yield csvLine(columns) + first.lines;
  for (let { next } = first; next !== undefined; ) {
    const page = await pageOf(next);
    yield page.lines;
    next = page.next;
  }
}
