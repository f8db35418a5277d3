import assert from "node:assert/strict";
import {
  type AnyOperation,
  type AnyRead,
  DERIVED_OPERATIONS,
  GENERAL_REFUSALS,
  OPERATIONS,
  READS,
  RESERVED_WORDS,
  refusalsOf,
} from "@moneta/protocol";

interface Described {
  readonly description: AnyOperation | AnyRead;
  readonly method: string;
  readonly pattern: RegExp;
  /** The number of parameters in the path: the fewer, the better the match. */
  readonly parameters: number;
}

const DESCRIBED: readonly Described[] = [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS]
  .flatMap((description: AnyOperation | AnyRead): Described[] =>
    [description.route, ...(description.otherRoutes ?? [])]
      .filter((route) => route !== undefined)
      .map((route) => {
        const [method, path] = route.split(" ") as [string, string];
        return { description, method, ...matcher(description, path) };
      }),
  )
  .toSorted((a, b) => a.parameters - b.parameters);

function matcher(
  { parameters }: AnyOperation | AnyRead,
  path: string,
): Pick<Described, "pattern" | "parameters"> {
  const names = path.match(/\{\w+\}/g) ?? [];
  const source = names.reduce(
    (text, name) =>
      text.replace(name, parameters[name.slice(1, -1)]?.hasSlashes ? "(.*)" : "([^/]*)"),
    path,
  );
  return { pattern: new RegExp(`^${source}/?$`), parameters: names.length };
}

function descriptionOf(method: string, path: string): AnyOperation | AnyRead | undefined {
  const [, folder = "", word = ""] = /^(.*)\/([^/]*)\/?$/.exec(path) ?? [];
  for (const { description, method: own, pattern, parameters } of DESCRIBED) {
    const match = own === (method === "HEAD" ? "GET" : method) ? pattern.exec(path) : null;
    // A reserved word is no id.
    if (match === null || (parameters > 0 && RESERVED_WORDS[folder]?.includes(word))) {
      continue;
    }
    const [, id = ""] = match;
    const route = `${own} ${description.route?.split(" ")[1]}`;
    const sharing = OPERATIONS.find(({ sharedRoute }) => sharedRoute?.route === route);
    return sharing?.sharedRoute?.when(decodeURIComponent(id)) ? sharing : description;
  }
  return undefined;
}

/** Codes of the operations of a group, which come with the operation's index. */
const OF_MEMBERS: ReadonlySet<string> = new Set(OPERATIONS.flatMap(refusalsOf));

/** Codes of routes for operators, which have no description. */
const OF_OPERATORS: Readonly<Record<string, readonly string[]>> = { "/ready": ["3005"] };

/** A header of any request, which its operation does not describe. */
const HEIGHT = "Ledger-Height-Min";

/**
 * Fails if a problem's code is not listed by the request's description. So every test of a node
 * checks those lists.
 */
export function assertListed(
  { method, url }: { readonly method: string; readonly url: string },
  {
    code,
    parameter,
    index,
  }: { readonly code: string; readonly parameter?: string; readonly index?: number },
): void {
  const path = url.split("?")[0] as string;
  const description = descriptionOf(method, path);
  const listed: readonly string[] =
    description === undefined ? (OF_OPERATORS[path] ?? []) : refusalsOf(description);
  const isListed =
    listed.includes(code) ||
    (index !== undefined && OF_MEMBERS.has(code)) ||
    (GENERAL_REFUSALS as readonly string[]).includes(code) ||
    parameter === HEIGHT;
  assert.ok(
    isListed,
    `${method} ${path}: ${description?.name ?? "no description"} does not list ${code}`,
  );
}
