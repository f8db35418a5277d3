import {
  type JsonNode,
  type JsonObject,
  type JsonObjectShape,
  type JsonShape,
  JsonTextError,
  parseJsonText,
} from "../text/json-text.ts";
import { type Refused, refuse } from "./faults.ts";
import { isJsonArray, isJsonObject } from "./json/json-parameter.ts";
import { type Parameter, type Parameters, readGiven, shapesOf } from "./parameter.ts";
import { type RawParameters, type RawValue, rawValueOf } from "./raw-parameters.ts";

/** Parameters of a query, a form or a JSON body, known or not. Source: conventions §1.1. */
export const PARAMETERS_MAX = 1000;

/** The body's own object stands around the parameters, which may be 8 deep. */
export const BODY_DEPTH_MAX = 9;

/** Checks and drops members that are no parameters. Source: conventions §1.1, §1.8. */
export function addJsonBody(
  merged: RawParameters,
  text: string,
  parameters: Parameters,
): Refused | undefined {
  const body = parseJsonText(text, { depthMax: BODY_DEPTH_MAX, shape: bodyShape(parameters) });
  if (body instanceof JsonTextError) {
    return body.limit === "members"
      ? refuse({ code: "9413", parametersMax: PARAMETERS_MAX })
      : refuse({ code: "1007", parameter: undefined, reason: body.reason });
  }
  if (!isJsonObject(body)) {
    return refuse({ code: "1007", parameter: undefined, reason: "it is no JSON object" });
  }
  return addMembers(merged, body, parameters);
}

export function addMembers(
  merged: RawParameters,
  { members, unknownName }: Pick<JsonObject, "members" | "unknownName">,
  parameters: Parameters,
): Refused | undefined {
  if (unknownName !== undefined) {
    merged.noteUnknown(unknownName);
  }
  for (const [name, node] of members) {
    if (isCut(node)) {
      return refuseList(parameters, name, rawValueOf(node));
    }
    // Many clients write `null` for a parameter that they leave out.
    if (node !== null) {
      merged.add(name, rawValueOf(node));
    }
  }
  return undefined;
}

const SHAPES = new WeakMap<Parameters, JsonObjectShape>();

function bodyShape(parameters: Parameters): JsonObjectShape {
  let shape = SHAPES.get(parameters);
  if (shape === undefined) {
    shape = { kind: "object", members: shapesOf(parameters), membersMax: PARAMETERS_MAX };
    SHAPES.set(parameters, shape);
  }
  return shape;
}

function isCut(node: JsonNode): boolean {
  return typeof node === "object" && node !== null && node.kind === "array" && node.isCut;
}

function refuseList(parameters: Parameters, name: string, raw: RawValue): Refused {
  const [canonical, parameter] = Object.entries(parameters).find(
    ([each, { aliases }]) => each === name || aliases.includes(name),
  ) as [string, Parameter<unknown>];
  return readGiven(parameter, { raw, text: "", name: canonical }) as Refused;
}

/** The first element that is a text. Reading stops there. */
export function elementText(
  list: RawValue,
  index: number,
  names: readonly string[],
): string | undefined {
  const root = typeof list === "string" ? firstElements(list, index + 1, names) : nodeOf(list);
  const element = isJsonArray(root) ? root.items[index] : undefined;
  const texts = isJsonObject(element) ? names.map((name) => element.members.get(name)) : [element];
  return texts.find((text) => typeof text === "string");
}

function firstElements(text: string, max: number, names: readonly string[]): JsonNode | undefined {
  const members = new Map(names.map((name): [string, JsonShape] => [name, "shallow"]));
  const parsed = parseJsonText(text, {
    shape: { kind: "array", max, items: { kind: "object", members } },
  });
  return parsed instanceof JsonTextError ? undefined : parsed;
}

function nodeOf(list: Exclude<RawValue, string>): JsonNode | undefined {
  return list.kind === "json" ? list.node : undefined;
}
