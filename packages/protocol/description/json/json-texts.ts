import { refuse } from "../faults.ts";
import type { Parameter } from "../parameter.ts";
import type { JsonList } from "./json-list.ts";
import { jsonArrayParameter, refuseShape } from "./json-parameter.ts";

/**
 * JSON text of an array of `min` to `max` texts, or 1007; a wrong number is refused with 3002, a
 * repeated text with 3004. Source: conventions §1.8, mrc401 §1.4.
 */
export function jsonTexts(options: {
  readonly min: number;
  readonly max: number;
  /** What the texts are, in the plural. */
  readonly of: string;
}): Parameter<JsonList<string>> {
  const { min, max, of } = options;
  return jsonArrayParameter<JsonList<string>>({
    wanted: `JSON text of an array of ${min} to ${max} ${of}, each once`,
    schema: {
      type: "array",
      minItems: min,
      maxItems: max,
      uniqueItems: true,
      items: { type: "string", minLength: 1 },
    },
    refusals: ["3002", "3004"],
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
      const reason = "is in the list twice";
      return twice === -1
        ? { text, entries }
        : refuse({ code: "3004", parameter: `${name}[${twice}]`, reason });
    },
  });
}
