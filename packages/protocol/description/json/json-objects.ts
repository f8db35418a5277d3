import type { Json } from "../../text/canonical-json.ts";
import { hasAtMost } from "../../text/code-points.ts";
import type { JsonNode } from "../../text/json-text.ts";
import { Refused, refuse } from "../faults.ts";
import type { Parameter } from "../parameter.ts";
import { refuseUnclean } from "../parameters/texts.ts";
import { textOf } from "../raw-parameters.ts";
import type { JsonList } from "./json-list.ts";
import { isJsonObject, jsonArrayParameter, refuseShape } from "./json-parameter.ts";

export type JsonRecord = { readonly [name: string]: Json };

/**
 * `lengthMax` code points together; integers from 0 to 2^53 - 1. Source: conventions §1.8, chain
 * §1.3.
 */
export function jsonObjects(options: {
  readonly max: number;
  readonly lengthMax: number;
}): Parameter<JsonList<JsonRecord>> {
  const { max, lengthMax } = options;
  const refuseSize = (name: string): Refused =>
    refuseShape(`it has more than ${max} entries or ${lengthMax} characters`, name);
  return jsonArrayParameter<JsonList<JsonRecord>>({
    wanted: `JSON text of an array of at most ${max} objects, ${lengthMax} characters in all`,
    schema: { type: "array", maxItems: max, items: { type: "object" } },
    shape: { kind: "array", max, items: "whole" },
    checkText: (text, name) => (hasAtMost(text, lengthMax) ? undefined : refuseSize(name)),
    readRoot(root, text, name) {
      if (root.isCut) {
        return refuseSize(name);
      }
      const entries: JsonRecord[] = [];
      for (const [index, node] of root.items.entries()) {
        if (!isJsonObject(node)) {
          return refuseShape(`entry ${index} is no object`, name);
        }
        const entry = jsonOf(node, `${name}[${index}]`);
        if (entry instanceof Refused) {
          return entry;
        }
        entries.push(entry as JsonRecord);
      }
      return { text, entries };
    },
  });
}

/** Refused if the chain cannot store it. */
function jsonOf(node: JsonNode, parameter: string): Json | Refused {
  if (typeof node === "string") {
    return refuseUnclean(node, parameter) ?? node;
  }
  if (typeof node !== "object" || node === null) {
    return node;
  }
  switch (node.kind) {
    case "number": {
      const integer = Number(textOf(node) ?? "-1");
      const reason = `${node.source} is no integer from 0 to 2^53 - 1; write it as text`;
      return integer >= 0 ? integer : refuse({ code: "1007", parameter, reason });
    }
    case "array": {
      const items = node.items.map((item) => jsonOf(item, parameter));
      return items.find((item) => item instanceof Refused) ?? (items as Json[]);
    }
    case "object": {
      const members: [string, Json][] = [];
      for (const [name, member] of node.members) {
        const value = refuseUnclean(name, parameter) ?? jsonOf(member, parameter);
        if (value instanceof Refused) {
          return value;
        }
        members.push([name, value]);
      }
      // An assignment would treat a member named `__proto__` differently.
      return Object.fromEntries(members);
    }
  }
}
