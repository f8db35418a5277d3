import type { JsonNode, JsonObject, JsonShape } from "../../text/json-text.ts";
import { Refused, refuse } from "../faults.ts";
import {
  givenSchema,
  givenText,
  type Occasion,
  type Parameter,
  type Parameters,
  readGiven,
  refusalsOfOne,
  refuseUnknownName,
  shapesOf,
  type ValuesOf,
} from "../parameter.ts";
import { type RawValue, rawValueOf, shown } from "../raw-parameters.ts";
import { isJsonObject, jsonArrayParameter, refuseShape } from "./json-parameter.ts";

/** Keeps the text as sent because signatures cover it. */
export interface JsonList<E> {
  readonly text: string;
  readonly entries: readonly E[];
}

export const NO_ENTRIES: JsonList<never> = { text: "[]", entries: [] };

interface Checks<P extends Parameters> {
  readonly checkMember?: (
    member: { readonly key: keyof P & string; readonly value: unknown; readonly parameter: string },
    has: (key: keyof P & string) => boolean,
  ) => Refused | undefined;
  readonly checkEntry?: (
    entry: ValuesOf<P>,
    parameter: string,
    values: Readonly<Record<string, unknown>>,
  ) => Refused | undefined;
}

export type JsonListOptions<P extends Parameters> = {
  readonly min: number;
  readonly max: number;
  readonly members: P;
  readonly distinctBy?: keyof P & string;
  /** A repeated one is refused with 3004. */
  readonly identity?: (entry: ValuesOf<P>) => string | undefined;
  /**
   * A member of a wrong JSON type, instead of an integer's own code. Source: conventions §3, mrc401
   * §1.1; accounts §11.
   */
  readonly kindFault?: "1007";
  readonly countFault?: "1007";
} & Checks<P>;

/**
 * Refuses other JSON with 1007, a wrong number with 3002; reads members after all other parameters.
 * Source: conventions §1.8, accounts §11.
 */
export function jsonList<P extends Parameters>(
  options: JsonListOptions<P>,
): Parameter<JsonList<ValuesOf<P>>> {
  const members = Object.entries(options.members).map(
    ([key, member]): Member => ({ key, member, names: [key, ...member.aliases] }),
  );
  const keys = members.map(({ key }) => key);
  const brief = `an array of ${options.min} to ${options.max} objects`;
  const wanted = `JSON text of ${brief} with the keys ${keys.join(", ")}`;
  const refuseElement = (
    reason: string,
    { name, index, key }: { readonly name: string; readonly index: number; readonly key?: string },
  ): Refused => {
    const element = key === undefined ? `${name}[${index}]` : `${name}[${index}].${key}`;
    return options.kindFault === undefined
      ? refuseShape(`of ${element} ${reason}`, name)
      : refuseShape(reason, element);
  };
  const isDistinct = options.distinctBy !== undefined || options.identity !== undefined;
  const shape: JsonShape = {
    kind: "array",
    max: options.max,
    items: { kind: "object", members: shapesOf(options.members) },
  };
  type Unread = JsonList<unknown> & { readonly unread: readonly JsonObject[] };

  return jsonArrayParameter<JsonList<ValuesOf<P>>>({
    brief,
    wanted,
    schema: {
      type: "array",
      minItems: options.min,
      maxItems: options.max,
      items: {
        type: "object",
        required: members.filter(({ member }) => !member.optional).map(({ key }) => key),
        properties: Object.fromEntries(
          members.map(({ key, member }) => [key, { ...givenSchema(member, !member.optional) }]),
        ),
      },
    },
    refusals: [
      ...(options.countFault === undefined ? (["3002"] as const) : []),
      ...members.flatMap(({ member }) => refusalsOfOne(member)),
      ...(isDistinct ? (["3004"] as const) : []),
    ],
    members: options.members,

    shape,
    readRoot(root, text, name) {
      const unread: JsonObject[] = [];
      for (const [index, node] of root.items.entries()) {
        if (!isJsonObject(node)) {
          return refuseElement("it is no object", { name, index });
        }
        for (const { key, member, names } of members) {
          for (const alias of names) {
            if (!isOfKind(member, node.members.get(alias), options.kindFault)) {
              return refuseElement("it is no text", { name, index, key });
            }
          }
        }
        unread.push(node);
      }
      const isCount = unread.length >= options.min && !root.isCut;
      const count = unread.length;
      if (!isCount && options.countFault === "1007") {
        const found = root.isCut ? `more than ${count}` : `${count}`;
        return refuseShape(
          `it has ${found} entries and must have ${options.min} to ${options.max}`,
          name,
        );
      }
      if (!isCount) {
        return refuse({
          code: "3002",
          parameter: name,
          count,
          max: options.max,
          isMore: root.isCut,
        });
      }
      return { text, entries: [], unread } satisfies Unread as JsonList<ValuesOf<P>>;
    },

    refuseUnknown(list, name) {
      const unread = (list as Unread).unread ?? [];
      const index = unread.findIndex(({ unknownName }) => unknownName !== undefined);
      const unknown = unread[index]?.unknownName;
      return unknown === undefined
        ? undefined
        : refuseUnknownName(unknown, keys, `${name}[${index}].`);
    },

    settle(list, name, values, occasion) {
      if (list === undefined || !("unread" in list)) {
        return list;
      }
      const entries: ValuesOf<P>[] = [];
      const seen = new Set<string>();
      for (const [index, node] of (list as Unread).unread.entries()) {
        const place = { node, parameter: `${name}[${index}]`, occasion };
        const twice = refuseTwice(node.members.get(options.distinctBy ?? ""), seen, place);
        if (twice !== undefined) {
          return twice;
        }
        const entry = readEntry<P>(members, options, place);
        if (entry instanceof Refused) {
          return entry;
        }
        const refused = options.checkEntry?.(entry, `${name}[${index}]`, values);
        if (refused !== undefined) {
          return refused;
        }
        const again = refuseTwice(options.identity?.(entry), seen, place);
        if (again !== undefined) {
          return again;
        }
        entries.push(entry);
      }
      return { text: list.text, entries };
    },
  });
}

