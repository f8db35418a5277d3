import { type Address, parseAddress } from "../keys/address.ts";
import { utf8Length } from "../text/byte-texts.ts";
import {
  type JsonNode,
  type JsonObjectShape,
  type JsonShape,
  JsonTextError,
  type OtherValues,
  parseJsonText,
} from "../text/json-text.ts";
import { type OperationOf, readBundleElement, readFlatElement } from "./batch-elements.ts";
import { type FaultCode, Refused, refuse } from "./faults.ts";
import { attributeCount, entriesOf } from "./group-members.ts";
import { isJsonArray, isJsonObject } from "./json/json-parameter.ts";
import { type AnyOperation, isSigned, type Request } from "./operation.ts";
import { excerpt, type Occasion } from "./parameter.ts";
import type { RawParameters } from "./raw-parameters.ts";
import { readRequest } from "./request-reader.ts";

/** Operations of one bundle, weighted. Source: bundles §8. */
export const BUNDLE_MAX = 500;

/** Attributes of items that the operations of one bundle set together. Source: bundles §8. */
const ATTRIBUTES_OF_BUNDLE_MAX = 2000;

/** Bytes of a bundle's body. Source: bundles §1. */
export const BUNDLE_BYTES_MAX = 2 ** 20;

/**
 * Operations that count as several, so that a bundle takes at most about 2.5 times the ledger
 * thread's CPU of 500 payments. Source: bundles §8.
 */
const WEIGHTS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    2: [
      ...["tokensave", "tokencreate", "mrc400create", "mrc400update", "mrc401create"],
      ...["mrc401transfer", "mrc401melt", "mrc401sell", "mrc401unsell", "mrc401buy"],
      ...["mrc401auction", "mrc401unauction", "mrc401bid", "mrc401update", "mrc401offer"],
      ...["mrc401unoffer", "mrc402offer", "mrc402unoffer", "mrc402itemupdate"],
      ...["mrc010sell", "mrc010unsell"],
      ...["mrc010buy", "mrc010reqsell", "mrc010unreqsell", "mrc010acceptreqsell"],
      ...["mrc010auction", "mrc010unauction", "mrc010bid", "mrc040cancel"],
    ],
    3: [
      ...["mrc402sell", "mrc402unsell", "mrc402buy", "mrc402auction", "mrc402unauction"],
      ...["mrc401acceptoffer", "mrc402acceptoffer"],
      ...["mrc402bid", "mrc040create", "mrc040request", "mrc040exchange"],
    ],
    10: ["mrc402create"],
  }).flatMap(([weight, names]) => names.map((name) => [name, Number(weight)] as const)),
);

/** At least the number of codes that may be skipped. */
const SKIP_MAX = 512;

const SKIP_ALL = "*";

const SKIPPABLE = /^(?:3004|3090|4001|4900|50\d\d|60\d\d|7[0-2]\d\d)$/;

export interface BundledOperation {
  readonly operation: AnyOperation;
  readonly request: Request;
}

/** A bundle whose operations are all well-formed. Source: bundles §1. */
export interface Bundle {
  readonly actor: Address;
  readonly tkey: string;
  /** The grant by which an agent signed for the actor. Source: authority §5.2. */
  readonly grant: string | undefined;
  readonly operations: readonly BundledOperation[];
  readonly weight: number;
  readonly skip: ReadonlySet<string>;
}

/** Source: bundles §4. */
export function skips({ skip }: Bundle, code: FaultCode): boolean {
  return skip.has(code) || (skip.has(SKIP_ALL) && SKIPPABLE.test(code));
}

/** Whether bundles take an operation: only its actor signs it. Source: bundles §3. */
export function isBundleable(operation: AnyOperation): boolean {
  return isSigned(operation) && operation.signers.length === 1 && operation.isAlone !== true;
}

export function bundleWeight(name: string, entries: number): number {
  return (WEIGHTS.get(name) ?? 1) * Math.max(1, entries);
}

/** Source: bundles §5. */
export function bundledKey(tkey: string, index: number): string {
  return `${tkey}.${index}`;
}

const BUNDLE_SHAPE: JsonObjectShape = {
  kind: "object",
  members: new Map<string, JsonShape>([
    ["actor", "shallow"],
    ["tkey", "shallow"],
    ["grant", "shallow"],
    ["operations", { kind: "array", max: BUNDLE_MAX, items: "skipped" }],
    ["skip", { kind: "array", max: SKIP_MAX, items: "shallow" }],
  ]),
  membersMax: 5,
};

/**
 * A refusal of one operation has its index. Codes: 1000, 1007, 3002, 3005, 3190, 9413, those of
 * parameters. Source: bundles §1, §3, §4.
 */
