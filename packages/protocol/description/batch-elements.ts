import {
  type JsonNode,
  type JsonObjectShape,
  type JsonShape,
  JsonTextError,
  type OtherValues,
  parseJsonText,
} from "../text/json-text.ts";
import { addMembers, BODY_DEPTH_MAX, PARAMETERS_MAX } from "./body-parameters.ts";
import { Refused, refuse } from "./faults.ts";
import { isJsonArray, isJsonObject } from "./json/json-parameter.ts";
import { type AnyOperation, GROUP as GROUP_ID } from "./operation.ts";
import { type Parameters, shapesOf } from "./parameter.ts";
import { groupName } from "./parameters/keys.ts";
import { RawParameters, rawValueOf, textOf } from "./raw-parameters.ts";

export const BATCH_MAX = 1000;

export const GROUP_MIN = 2;
export const GROUP_MAX = 16;

export const DRY_MAX = 16;

const OPERATIONS = "operations";
const DRY = "dry";
const OPERATION = "operation";
const IDEMPOTENCY_KEY = "idempotency_key";

export interface BatchElement {
  readonly operation: AnyOperation;
  readonly raw: RawParameters;
  /** In place of the header `Idempotency-Key`. Source: accounts §4. */
  readonly idempotencyKey: string | undefined;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

const BATCH: Bounds = { min: 1, max: BATCH_MAX };
const GROUP: Bounds = { min: GROUP_MIN, max: GROUP_MAX };
const BATCH_SHAPE = bodyShape(BATCH);
const GROUP_SHAPE = bodyShape(GROUP);

function bodyShape({ max }: Bounds): JsonObjectShape {
  return {
    kind: "object",
    members: new Map<string, JsonShape>([
      [OPERATIONS, { kind: "array", max, items: "skipped" }],
      [DRY, "shallow"],
    ]),
    membersMax: PARAMETERS_MAX,
  };
}

/** The elements, unparsed: of an object only its end is found. Source: batches §1.1. */
export function batchElements(text: string): readonly JsonNode[] | Refused {
  return elementsOf(text, BATCH_SHAPE, BATCH);
}

/** The elements of a group's body, 2 to 16, unparsed. Source: batches §2.1. */
export function groupElements(text: string): readonly JsonNode[] | Refused {
  return elementsOf(text, GROUP_SHAPE, GROUP);
}

function elementsOf(
  text: string,
  shape: JsonObjectShape,
  bounds: Bounds,
): readonly JsonNode[] | Refused {
  const body = parseJsonText(text, { shape });
  if (body instanceof JsonTextError) {
    return body.limit === "members"
      ? refuse({ code: "9413", parametersMax: PARAMETERS_MAX })
      : refuse({ code: "1007", parameter: undefined, reason: body.reason });
  }
  if (!isJsonObject(body)) {
    return refuse({ code: "1007", parameter: undefined, reason: "it is no JSON object" });
  }
  if ((body.members.get(DRY) ?? null) !== null) {
    // A client that requests a dry run in the body must not get a real one.
    const reason = "must stand in the query string, as ?dry=1";
    return refuse({ code: "3005", parameter: DRY, reason });
  }
  const list = body.members.get(OPERATIONS) ?? null;
  if (list === null) {
    return refuse({ code: "1000", parameter: OPERATIONS });
  }
  if (!isJsonArray(list)) {
    return refuse({ code: "1007", parameter: OPERATIONS, reason: "it is no array" });
  }
  const count = list.items.length;
  return count < bounds.min || list.isCut
    ? refuse({ code: "3002", parameter: OPERATIONS, count, ...bounds, isMore: list.isCut })
    : list.items;
}

/** Errors: not JSON; 1000, 1007, 3002, 3005, 3020, 9413. Source: batches §1.1. */
export function readBatchElement(
  node: JsonNode,
  index: number,
  operationOf: OperationOf,
): BatchElement | Refused | JsonTextError {
  return notOfGroup(readNode(node, index, { operationOf, takenBy: "batches" }));
}

/** Parses an element of a group. Source: batches §2.1. */
export function readGroupElement(
  node: JsonNode,
  index: number,
  operationOf: OperationOf,
): BatchElement | Refused | JsonTextError {
  return readNode(node, index, { operationOf, takenBy: "groups" });
}

/** Like an element of a batch; 1007 also if it is not JSON. Source: batches §1.2. */
export function readBatchLine(
  line: string,
  index: number,
  operationOf: OperationOf,
): BatchElement | Refused {
  const parameter = `${OPERATIONS}[${index}]`;
  const element = notOfGroup(readText(line, parameter, { operationOf, takenBy: "batches" }));
  return element instanceof JsonTextError
    ? refuse({ code: "1007", parameter, reason: element.reason })
    : element;
}

export type OperationOf = (name: string) => AnyOperation | undefined;

interface Taking {
  readonly operationOf: OperationOf;
  readonly takenBy: "batches" | "groups" | "bundles";
  readonly counted?: OtherValues;
}

/** Refuses an operation that was signed for a group. Source: batches §2.6. */
function notOfGroup<E extends BatchElement | Refused | JsonTextError>(element: E): E | Refused {
  return element instanceof Refused ||
    element instanceof JsonTextError ||
    element.raw.take(GROUP_ID) === undefined
    ? element
    : refuse({ code: "3020" });
}

/** All elements share a bound of values that no shape bounds. Source: bundles §3. */
export function readBundleElement(
  node: JsonNode,
  index: number,
  given: Pick<Taking, "operationOf" | "counted">,
): BatchElement | Refused | JsonTextError {
  return readNode(node, index, { ...given, takenBy: "bundles" });
}

export function readFlatElement(
  texts: Readonly<Record<string, string>>,
  index: number,
  operationOf: OperationOf,
): BatchElement | Refused {
  const { [OPERATION]: name = "", [IDEMPOTENCY_KEY]: idempotencyKey, ...others } = texts;
  const operation = operationOf(name);
  if (operation === undefined) {
    return Object.hasOwn(texts, OPERATION)
      ? refuseName(`${OPERATIONS}[${index}]`, "bundles")
      : refuse({ code: "1000", parameter: `${OPERATIONS}[${index}].${OPERATION}` });
  }
  const raw = new RawParameters(formOf(operation).known);
  raw.addAll(others);
  return { operation, raw, idempotencyKey };
}

function refuseName(parameter: string, takenBy: Taking["takenBy"]): Refused {
  const reason = `must be the name of an operation that ${takenBy} take, as GET /openapi.json has it as operationId`;
  return refuse({ code: "3005", parameter: `${parameter}.${OPERATION}`, reason });
}

function readNode(
  node: JsonNode,
  index: number,
  taking: Taking,
): BatchElement | Refused | JsonTextError {
  const parameter = `${OPERATIONS}[${index}]`;
  return node === null || typeof node !== "object" || node.kind === "number"
    ? refuse({ code: "1007", parameter, reason: "it is no object" })
    : readText(node.text.slice(node.start, node.end), parameter, taking);
}

function readText(
  text: string,
  parameter: string,
  { operationOf, takenBy, counted }: Taking,
): BatchElement | Refused | JsonTextError {
  const likely = operationOf(LIKELY_NAME.exec(text)?.[1] ?? "");
  const body = parseElement(text, likely, counted);
  if (body instanceof JsonTextError) {
    return refusedBy(body, parameter);
  }
  if (!isJsonObject(body)) {
    return refuse({ code: "1007", parameter, reason: "it is no object" });
  }
  const name = body.members.get(OPERATION) ?? null;
  if (name === null) {
    return refuse({ code: "1000", parameter: `${parameter}.${OPERATION}` });
  }
  const operation = typeof name === "string" ? operationOf(name) : undefined;
  if (operation === undefined) {
    return refuseName(parameter, takenBy);
  }
  // The name was not the first member: parsed without the operation's parameters.
  const whole = operation === likely ? body : parseElement(text, operation, counted);
  if (whole instanceof JsonTextError) {
    return refusedBy(whole, parameter);
  }
  if (!isJsonObject(whole)) {
    return refuse({ code: "1007", parameter, reason: "it is no object" });
  }
  const members = new Map(whole.members);
  const key = members.get(IDEMPOTENCY_KEY) ?? null;
  members.delete(OPERATION);
  members.delete(IDEMPOTENCY_KEY);
  const raw = new RawParameters(formOf(operation).known);
  const refused = addMembers(raw, { ...whole, members }, operation.parameters);
  if (refused !== undefined) {
    return refused;
  }
  // A value that is not a text is refused like an empty one.
  const idempotencyKey = key === null ? undefined : (textOf(rawValueOf(key)) ?? "");
  return { operation, raw, idempotencyKey };
}

const LIKELY_NAME = /^\{\s*"operation"\s*:\s*"(\w{1,40})"/;

function parseElement(
  text: string,
  operation: AnyOperation | undefined,
  counted: OtherValues | undefined,
): JsonNode | JsonTextError {
  return parseJsonText(text, {
    depthMax: BODY_DEPTH_MAX,
    ...(counted === undefined ? {} : { counted }),
    shape: operation === undefined ? NAME_SHAPE : formOf(operation).shape,
  });
}

function refusedBy(error: JsonTextError, parameter: string): Refused | JsonTextError {
  return error.limit === undefined
    ? error
    : error.limit === "members"
      ? refuse({ code: "9413", parametersMax: PARAMETERS_MAX })
      : refuse({ code: "1007", parameter, reason: error.reason });
}

const OWN_MEMBERS: readonly [string, JsonShape][] = [
  [OPERATION, "shallow"],
  [IDEMPOTENCY_KEY, "shallow"],
];

const NAME_SHAPE: JsonObjectShape = {
  kind: "object",
  members: new Map(OWN_MEMBERS),
  membersMax: PARAMETERS_MAX,
};

/** Parameters of elements of one operation, and the shape of their JSON. */
interface ElementForm {
  readonly known: Parameters;
  readonly shape: JsonObjectShape;
}

const FORMS: WeakMap<Parameters, ElementForm> = new WeakMap();

function formOf({ parameters }: AnyOperation): ElementForm {
  let form = FORMS.get(parameters);
  if (form === undefined) {
    const known = { ...parameters, [GROUP_ID]: groupName() };
    const members = new Map([...shapesOf(known), ...OWN_MEMBERS]);
    form = { known, shape: { kind: "object", members, membersMax: PARAMETERS_MAX } };
    FORMS.set(parameters, form);
  }
  return form;
}