/** Without `kindFault`, an integer's own code refuses another type later. */
function isOfKind(
  member: Parameter<unknown>,
  value: JsonNode | undefined,
  kindFault: "1007" | undefined,
): boolean {
  if (
    value === undefined ||
    typeof value === "string" ||
    member.takesJson ||
    member.takesAnything
  ) {
    return true;
  }
  const isNumber = typeof value === "object" && value !== null && value.kind === "number";
  return member.isInteger && (isNumber || kindFault === undefined);
}

function refuseTwice(
  identity: unknown,
  seen: Set<string>,
  { parameter }: Place,
): Refused | undefined {
  if (typeof identity !== "string") {
    return undefined;
  }
  if (seen.has(identity)) {
    return refuse({ code: "3004", parameter, reason: "is in the list twice" });
  }
  seen.add(identity);
  return undefined;
}

interface Place {
  readonly node: JsonObject;
  readonly parameter: string;
}

interface Member {
  readonly key: string;
  readonly member: Parameter<unknown>;
  readonly names: readonly string[];
}

function readEntry<P extends Parameters>(
  members: readonly Member[],
  { checkMember }: Checks<P>,
  { node, parameter: path, occasion }: Place & { readonly occasion: Occasion },
): ValuesOf<P> | Refused {
  const has = (key: string): boolean => (node.members.get(key) ?? "") !== "";
  const given: (RawValue | undefined)[] = [];
  for (const { key, member, names } of members) {
    const sent = givenUnder(names, { node, parameter: `${path}.${key}` });
    if (sent instanceof Refused) {
      return sent;
    }
    const raw = sent === "" && !member.takesEmpty ? undefined : sent;
    if (raw === undefined && !member.optional) {
      return member.missing(`${path}.${key}`);
    }
    given.push(raw);
  }
  const entry: Record<string, unknown> = {};
  for (const [index, { key, member }] of members.entries()) {
    const raw = given[index];
    if (raw === undefined) {
      entry[key] = member.absent;
      continue;
    }
    const parameter = `${path}.${key}`;
    const whole = givenText(member, raw, parameter);
    const value =
      whole instanceof Refused ? whole : readGiven(member, { raw, text: whole, name: parameter });
    if (whole instanceof Refused || value instanceof Refused) {
      return value as Refused;
    }
    const unfit = occasion === "admission" ? member.admit?.(whole, parameter, value) : undefined;
    if (unfit !== undefined) {
      return unfit;
    }
    const refused = checkMember?.({ key, value, parameter }, has);
    if (refused !== undefined) {
      return refused;
    }
    entry[key] = value;
  }
  return entry as ValuesOf<P>;
}

/** 1005 if two differ. Source: mrc401 §1.1. */
function givenUnder(
  names: readonly string[],
  { node, parameter }: Place,
): RawValue | undefined | Refused {
  let found: RawValue | undefined;
  for (const name of names) {
    const member = node.members.get(name);
    if (member === undefined) {
      continue;
    }
    const raw = rawValueOf(member);
    if (found !== undefined && shown(found) !== shown(raw)) {
      return refuse({ code: "1005", parameter });
    }
    found = raw;
  }
  return found;
}
