import {
  type AnyOperation,
  type AnyRead,
  DERIVED_OPERATIONS,
  OPERATIONS,
  type Parameter,
  READS,
} from "@moneta/protocol";

export type Encoding = "form" | "json" | "query";

type Described = AnyOperation | AnyRead;

const DESCRIBED: ReadonlyMap<string, Described> = new Map(
  [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS].flatMap((description: Described) =>
    [description.route, ...(description.otherRoutes ?? [])].map((route): [string, Described] => [
      route ?? "",
      description,
    ]),
  ),
);

export function describedAt(route: string): Described {
  const description = DESCRIBED.get(route);
  if (description === undefined) {
    throw new Error(`no description has ${route}`);
  }
  return description;
}

export function namesInPath(route: string): readonly string[] {
  return [...route.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/**
 * Path and options of `TestNode.request` for parameters under their canonical names. A read has
 * them in the query string; an operation that takes only JSON, in JSON.
 */
export function encoded(
  route: string,
  params: Readonly<Record<string, string>>,
  encoding: Encoding,
  usesAliases: boolean = false,
): [string, RequestInit] {
  const description = describedAt(route);
  const [method, pattern] = route.split(" ") as [string, string];
  const inPath = namesInPath(route);
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    description.parameters[name]?.hasSlashes
      ? (params[name] ?? "")
      : encodeURIComponent(params[name] ?? ""),
  );
  const query = new URLSearchParams();
  const body: Record<string, string> = {};
  const isJson = encoding === "json" || description.isJsonOnly === true;
  for (const [name, text] of Object.entries(params)) {
    if (inPath.includes(name)) {
      continue;
    }
    const aliases: readonly string[] = description.parameters[name]?.aliases ?? [];
    const sentAs = usesAliases ? (aliases.at(-1) ?? name) : name;
    const isInQuery =
      method === "GET" ||
      description.inQuery?.includes(name) ||
      (encoding === "query" && !isJson && !description.onlyInBody?.includes(name));
    if (isInQuery) {
      query.set(sentAs, text);
    } else {
      body[sentAs] = text;
    }
  }
  const where = query.size > 0 ? `${path}?${query}` : path;
  if (method === "GET" || Object.keys(body).length === 0) {
    return [where, { method }];
  }
  return isJson
    ? [
        where,
        {
          method,
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(asJson(body, description)),
        },
      ]
    : [where, { method, body: new URLSearchParams(body) }];
}

/** A JSON body: lists and objects as JSON, not as its text. */
export function asJson(
  body: Readonly<Record<string, string>>,
  { parameters }: Described,
): Readonly<Record<string, unknown>> {
  const structured = new Set(
    (Object.entries(parameters) as [string, Parameter<unknown>][])
      .filter(([, { takesJson }]) => takesJson)
      .flatMap(([name, { aliases }]) => [name, ...aliases]),
  );
  return Object.fromEntries(
    Object.entries(body).map(([name, text]) => [
      name,
      structured.has(name) && isStructure(text) ? JSON.parse(text) : text,
    ]),
  );
}

function isStructure(text: string): boolean {
  try {
    return JSON.parse(text) instanceof Object;
  } catch {
    return false;
  }
}
