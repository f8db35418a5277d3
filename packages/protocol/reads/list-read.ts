import { type Example, type Read, type Route, read } from "../description/operation.ts";
import type { Parameter, Parameters } from "../description/parameter.ts";
import {
  type Cursor,
  cursor,
  cursorText,
  pageLimit,
  placeCursor,
  textCursor,
} from "../description/parameters/cursor.ts";
import { listSchema, type Shown } from "../description/shown.ts";
import type { Json } from "../text/canonical-json.ts";

export interface Paging<C extends number | string> {
  readonly limit: Parameter<number | undefined>;
  readonly cursor: Parameter<Cursor<C> | undefined>;
}

export interface ListRead<P extends Parameters, C extends number | string>
  extends Read<P & Paging<C>> {
  readonly list: string;
  readonly filters: P;
  readonly isOfBlocks: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: the registries hold descriptions of all kinds of parameters.
export type AnyListRead = ListRead<any, any>;

interface List<P extends Parameters>
  extends Pick<Read<P>, "name" | "about" | "refusals" | "check"> {
  readonly title: string;
  readonly route: Route;
  readonly list: string;
  readonly filters: P;
  readonly filtersExample: NoInfer<Example<P>>;
  readonly isOfBlocks?: boolean;
  readonly entries: string;
  readonly shown: Shown;
  readonly otherExamples?: { readonly [form: string]: NoInfer<Example<P>> };
  readonly page?: readonly Json[];
}

type Places<C extends number | string> = { readonly after: C; readonly next?: C };

/** In examples of cursors. */
const PLACES: Places<number> = { after: 41, next: 40 };

/** Source: chain §10. */
export function listRead<P extends Parameters>(
  given: List<P> & Partial<Places<number>>,
): ListRead<P, number> {
  return described({ ...PLACES, ...given }, cursor(given.list));
}

/** Source: chain §10. */
export function textListRead<P extends Parameters>(
  given: List<P> & Places<string>,
): ListRead<P, string> {
  return described(given, textCursor(given.list));
}

/** Source: chain §10. */
export function placeListRead<P extends Parameters>(
  given: List<P> & Partial<Places<number>>,
): ListRead<P, string> {
  return described<P, string>({ ...PLACES, ...given } as never, placeCursor(given.list));
}

function described<P extends Parameters, C extends number | string>(
  {
    list,
    filters,
    filtersExample,
    entries,
    shown,
    page,
    after,
    next,
    otherExamples = {},
    isOfBlocks = false,
    ...given
  }: List<P> & Places<C>,
  place: Parameter<Cursor<C> | undefined>,
): ListRead<P, C> {
  const items = page ?? [shown.example];
  const cursorAt = (last: C): string => cursorText(list, last, filtersExample);
  const example: Example<Parameters> = {
    ...filtersExample,
    limit: String(items.length),
    cursor: cursorAt(after),
  };
  const described = read({
    ...given,
    parameters: { ...filters, limit: pageLimit(), cursor: place },
    example: example as never,
    otherExamples: otherExamples as never,
    result: {
      kind: "json",
      about: entries,
      schema: listSchema(shown.schema, isOfBlocks),
      example: { items, ...(next === undefined ? {} : { cursor: cursorAt(next) }) },
      otherExamples: Object.fromEntries(
        Object.keys(otherExamples).map((form) => [form, { items }]),
      ),
    },
  });
  return { ...described, list, filters, isOfBlocks } as ListRead<P, C>;
}
