import { Refused, refuse } from "../faults.ts";
import type { Parameter } from "../parameter.ts";
import type { JsonList } from "./json-list.ts";
import { jsonArrayParameter, refuseShape } from "./json-parameter.ts";

/**
 * Texts, or 1007; a wrong number is 3002, a repeated text 3004. Source: conventions §1.8, mrc401
 * §1.1.
 */
export function jsonTexts<T extends string = string>(options: {
  readonly min: number;
  readonly max: number;
  readonly of: string;
  readonly each?: Parameter<T>;
}): Parameter<JsonList<T>> {
  const { min, max, of, each } = options;
  const brief = `an array of ${min} to ${max} ${of}, each once`;
  return jsonArrayParameter<JsonList<T>>({
    brief,
    wanted: `JSON text of ${brief}`,
    schema: {
      type: "array",
      minItems: min,
      maxItems: max,
      uniqueItems: true,
      items: each?.schema ?? { type: "string", minLength: 1 },
    },
    refusals: ["3002", "3004", ...(each?.refusals ?? [])],
    shape: { kind: "array", max, items: "shallow" },
    readRoot(root, text, name) {
      const entries: string[] = [];
      for (const [index, node] of root.items.entries()) {
        if (typeof node !== "string") {
          return refuseShape("it is no text", `${name}[${index}]`);
        }
        entries.push(node);
      }
      if (entries.length < min || root.isCut) {
        return refuse({
          code: "3002",
          parameter: name,
          count: entries.length,
          max,
          isMore: root.isCut,
        });
      }
      const twice = entries.findIndex((entry, index) => entries.indexOf(entry) < index);
      if (twice !== -1) {
        const reason = "is in the list twice";
        return refuse({ code: "3004", parameter: `${name}[${twice}]`, reason });
      }
      for (const [index, entry] of entries.entries()) {
        const value = each?.read(entry, `${name}[${index}]`);
        if (value instanceof Refused) {
          return value;
        }
      }
      return { text, entries: entries as T[] };
    },
  });
}