export function readBundle(
  text: string,
  operationOf: OperationOf,
  occasion: Occasion,
): Bundle | Refused {
  if (text.length * 3 > BUNDLE_BYTES_MAX && utf8Length(text) > BUNDLE_BYTES_MAX) {
    return refuse({ code: "9413", bytesMax: BUNDLE_BYTES_MAX });
  }
  const body = plainBody(text) ?? parseJsonText(text, { shape: BUNDLE_SHAPE });
  if (body instanceof JsonTextError) {
    return malformed(undefined, body.reason);
  }
  if (!isPlain(body) && !isJsonObject(body)) {
    return malformed(undefined, "it is no JSON object");
  }
  const { members, unknownName } = body;
  if (unknownName !== undefined) {
    return malformed(undefined, `a bundle has no member ${JSON.stringify(excerpt(unknownName))}`);
  }
  const actor = textIn(members, "actor");
  if (actor instanceof Refused) {
    return actor;
  }
  const address = parseAddress(actor);
  if (address === undefined) {
    return refuse({ code: "3190", parameter: "actor", given: actor });
  }
  const tkey = textIn(members, "tkey");
  if (tkey instanceof Refused) {
    return tkey;
  }
  const grant = (members.get("grant") ?? "") === "" ? undefined : textIn(members, "grant");
  if (grant instanceof Refused) {
    return grant;
  }
  const skip = skipIn(members.get("skip") ?? null);
  if (skip instanceof Refused) {
    return skip;
  }
  const list = isPlain(body) ? body.operations : elementsIn(members.get("operations") ?? null);
  const read = list instanceof Refused ? list : operationsIn(list, { tkey, operationOf, occasion });
  return read instanceof Refused ? read : { actor: address, tkey, grant, ...read, skip };
}

function malformed(parameter: string | undefined, reason: string): Refused {
  return refuse({ code: "1007", parameter, reason });
}

function textIn(members: ReadonlyMap<string, JsonNode>, name: string): string | Refused {
  const node = members.get(name) ?? "";
  return typeof node !== "string"
    ? malformed(name, "it is no text")
    : node === ""
      ? refuse({ code: "1000", parameter: name })
      : node;
}

function skipIn(node: JsonNode): ReadonlySet<string> | Refused {
  if (node === null) {
    return new Set();
  }
  if (!isJsonArray(node)) {
    return malformed("skip", "it is no array");
  }
  const { items, isCut } = node;
  if (isCut) {
    return refuse({
      ...{ code: "3002", parameter: "skip", count: items.length },
      ...{ min: 0, max: SKIP_MAX, isMore: true },
    });
  }
  const wrong = items.findIndex(
    (item) => typeof item !== "string" || !(item === SKIP_ALL || SKIPPABLE.test(item)),
  );
  if (wrong !== -1) {
    const reason =
      'must be "*" or one of 3004, 3090, 4001, 4900, 5000 to 5099, 6000 to 6099, 7000 to 7299';
    return refuse({ code: "3005", parameter: `skip[${wrong}]`, reason });
  }
  return new Set(items as readonly string[]);
}

type Element = JsonNode | FlatElement;

interface FlatElement {
  readonly kind: "flat";
  readonly texts: Readonly<Record<string, string>>;
}

/** A body in which all values except lists are texts. */
interface PlainBody {
  readonly kind: "plain";
  readonly members: ReadonlyMap<string, string>;
  readonly unknownName: undefined;
  readonly operations: readonly FlatElement[];
}

function isPlain(body: JsonNode | PlainBody): body is PlainBody {
  return typeof body === "object" && body !== null && body.kind === "plain";
}

/** An operation with more members goes to the parser that counts them. */
const FLAT_MEMBERS_MAX = 64;

/** Beyond it another parser is used: the engine's takes 0.4 s for 1 MiB of nested arrays. */
const PLAIN_VALUES_MAX = 16_384;

function hasFewValues(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length && count <= PLAIN_VALUES_MAX; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === OPENING_BRACKET || code === OPENING_BRACE) {
      count += 1;
    }
  }
  return count <= PLAIN_VALUES_MAX;
}

const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

/**
 * Uses the engine's parser, in a third of the time. Undefined for other values than texts and
 * lists, or if the engine would write the body differently.
 */
