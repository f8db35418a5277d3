import { Refused, refuse } from "./faults.ts";
import { JsonTextError, parseJsonText } from "./json-text.ts";
import { type Parameter, refuseUnclean } from "./parameters.ts";
import { type RawValue, shown } from "./raw-parameters.ts";

/** An object that came as JSON text: the text exactly as it was sent, and its members in their order. */
export interface JsonMembers<V> {
  readonly text: string;
  readonly members: ReadonlyMap<string, V>;
}

/**
 * JSON text of an object whose values are texts of one kind, of 1 to `lengthMax` characters; undefined where it is left out. What is no such JSON is refused
 * with 1007, a longer one with 3005. Source: conventions §1.8, mrc401 §1.4.
 */
export function jsonObject<V>(options: {
  readonly lengthMax: number;
  readonly value: Parameter<V>;
  /** Asked of each name. */
  readonly checkName?: (name: string, parameter: string) => Refused | undefined;
}): Parameter<JsonMembers<V> | undefined> {
  const { lengthMax, value, checkName } = options;
  const refuseShape = (reason: string, name: string): Refused =>
    refuse({ code: "1007", parameter: name, reason });

  /** The texts of the members. */
  const textsOf = (text: string, name: string): ReadonlyMap<string, string> | Refused => {
    const root = parseJsonText(text);
    if (root instanceof JsonTextError) {
      return refuseShape(root.reason, name);
    }
    if (root === null || typeof root !== "object" || root.kind !== "object") {
      return refuseShape("it is no object", name);
    }
    for (const [key, node] of root.members) {
      const unclean = refuseUnclean(key, name);
      if (unclean !== undefined) {
        return unclean;
      }
      if (typeof node !== "string") {
        return refuseShape(`${JSON.stringify(key)} is no text`, name);
      }
    }
    return root.members as ReadonlyMap<string, string>;
  };

  return {
    wanted: `JSON text of an object of at most ${lengthMax} characters whose values are each ${value.wanted}`,
    schema: { type: "object", additionalProperties: value.schema },
    optional: true,
    absent: undefined,
    aliases: [],
    cutAt: undefined,
    role: "value",
    takesJson: true,
    takesAnything: false,
    isInteger: false,
    takesEmpty: false,
    missing: (name) => refuse({ code: "1000", parameter: name }),
    malformed: (raw: RawValue, name) => refuseShape(`${shown(raw)} is no object`, name),
    read(text, name) {
      if (text.length > lengthMax && [...text].length > lengthMax) {
        const reason = `must be of at most ${lengthMax} characters`;
        return refuse({ code: "3005", parameter: name, reason });
      }
      const texts = textsOf(text, name);
      if (texts instanceof Refused) {
        return texts;
      }
      const members = new Map<string, V>();
      for (const [key, given] of texts) {
        const parameter = `${name}.${key}`;
        const read =
          refuseUnclean(given, parameter) ??
          checkName?.(key, parameter) ??
          value.read(given, parameter);
        if (read instanceof Refused) {
          return read;
        }
        members.set(key, read);
      }
      return { text, members };
    },
    admit(text, name) {
      const texts = textsOf(text, name);
      for (const [key, given] of texts instanceof Refused ? [] : texts) {
        const refused = value.admit?.(given, `${name}.${key}`);
        if (refused !== undefined) {
          return refused;
        }
      }
      return undefined;
    },
  };
}
