import type { Parameter, Parameters } from "@moneta/protocol";
import { type Given, isList } from "../command-line/arguments.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import type { Params } from "../session/session.ts";
import { jsonText } from "../values/parameter-text.ts";
import { actorParameter, type DescribedCommand, type Element, flagName, shownName } from "./row.ts";

// One entry of a list in JSON, given in arguments and flags as if its members were parameters.

/** Members of the list that can be given as if they were parameters; none where the operation has parameters for one entry, or where entries are ids. */
export function membersOf({ description, element }: DescribedCommand): Parameters {
  if (element === undefined || element.alone !== undefined) {
    return {};
  }
  return Object.fromEntries(
    Object.entries(listOf(description.parameters, element).members ?? {}).filter(
      ([name]) => element.without?.includes(name) !== true,
    ),
  );
}

/** The argument in whose place the list may stand. */
export function listArgument({
  args = [],
  element,
  ...line
}: DescribedCommand): string | undefined {
  if (element === undefined) {
    return undefined;
  }
  const members = membersOf({ ...line, element });
  return args.includes(element.list)
    ? element.list
    : (element.alone ?? args.find((name) => name in members));
}

/** Whether the list is one of ids, several of which can be given one after the other. */
export function isOfIds({ description, element }: DescribedCommand): boolean {
  return element !== undefined && listOf(description.parameters, element).members === undefined;
}

/** What help says of the list. */
export function aboutList({ description }: DescribedCommand, element: Element): string {
  return listOf(description.parameters, element).wanted;
}

function listOf(parameters: Parameters, { list }: Element): Parameter<unknown> {
  return parameters[list] as Parameter<unknown>;
}

/** What was given of a command with an element. */
export interface Composed {
  /** Parameters and members of the entry, side by side. */
  readonly flat: Params;
  /** Whether the list itself was given. */
  readonly isList: boolean;
  /** The same as the interface wants it: members of an entry in the list. */
  wire(flat: Params): Params;
  /** What the user calls what messages call `itemdata[0].price`. */
  readonly names: ReadonlyMap<string, string>;
}

/** Puts together what was given; throws a `WrongUse` for what does not go together. */
export function composed(line: DescribedCommand, texts: Params, given: Given): Composed {
  const { element } = line;
  const plain = { flat: texts, isList: false, wire: (flat: Params) => flat, names: new Map() };
  if (element === undefined) {
    return plain;
  }
  const slot = listArgument(line) as string;
  const { [slot]: first, ...others } = texts;
  const before = line.args?.find((name) => name !== slot && isList(texts[name] ?? ""));
  if (before !== undefined) {
    throw new WrongUse(`${shownName(line, before)} is missing: a list comes behind it`);
  }
  if (first !== undefined && slot === element.list && !isOfIds(line) && !isList(first)) {
    throw new WrongUse(
      `"${first.slice(0, 40)}" is no list: one is given as JSON text, which begins with [, as @FILE or as -`,
    );
  }
  if (first !== undefined && isList(first)) {
    refuseBesideList(line, others, given);
    const list = jsonText(first, shownName(line, slot));
    return { ...plain, flat: { ...others, [element.list]: list }, isList: true };
  }
  if (isOfIds(line)) {
    const ids = first?.split(/\s+/).filter((id) => id !== "") ?? [];
    const [only = "", ...more] = ids;
    const isAlone =
      element.alone !== undefined && more.length === 0 && element.aloneIf?.(only) !== false;
    return {
      ...plain,
      flat: isAlone ? texts : { ...others, [element.list]: JSON.stringify(ids) },
      names: new Map(
        ids.map((_, index) => [`${element.list}[${index}]`, shownName(line, slot)] as const),
      ),
    };
  }
  const members = membersOf(line);
  if (element.alone !== undefined) {
    return plain;
  }
  if (!hasEntry(line, texts, members)) {
    if (given.has(COUNT)) {
      throw new WrongUse(`--${COUNT} needs ${shownName(line, element.onlyWith as string)}`);
    }
    return plain;
  }
  const count = countOf(line, texts, given);
  return {
    ...plain,
    wire: (flat) => inList(element.list, { flat, members, count }),
    names: new Map(
      Object.keys(members).map((name) => [`${element.list}[0].${name}`, shownName(line, name)]),
    ),
  };
}

/** Whether there is an entry at all; throws a `WrongUse` where something is given of the other thing that the operation does. */
function hasEntry(line: DescribedCommand, texts: Params, members: Parameters): boolean {
  const { description, element } = line;
  const condition = element?.onlyWith;
  if (condition === undefined) {
    return true;
  }
  const isThere = texts[condition] !== undefined;
  const wrong = Object.keys(texts).find((name) =>
    isThere
      ? !(name in members) && name !== condition && name !== actorParameter(description)
      : !(name in description.parameters),
  );
  if (wrong !== undefined) {
    const [shown, other] = [shownName(line, wrong), shownName(line, condition)];
    throw new WrongUse(
      isThere
        ? `${shown} does not go with ${other}: leave one of them out`
        : `${shown} needs ${other}`,
    );
  }
  return isThere;
}

function refuseBesideList(line: DescribedCommand, others: Params, given: Given): void {
  const { description, element, args = [] } = line;
  const members = membersOf(line);
  const hasForms = element?.alone !== undefined || element?.onlyWith !== undefined;
  const wrong = Object.keys(others).find(
    (name) =>
      name in members || (hasForms && name !== actorParameter(description) && !args.includes(name)),
  );
  const shown = given.has(COUNT) ? `--${COUNT}` : wrong && shownName(line, wrong);
  if (shown !== undefined) {
    throw new WrongUse(
      `${shown} is of one entry, and a list is given: its entries say it themselves`,
    );
  }
}

/** The flag that makes several entries of one. */
export const COUNT = "count";

function countOf(line: DescribedCommand, texts: Params, given: Given): number {
  const text = given.get(COUNT) ?? "1";
  const { countedWithout = "", list } = line.element as Element;
  const max = Number(line.description.parameters[list]?.schema["maxItems"]);
  if (!/^[1-9][0-9]{0,4}$/.test(text) || Number(text) > max) {
    throw new WrongUse(
      `--${COUNT} is "${text.slice(0, 40)}" but must be an integer from 1 to ${max}`,
    );
  }
  if (text !== "1" && texts[countedWithout] !== undefined) {
    throw new WrongUse(
      `--${flagName(line, countedWithout)} is of one item: leave it out with --${COUNT}`,
    );
  }
  return Number(text);
}

function inList(
  list: string,
  {
    flat,
    members,
    count,
  }: { readonly flat: Params; readonly members: Parameters; readonly count: number },
): Params {
  const pairs = Object.entries(flat);
  const entry = Object.fromEntries(
    Object.keys(members).flatMap((name) => (flat[name] === undefined ? [] : [[name, flat[name]]])),
  );
  return {
    ...Object.fromEntries(pairs.filter(([name]) => !(name in members))),
    [list]: JSON.stringify(Array.from({ length: count }, () => entry)),
  };
}
