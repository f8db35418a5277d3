import { Refused, refuse } from "./faults.ts";
import {
  type JsonNode,
  type JsonNumber,
  type JsonObject,
  JsonTextError,
  parseJsonText,
} from "./json-text.ts";
import {
  givenText,
  keptText,
  type Parameter,
  type Parameters,
  type ValuesOf,
} from "./parameters.ts";
import { type RawValue, shown } from "./raw-parameters.ts";

/** A list that came as JSON text: the text exactly as it was sent, because signatures cover it, and what it says. */
export interface JsonList<E> {
  readonly text: string;
  readonly entries: readonly E[];
}

type EntryCheck<E> = (
  entry: E,
  parameter: string,
  values: Readonly<Record<string, unknown>>,
) => Refused | undefined;

/**
 * JSON text of an array of `min` to `max` objects of one shape. What is no such JSON is refused with 1007, another number of entries
 * with 3002; the members of the entries are read after all other parameters, entry by entry. Source: conventions §1.8, accounts §11.
 */
export function jsonList<P extends Parameters>(options: {
  readonly min: number;
  readonly max: number;
  readonly members: P;
  readonly check?: EntryCheck<ValuesOf<P>>;
}): Parameter<JsonList<ValuesOf<P>>> {
  const names = Object.entries(options.members);
  const wanted = `JSON text of an array of ${options.min} to ${options.max} objects with the keys ${names.map(([name]) => name).join(", ")}`;
  const refuseShape = (reason: string, name: string): Refused =>
    refuse({ code: "1007", parameter: name, reason });
  // Between the two looks a list stands with its entries still unread.
  type Unread = JsonList<unknown> & { readonly unread: readonly JsonObject[] };

  return {
    wanted,
    schema: {
      type: "array",
      minItems: options.min,
      maxItems: options.max,
      items: {
        type: "object",
        required: names.filter(([, member]) => !member.optional).map(([name]) => name),
        properties: Object.fromEntries(
          names.map(([name, member]) => [name, { ...member.schema, description: member.wanted }]),
        ),
      },
    },
    optional: false,
    absent: { text: "", entries: [] },
    aliases: [],
    cutAt: undefined,
    role: "value",
    takesJson: true,
    isInteger: false,
    missing: (name) => refuse({ code: "1000", parameter: name }),
    malformed: (raw: RawValue, name) => refuseShape(`${shown(raw)} is no array`, name),

    read(text, name) {
      const root = parseJsonText(text);
      if (root instanceof JsonTextError) {
        return refuseShape(root.reason, name);
      }
      if (root === null || typeof root !== "object" || root.kind !== "array") {
        return refuseShape("it is no array", name);
      }
      const unread: JsonObject[] = [];
      for (const [index, node] of root.items.entries()) {
        if (node === null || typeof node !== "object" || node.kind !== "object") {
          return refuseShape(`entry ${index} is no object`, name);
        }
        for (const [key, member] of names) {
          const value = node.members.get(key);
          if (value !== undefined && !mayStandFor(member, value)) {
            const kinds = member.isInteger ? "a string of digits or a number" : "a string";
            return refuseShape(`${key} of entry ${index} must be ${kinds}`, name);
          }
        }
        unread.push(node);
      }
      if (unread.length < options.min || unread.length > options.max) {
        return refuse({ code: "3002", parameter: name, count: unread.length, max: options.max });
      }
      return { text, entries: [], unread } satisfies Unread as JsonList<ValuesOf<P>>;
    },

    settle(list, name, values) {
      const entries: ValuesOf<P>[] = [];
      for (const [index, node] of (list as Unread).unread.entries()) {
        const entry = readEntry<P>(names, node, `${name}[${index}]`);
        if (entry instanceof Refused) {
          return entry;
        }
        const refused = options.check?.(entry, `${name}[${index}]`, values);
        if (refused !== undefined) {
          return refused;
        }
        entries.push(entry);
      }
      return { text: list.text, entries };
    },
  };
}

function readEntry<P extends Parameters>(
  members: readonly (readonly [keyof P & string, Parameter<unknown>])[],
  node: JsonObject,
  path: string,
): ValuesOf<P> | Refused {
  for (const [key, member] of members) {
    const given = node.members.get(key);
    if (!member.optional && (given === undefined || given === "")) {
      return member.missing(`${path}.${key}`);
    }
  }
  const entry: Record<string, unknown> = {};
  for (const [key, member] of members) {
    const given = node.members.get(key);
    if (given === undefined || given === "") {
      entry[key] = member.absent;
      continue;
    }
    const whole = givenText(member, given as EntryValue, `${path}.${key}`);
    if (whole instanceof Refused) {
      return whole;
    }
    const value = member.read(keptText(member, whole), `${path}.${key}`);
    if (value instanceof Refused) {
      return value;
    }
    entry[key] = value;
  }
  return entry as ValuesOf<P>;
}

/** What may stand in an entry, once `mayStandFor` has been asked. */
type EntryValue = string | JsonNumber;

function mayStandFor(member: Parameter<unknown>, node: JsonNode): node is EntryValue {
  if (typeof node === "string") {
    return true;
  }
  return member.isInteger && node !== null && typeof node === "object" && node.kind === "number";
}
