import {
  type JsonArray,
  type JsonNode,
  type JsonObject,
  type JsonShape,
  JsonTextError,
  parseJsonText,
} from "../../text/json-text.ts";
import { type Refused, refuse } from "../faults.ts";
import { excerpt, type Parameter, parameter } from "../parameter.ts";

export function refuseShape(reason: string, name: string): Refused {
  return refuse({ code: "1007", parameter: name, reason });
}

type Given<T, N> = Pick<Parameter<T>, "wanted" | "schema"> & {
  readonly brief?: string;
  readonly refusals?: Parameter<T>["refusals"];
  readonly shape: JsonShape;
  readonly checkText?: (text: string, name: string) => Refused | undefined;
  readonly readRoot: (root: N, text: string, name: string) => T | Refused;
} & Partial<Pick<Parameter<T>, "admit" | "settle" | "members" | "refuseUnknown">>;

/** Another JSON value is refused with 1007. */
export function jsonArrayParameter<T>(given: Given<T, JsonArray>): Parameter<T> {
  return jsonParameter(given, "array", (root) => (isJsonArray(root) ? root : undefined));
}

/** Another JSON value is refused with 1007. */
export function jsonObjectParameter<T>(given: Given<T, JsonObject>): Parameter<T> {
  return jsonParameter(given, "object", (root) => (isJsonObject(root) ? root : undefined));
}

export function isJsonArray(node: JsonNode | undefined): node is JsonArray {
  return node !== null && typeof node === "object" && node.kind === "array";
}

export function isJsonObject(node: JsonNode | undefined): node is JsonObject {
  return node !== null && typeof node === "object" && node.kind === "object";
}

function jsonParameter<T, N>(
  { readRoot, checkText, refusals = [], ...given }: Given<T, N>,
  kind: string,
  rootOf: (root: JsonNode) => N | undefined,
): Parameter<T> {
  const readParsed = (parsed: JsonNode, text: string, name: string): T | Refused => {
    const root = rootOf(parsed);
    return root === undefined ? refuseShape(`it is no ${kind}`, name) : readRoot(root, text, name);
  };
  return parameter<T>({
    ...given,
    refusals: ["1007", ...refusals],
    takesJson: true,
    malformed: (raw, name) => refuseShape(`${excerpt(raw)} is no ${kind}`, name),
    read(text, name) {
      const refused = checkText?.(text, name);
      if (refused !== undefined) {
        return refused;
      }
      const parsed = parseJsonText(text, { shape: given.shape });
      return parsed instanceof JsonTextError
        ? refuseShape(parsed.reason, name)
        : readParsed(parsed, text, name);
    },
    readNode: (node, text, name) => checkText?.(text, name) ?? readParsed(node, text, name),
  });
}
