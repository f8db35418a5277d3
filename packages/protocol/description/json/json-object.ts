import { hasAtMost } from "../../text/code-points.ts";
import { Refused, refuse } from "../faults.ts";
import { givenText, type Parameter } from "../parameter.ts";
import { refuseUnclean } from "../parameters/texts.ts";
import { rawValueOf } from "../raw-parameters.ts";
import { jsonObjectParameter, refuseShape } from "./json-parameter.ts";

/** Keeps the text as sent. */
export interface JsonMembers<V> {
  readonly text: string;
  readonly members: ReadonlyMap<string, V>;
}

export const NO_MEMBERS: JsonMembers<never> = { text: "{}", members: new Map<string, never>() };

/** Each is parsed as a URL, for up to 100 items. */
export const LINKS_MAX = 100;

/**
 * An object of texts of one kind, or 1007; 3005 beyond `lengthMax`. Source: conventions §1.8,
 * mrc401 §1.1.
 */
export function jsonObject<V>(options: {
  readonly lengthMax: number;
  readonly value: Parameter<V>;
  /** More members are refused with 3002. */
  readonly membersMax?: number;
  readonly names?: Parameter<unknown>;
}): Parameter<JsonMembers<V>> {
  const { lengthMax, value, membersMax, names } = options;
  return jsonObjectParameter<JsonMembers<V>>({
    brief: `an object of at most ${lengthMax} characters, each value ${value.brief ?? value.wanted}`,
    wanted: `JSON text of an object of at most ${lengthMax} characters whose values are each ${value.wanted}`,
    schema: {
      type: "object",
      additionalProperties: value.schema,
      ...(membersMax === undefined ? {} : { maxProperties: membersMax }),
      ...(names === undefined ? {} : { propertyNames: names.schema }),
    },
    refusals: [
      "3005",
      ...(membersMax === undefined ? [] : (["3002"] as const)),
      ...(names?.refusals ?? []),
      ...value.refusals,
    ],
    shape: "whole",
    checkText: (text, name) =>
      hasAtMost(text, lengthMax)
        ? undefined
        : refuse({
            code: "3005",
            parameter: name,
            reason: `must be of at most ${lengthMax} characters`,
          }),
    readRoot(root, text, name) {
      if (membersMax !== undefined && root.members.size > membersMax) {
        const count = root.members.size;
        return refuse({ code: "3002", parameter: name, count, max: membersMax });
      }
      const members = new Map<string, V>();
      for (const [key, node] of root.members) {
        const parameter = `${name}.${key}`;
        if (typeof node !== "string" && !value.isInteger) {
          return refuseShape(`${JSON.stringify(key.toWellFormed())} is no text`, name);
        }
        const whole = givenText(value, rawValueOf(node), parameter);
        if (whole instanceof Refused) {
          return whole;
        }
        const refused = refuseUnclean(key, name) ?? refuseUnclean(whole, parameter);
        const named = refused ?? names?.read(key, parameter);
        const read = named instanceof Refused ? named : value.read(whole, parameter);
        if (read instanceof Refused) {
          return read;
        }
        members.set(key, read);
      }
      return { text, members };
    },
    admit(_, name, object) {
      for (const [key, member] of object?.members ?? []) {
        const refused =
          typeof member === "string" ? value.admit?.(member, `${name}.${key}`, member) : undefined;
        if (refused !== undefined) {
          return refused;
        }
      }
      return undefined;
    },
  });
}
