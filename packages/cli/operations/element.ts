import type { Parameter, Parameters } from "@moneta/protocol";
import { type Given, isList } from "../command-line/arguments.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import type { Params } from "../session/session.ts";
import { jsonText } from "../values/parameter-text.ts";
import { actorParameter, type Element, flagName, type Row, shownName } from "./row.ts";

// One entry of a list, given in arguments and flags instead of JSON.

export function membersOf({ description, element }: Row): Parameters {
  if (element === undefined || element.alone !== undefined) {
    return {};
  }
  return Object.fromEntries(
    Object.entries(listOf(description.parameters, element).members ?? {}).filter(
      ([name]) => element.without?.includes(name) !== true,
    ),
  );
}

export function listArgument({ args = [], element, ...row }: Row): string | undefined {
  if (element === undefined) {
    return undefined;
  }
  const members = membersOf({ ...row, element });
  return args.includes(element.list)
    ? element.list
    : (element.alone ?? args.find((name) => name in members));
}

/** Whether the list contains ids, so that several can follow each other. */
export function isOfIds({ description, element }: Row): boolean {
  return element !== undefined && listOf(description.parameters, element).members === undefined;
}

export function aboutList({ description }: Row, element: Element): string {
  return listOf(description.parameters, element).wanted;
}

function listOf(parameters: Parameters, { list }: Element): Parameter<unknown> {
  return parameters[list] as Parameter<unknown>;
}

export interface Composed {
  readonly flat: Params;
  readonly isList: boolean;
  wire(flat: Params): Params;
  /** The user's names for those in messages, such as `itemdata[0].price`. */
  readonly names: ReadonlyMap<string, string>;
}

/** Throws a `WrongUse` if the given values exclude each other. */
export function composed(row: Row, texts: Params, given: Given): Composed {
  const { element } = row;
  const plain = { flat: texts, isList: false, wire: (flat: Params) => flat, names: new Map() };
  if (element === undefined) {
    return plain;
  }
  const slot = listArgument(row) as string;
  const { [slot]: first, ...others } = texts;
  const before = row.args?.find((name) => name !== slot && isList(texts[name] ?? ""));
  if (before !== undefined) {
    throw new WrongUse(`${shownName(row, before)} is missing: give it before the list`);
  }
  if (first !== undefined && slot === element.list && !isOfIds(row) && !isList(first)) {
    throw new WrongUse(
      `"${first.slice(0, 40)}" is no list: one is given as JSON text, which begins with [, as @FILE or as -`,
    );
  }
  if (first !== undefined && isList(first)) {
    refuseBesideList(row, others, given);
    const list = jsonText(first, shownName(row, slot));
    return { ...plain, flat: { ...others, [element.list]: list }, isList: true };
  }
  if (isOfIds(row)) {
    const ids = first?.split(/\s+/).filter((id) => id !== "") ?? [];
    const [only = "", ...more] = ids;
    const isAlone =
      element.alone !== undefined && more.length === 0 && element.aloneIf?.(only) !== false;
    return {
      ...plain,
      flat: isAlone ? texts : { ...others, [element.list]: JSON.stringify(ids) },
      names: new Map(
        ids.map((_, index) => [`${element.list}[${index}]`, shownName(row, slot)] as const),
      ),
    };
  }
  const members = membersOf(row);
  if (element.alone !== undefined) {
    return plain;
  }
  if (!hasEntry(row, texts, members)) {
    if (given.has(COUNT)) {
      throw new WrongUse(`--${COUNT} needs ${shownName(row, element.onlyWith as string)}`);
    }
    return plain;
  }
  const count = countOf(row, texts, given);
  return {
    ...plain,
    wire: (flat) => inList(element.list, { flat, members, count }),
    names: new Map(
      Object.keys(members).map((name) => [`${element.list}[0].${name}`, shownName(row, name)]),
    ),
  };
}

/** Throws a `WrongUse` if parameters belong to the other form of the operation. */
function hasEntry(row: Row, texts: Params, members: Parameters): boolean {
  const { description, element } = row;
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
    const [shown, other] = [shownName(row, wrong), shownName(row, condition)];
    throw new WrongUse(
      isThere
        ? `${shown} does not go with ${other}: leave one of them out`
        : `${shown} needs ${other}`,
    );
  }
  return isThere;
}

function refuseBesideList(row: Row, others: Params, given: Given): void {
  const { description, element, args = [] } = row;
  const members = membersOf(row);
  const hasForms = element?.alone !== undefined || element?.onlyWith !== undefined;
  const wrong = Object.keys(others).find(
    (name) =>
      name in members || (hasForms && name !== actorParameter(description) && !args.includes(name)),
  );
  const shown = given.has(COUNT) ? `--${COUNT}` : wrong && shownName(row, wrong);
  if (shown !== undefined) {
    throw new WrongUse(`${shown} is for a single entry: with a list, put it into each entry`);
  }
}

export const COUNT = "count";

function countOf(row: Row, texts: Params, given: Given): number {
  const text = given.get(COUNT) ?? "1";
  const { countedWithout = "", list } = row.element as Element;
  const max = Number(row.description.parameters[list]?.schema["maxItems"]);
  if (!/^[1-9][0-9]{0,4}$/.test(text) || Number(text) > max) {
    throw new WrongUse(
      `--${COUNT} is "${text.slice(0, 40)}" but must be an integer from 1 to ${max}`,
    );
  }
  if (text !== "1" && texts[countedWithout] !== undefined) {
    throw new WrongUse(
      `--${flagName(row, countedWithout)} is of one item: leave it out with --${COUNT}`,
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
