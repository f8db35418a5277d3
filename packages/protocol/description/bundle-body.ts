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
import { type OperationOf, readBundleElement } from "./batch-elements.ts";
import { type FaultCode, Refused, refuse } from "./faults.ts";
import { entriesOf } from "./group-members.ts";
import { isJsonArray, isJsonObject } from "./json/json-parameter.ts";
import { type AnyOperation, isSigned, type Request, readRequest } from "./operation.ts";
import { excerpt, type Occasion } from "./parameter.ts";
import type { RawParameters } from "./raw-parameters.ts";

/** Operations of one bundle. Source: bundles §8. */
export const BUNDLE_MAX = 500;

/** Bytes of a bundle's body, and entries of all its lists together. Source: bundles §1, §8. */
export const BUNDLE_BYTES_MAX = 2 ** 20;
export const BUNDLE_ENTRIES_MAX = 2000;

/** Elements of `skip`: at least as many as there are codes that may be skipped. */
const SKIP_MAX = 512;

/** Stands for every code that may be skipped. */
const SKIP_ALL = "*";

const SKIPPABLE = /^(?:3004|3090|4001|4900|50\d\d|60\d\d|7[0-2]\d\d)$/;

/** An operation of a bundle, well-formed. */
export interface BundledOperation {
  readonly operation: AnyOperation;
  readonly request: Request;
}

/** The body of a bundle, all of whose operations are well-formed. Source: bundles §1. */
export interface Bundle {
  /** The actor of all operations, who has signed the body. */
  readonly actor: Address;
  readonly tkey: string;
  readonly operations: readonly BundledOperation[];
  /** Codes with which an operation may be left out. */
  readonly skip: ReadonlySet<string>;
}

/** Whether a bundle leaves out an operation that is refused with this code. Source: bundles §4. */
export function skips({ skip }: Bundle, code: FaultCode): boolean {
  return skip.has(code) || (skip.has(SKIP_ALL) && SKIPPABLE.test(code));
}

/** Whether bundles take an operation: its actor alone signs it. Source: bundles §3. */
export function isBundleable(operation: AnyOperation): boolean {
  return isSigned(operation) && operation.signers.length === 1 && operation.name !== "protocol";
}

/** The temporary key of an operation of a bundle. Source: bundles §5. */
export function bundledKey(tkey: string, index: number): string {
  return `${tkey}.${index}`;
}

const BUNDLE_SHAPE: JsonObjectShape = {
  kind: "object",
  members: new Map<string, JsonShape>([
    ["actor", "shallow"],
    ["tkey", "shallow"],
    ["operations", { kind: "array", max: BUNDLE_MAX, items: "skipped" }],
    ["skip", { kind: "array", max: SKIP_MAX, items: "shallow" }],
  ]),
  membersMax: 4,
};

/**
 * Reads the body of a bundle with all its operations. A refusal that is of one operation has its
 * index. Faults: 1000, 1007, 3002, 3005, 3190, 9413, and those of the operations' parameters.
 * Source: bundles §1, §3, §4.
 */
export function readBundle(
  text: string,
  operationOf: OperationOf,
  occasion: Occasion,
): Bundle | Refused {
  if (text.length * 3 > BUNDLE_BYTES_MAX && utf8Length(text) > BUNDLE_BYTES_MAX) {
    return refuse({ code: "9413", bytesMax: BUNDLE_BYTES_MAX });
  }
  const body = parseJsonText(text, { shape: BUNDLE_SHAPE });
  if (body instanceof JsonTextError) {
    return malformed(undefined, body.reason);
  }
  if (!isJsonObject(body)) {
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
  const skip = skipIn(members.get("skip") ?? null);
  if (skip instanceof Refused) {
    return skip;
  }
  const operations = operationsIn(members.get("operations") ?? null, tkey, operationOf, occasion);
  return operations instanceof Refused ? operations : { actor: address, tkey, operations, skip };
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

function operationsIn(
  list: JsonNode,
  tkey: string,
  operationOf: OperationOf,
  occasion: Occasion,
): readonly BundledOperation[] | Refused {
  if (list === null) {
    return refuse({ code: "1000", parameter: "operations" });
  }
  if (!isJsonArray(list)) {
    return malformed("operations", "it is no array");
  }
  const { items, isCut } = list;
  if (items.length === 0 || isCut) {
    const count = { count: items.length, max: BUNDLE_MAX, isMore: isCut };
    return refuse({ code: "3002", parameter: "operations", ...count });
  }
  const counted: OtherValues = { count: 0 };
  const operations: BundledOperation[] = [];
  let entries = 0;
  for (const [index, node] of items.entries()) {
    const read = readOne(node, index, { tkey, operationOf, occasion, counted });
    if (read instanceof Refused) {
      return read;
    }
    entries += entriesOf(read.operation, read.request);
    if (entries > BUNDLE_ENTRIES_MAX) {
      const reason = `have lists with more than ${BUNDLE_ENTRIES_MAX} entries together`;
      return refuse({ code: "3002", parameter: "operations", reason });
    }
    operations.push(read);
  }
  return operations;
}

function readOne(
  node: JsonNode,
  index: number,
  {
    tkey,
    operationOf,
    occasion,
    counted,
  }: {
    readonly tkey: string;
    readonly operationOf: OperationOf;
    readonly occasion: Occasion;
    readonly counted: OtherValues;
  },
): BundledOperation | Refused {
  const element = readBundleElement(node, index, { operationOf, counted });
  if (element instanceof JsonTextError) {
    return malformed(undefined, `in operations[${index}] ${element.reason} of it`);
  }
  if (element instanceof Refused) {
    return refuse(element.fault, index);
  }
  const { operation, raw, idempotencyKey } = element;
  const [signer] = operation.signers;
  const key = signer?.temporaryKey ?? "";
  const { aliases = [] } = operation.parameters[key] ?? {};
  const forbidden =
    idempotencyKey === undefined
      ? firstGiven(raw, [key, ...aliases, "signature", "signed", "group"])
      : "idempotency_key";
  if (forbidden !== undefined) {
    const reason = "must be left out: the bundle has the temporary key and the signature of all";
    return refuse({ code: "3005", parameter: forbidden, reason }, index);
  }
  raw.add(key, bundledKey(tkey, index));
  const request = readRequest(operation, raw, occasion === "replay" ? "bundledReplay" : "bundled");
  return request instanceof Refused ? refuse(request.fault, index) : { operation, request };
}

function firstGiven(raw: RawParameters, names: readonly string[]): string | undefined {
  return names.find((name) => raw.take(name, []) !== undefined);
}
