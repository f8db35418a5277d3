import { type AnyRead, csvLine, type Refused, refuse, type Schema } from "@moneta/protocol";
import { acceptedWeight, namedWeight } from "../requests/accepted.ts";
import type { Answer } from "./answer.ts";

const VALUE = "value";

/** In the description's order; undefined for reads without a list. */
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

/** Named with more weight than JSON, or named and weighed equally with all types. */
export function wantsCsv(accept: string | undefined): boolean {
  const csv = namedWeight(accept, "text/csv") ?? 0;
  const json = namedWeight(accept, "application/json");
  return (
    csv > 0 && (json === undefined ? csv >= acceptedWeight(accept, "application/json") : csv > json)
  );
}

export interface StatementForm {
  /** A byte order mark: some programs guess the encoding without it. */
  readonly hasBom: boolean;
  /** Cells that a spreadsheet would change are formulas of texts. */
  readonly isExact: boolean;
}

/**
 * `text/csv;profile=statement`, with `bom` and `exact` there or in the query. Source: chain §10.
 */
export function statementForm(
  accept: string | undefined,
  query: URLSearchParams,
): StatementForm | Refused | undefined {
  for (const range of (accept ?? "").split(",")) {
    const [type = "", ...rest] = range.split(";").map((part) => part.trim().toLowerCase());
    const parameters = new Map(
      rest.map((part): [string, string] => {
        const [name = "", value = ""] = part.split("=");
        return [name, value.replace(/^"(.*)"$/, "$1")];
      }),
    );
    if (type === "text/csv" && parameters.get("profile") === "statement") {
      const given = (name: string): string => query.get(name) ?? parameters.get(name) ?? "0";
      const wrong = ["bom", "exact"].find((name) => !["0", "1"].includes(given(name)));
      return wrong === undefined
        ? { hasBom: given("bom") === "1", isExact: given("exact") === "1" }
        : refuse({ code: "3005", parameter: wrong, reason: "must be 0 or 1" });
    }
  }
  return undefined;
}

export interface CsvPage {
  readonly lines: string;
  readonly next: Answer["next"];
}

export function csvPage({ body, next }: Answer, columns: readonly string[]): CsvPage {
  const lines = entriesIn(body).map((item) =>
    csvLine(
      typeof item === "object" && item !== null
        ? columns.map((column) => (item as Readonly<Record<string, unknown>>)[column])
        : [item],
    ),
  );
  return { lines: lines.join(""), next };
}

export function entriesIn(body: Answer["body"]): readonly unknown[] {
  const list = JSON.parse(String(body)) as unknown;
  const { items } = (Array.isArray(list) ? { items: list } : list) as {
    readonly items: readonly unknown[];
  };
  return items;
}

/** A header line, then pages, each made once the one before is read. */
export async function* csvChunks(
  columns: readonly string[],
  first: CsvPage,
  pageOf: (next: Readonly<Record<string, string>>) => Promise<CsvPage>,
  hasBom = false,
): AsyncGenerator<string> {
  yield (hasBom ? "\ufeff" : "") + csvLine(columns) + first.lines;
  for (let { next } = first; next !== undefined; ) {
    const page = await pageOf(next);
    yield page.lines;
    next = page.next;
  }
}
