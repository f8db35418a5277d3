import { RECORD_TYPES } from "../../records/record-types.ts";
import { nearest } from "../../text/nearest.ts";
import { Refused, refuse } from "../faults.ts";
import { type Parameter, parameter, refuseValue } from "../parameter.ts";
import { commaSeparatedSchema } from "./comma-separated.ts";

const SHOWN_LENGTH_MAX = 64;

/** Source: chain §9, §10. */
export function recordType(...otherWords: readonly string[]): Parameter<string> {
  const types: ReadonlySet<string> = new Set([...RECORD_TYPES, ...otherWords]);
  return parameter<string>({
    wanted: "a type of record",
    schema: { type: "string" },
    refusals: ["3005"],
    read: (given, name) =>
      types.has(given)
        ? given
        : refuse({ code: "3005", parameter: name, reason: noType(given, types) }),
  });
}

function noType(given: string, types: ReadonlySet<string>): string {
  const start = given.slice(0, SHOWN_LENGTH_MAX).toWellFormed();
  const like = nearest(start, types);
  const meant = like === undefined ? "" : `: ${like} is one`;
  return `has ${JSON.stringify(start)}, which is no type of record${meant}`;
}

/** Source: chain §10. */
export function recordTypes(max: number): Parameter<readonly string[]> {
  const wanted = `up to ${max} types of records, separated by commas`;
  const one = recordType();
  return parameter<readonly string[]>({
    wanted,
    schema: commaSeparatedSchema(max),
    refusals: ["3005"],
    read(given, name) {
      const types = given.split(",", max + 1);
      if (types.length > max || types.includes("")) {
        return refuseValue(wanted, name);
      }
      const refused = types
        .map((type) => one.read(type, name))
        .find((read) => read instanceof Refused);
      return refused ?? types;
    },
  });
}