function plainBody(text: string): PlainBody | undefined {
  if (!hasFewValues(text)) {
    return undefined;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
    if (JSON.stringify(value) !== text) {
      return undefined;
    }
  } catch {
    return undefined;
  }
  const {
    operations,
    actor,
    tkey,
    grant = "",
    ...others
  } = value as Readonly<Record<string, unknown>>;
  const isKnown =
    Array.isArray(operations) &&
    operations.length > 0 &&
    operations.length <= BUNDLE_MAX &&
    typeof actor === "string" &&
    typeof tkey === "string" &&
    typeof grant === "string" &&
    Object.keys(others).length === 0;
  if (!isKnown) {
    return undefined;
  }
  const elements: FlatElement[] = [];
  for (const operation of operations as readonly unknown[]) {
    if (!isFlat(operation)) {
      return undefined;
    }
    elements.push({ kind: "flat", texts: operation });
  }
  const members = new Map([
    ["actor", actor],
    ["tkey", tkey],
    ["grant", grant],
  ]);
  return { kind: "plain", members, unknownName: undefined, operations: elements };
}

function isFlat(value: unknown): value is Readonly<Record<string, string>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return false;
  }
  let count = 0;
  for (const name in value) {
    count += 1;
    if (typeof (value as Record<string, unknown>)[name] !== "string") {
      return false;
    }
  }
  return count <= FLAT_MEMBERS_MAX;
}

function elementsIn(list: JsonNode): readonly JsonNode[] | Refused {
  if (list === null) {
    return refuse({ code: "1000", parameter: "operations" });
  }
  if (!isJsonArray(list)) {
    return malformed("operations", "it is no array");
  }
  const { items, isCut } = list;
  const count = { count: items.length, max: BUNDLE_MAX, isMore: isCut };
  return items.length === 0 || isCut
    ? refuse({ code: "3002", parameter: "operations", ...count })
    : items;
}

interface Reading {
  readonly tkey: string;
  readonly operationOf: OperationOf;
  readonly occasion: Occasion;
}

function operationsIn(
  elements: readonly Element[],
  reading: Reading,
): Pick<Bundle, "operations" | "weight"> | Refused {
  const counted: OtherValues = { count: 0 };
  const operations: BundledOperation[] = [];
  let weight = 0;
  let attributes = 0;
  for (const [index, element] of elements.entries()) {
    const read = readOne(element, index, { ...reading, counted });
    if (read instanceof Refused) {
      return read;
    }
    weight += bundleWeight(read.operation.name, entriesOf(read.operation, read.request));
    if (weight > BUNDLE_MAX) {
      const reason = `count as more than ${BUNDLE_MAX}: some count several times, and each entry of a list as an operation`;
      return refuse({ code: "3002", parameter: "operations", reason });
    }
    attributes += attributeCount(read.request.values);
    if (attributes > ATTRIBUTES_OF_BUNDLE_MAX) {
      const reason = `set more than ${ATTRIBUTES_OF_BUNDLE_MAX} attributes of items together`;
      return refuse({ code: "3002", parameter: "operations", reason });
    }
    operations.push(read);
  }
  return { operations, weight };
}

function readOne(
  sent: Element,
  index: number,
  { tkey, operationOf, occasion, counted }: Reading & { readonly counted: OtherValues },
): BundledOperation | Refused {
  const element = isFlatElement(sent)
    ? readFlatElement(sent.texts, index, operationOf)
    : readBundleElement(sent, index, { operationOf, counted });
  if (element instanceof JsonTextError) {
    return malformed(undefined, `in operations[${index}] ${element.reason} of it`);
  }
  if (element instanceof Refused) {
    return refuse(element.fault, index);
  }
  const { operation, raw, idempotencyKey } = element;
  const key = operation.signers[0]?.temporaryKey ?? "";
  const forbidden =
    idempotencyKey === undefined ? firstGiven(raw, forbiddenIn(operation)) : "idempotency_key";
  if (forbidden !== undefined) {
    const reason = "must be left out: the bundle has the temporary key and the signature of all";
    return refuse({ code: "3005", parameter: forbidden, reason }, index);
  }
  raw.add(key, bundledKey(tkey, index));
  const request = readRequest(operation, raw, occasion === "replay" ? "bundledReplay" : "bundled");
  return request instanceof Refused ? refuse(request.fault, index) : { operation, request };
}

function isFlatElement(element: Element): element is FlatElement {
  return typeof element === "object" && element !== null && element.kind === "flat";
}

const FORBIDDEN = new WeakMap<AnyOperation, readonly string[]>();

function forbiddenIn(operation: AnyOperation): readonly string[] {
  let names = FORBIDDEN.get(operation);
  if (names === undefined) {
    const key = operation.signers[0]?.temporaryKey ?? "";
    const { aliases = [] } = operation.parameters[key] ?? {};
    names = [key, ...aliases, "signature", "signed", "group", "grant"];
    FORBIDDEN.set(operation, names);
  }
  return names;
}

function firstGiven(raw: RawParameters, names: readonly string[]): string | undefined {
  return names.find((name) => raw.take(name) !== undefined);
}
