import { type Refused, refuse } from "./faults.ts";
import {
  type JsonArray,
  type JsonNode,
  type JsonObject,
  JsonTextError,
  parseJsonText,
} from "./json-text.ts";
import { type Parameter, parameter } from "./parameters.ts";
import { shown } from "./raw-parameters.ts";

/** What refuses a JSON text of another shape than the one asked for. Source: conventions §1.8. */
export function refuseShape(reason: string, name: string): Refused {
  return refuse({ code: "1007", parameter: name, reason });
}

type Given<T, N> = Pick<Parameter<T>, "wanted" | "schema" | "absent"> & {
  /** Besides 1007. */
  readonly refusals?: Parameter<T>["refusals"];
} & Partial<Pick<Parameter<T>, "optional" | "aliases" | "admit" | "settle" | "members">> & {
    /** The value, from the array or object at the root of the whole text. */
    readonly readRoot: (root: N, text: string, name: string) => T | Refused;
  };

/** JSON text of an array, or an array in a JSON body; anything else is refused with 1007. */
export function jsonArrayParameter<T>(given: Given<T, JsonArray>): Parameter<T> {
  return jsonParameter(given, "array", (root) =>
    root !== null && typeof root === "object" && root.kind === "array" ? root : undefined,
  );
}

/** JSON text of an object, or an object in a JSON body; anything else is refused with 1007. */
export function jsonObjectParameter<T>(given: Given<T, JsonObject>): Parameter<T> {
  return jsonParameter(given, "object", (root) => (isJsonObject(root) ? root : undefined));
}

export function isJsonObject(node: JsonNode | undefined): node is JsonObject {
  return node !== null && typeof node === "object" && node.kind === "object";
}

function jsonParameter<T, N>(
  { readRoot, refusals = [], ...given }: Given<T, N>,
  shape: string,
  rootOf: (root: JsonNode) => N | undefined,
): Parameter<T> {
  return parameter<T>({
    ...given,
    refusals: ["1007", ...refusals],
    takesJson: true,
    malformed: (raw, name) => refuseShape(`${shown(raw)} is no ${shape}`, name),
    read(text, name) {
      const parsed = parseJsonText(text);
      if (parsed instanceof JsonTextError) {
        return refuseShape(parsed.reason, name);
      }
      const root = rootOf(parsed);
      return root === undefined
        ? refuseShape(`it is no ${shape}`, name)
        : readRoot(root, text, name);
    },
  });
}
