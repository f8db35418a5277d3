import { type AnyRead, CSV_CONTENT_TYPE, csvLine, type Schema } from "@moneta/protocol";
import type { Answer, ChunkedAnswer } from "./answer.ts";

/** Characters of a part of the answer, so that a long page yields the event loop. */
const CHUNK_LENGTH = 64 << 10;

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
 * Whether a client prefers CSV: `Accept` names it, and JSON with less weight. Source: RFC 9110
 * §12.5.1.
 */
export function wantsCsv(accept: string | undefined): boolean {
  if (accept === undefined || !accept.includes("text/csv")) {
    return false;
  }
  const csv = weightOf(["text/csv"], accept);
  return csv > 0 && csv > weightOf(["application/json"], accept);
}

function weightOf(types: readonly string[], accept: string): number {
  for (const range of accept.split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    if (types.includes(type)) {
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
      return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 1;
    }
  }
  return 0;
}

/**
 * Converts a list from JSON to CSV: a header line, and a line for each entry. The cursor goes into
 * `Link`.
 */
export function csvAnswer(
  { body, ...answer }: Answer,
  columns: readonly string[],
  path: string,
): ChunkedAnswer {
  const list = JSON.parse(String(body)) as unknown;
  const { items, cursor } = (Array.isArray(list) ? { items: list } : list) as {
    readonly items: readonly unknown[];
    readonly cursor?: string;
  };
  return {
    ...answer,
    contentType: CSV_CONTENT_TYPE,
    chunks: chunksOf(items, columns),
    headers: {
      ...answer.headers,
      ...(cursor === undefined ? {} : { Link: `<${withCursor(path, cursor)}>; rel="next"` }),
    },
  };
}

async function* chunksOf(
  items: readonly unknown[],
  columns: readonly string[],
): AsyncGenerator<string> {
  let chunk = csvLine(columns);
  for (const item of items) {
    chunk += csvLine(
      typeof item === "object" && item !== null
        ? columns.map((column) => (item as Readonly<Record<string, unknown>>)[column])
        : [item],
    );
    if (chunk.length >= CHUNK_LENGTH) {
      yield chunk;
      chunk = "";
    }
  }
  if (chunk !== "") {
    yield chunk;
  }
}

function withCursor(path: string, cursor: string): string {
  const url = new URL(path, "http://node");
  url.searchParams.set("cursor", cursor);
  return `${url.pathname}${url.search}`;
}
