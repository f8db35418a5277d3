import { Refused, refuse } from "../../description/faults.ts";
import { attributeCount } from "../../description/group-members.ts";
import { jsonObjectParameter } from "../../description/json/json-parameter.ts";
import {
  clearable,
  excerpt,
  fullySigned,
  optional,
  type Parameter,
} from "../../description/parameter.ts";
import { optionalDate } from "../../description/parameters/dates.ts";
import { pattern, refuseUnclean } from "../../description/parameters/texts.ts";
import { hasAtMost } from "../../text/code-points.ts";
import type { JsonNode } from "../../text/json-text.ts";

/** Source: mrc401 §19. */
const ATTRIBUTES_MAX = 32;
const ATTRIBUTES_LENGTH_MAX = 4096;
const NAME_LENGTH_MAX = 64;
const VALUE_LENGTH_MAX = 256;
const ATTRIBUTES_OF_OPERATION_MAX = 800;

export type Attributes = { readonly [name: string]: string | number | boolean };

export const NO_METADATA: {
  readonly attributes: Attributes;
  readonly metadatahash: string;
  readonly frozen: number;
} = { attributes: {}, metadatahash: "", frozen: 0 };

const attributes: Parameter<Attributes> = jsonObjectParameter<Attributes>({
  wanted: `JSON text of an object of at most ${ATTRIBUTES_LENGTH_MAX} characters and ${ATTRIBUTES_MAX} members; names of 1 to ${NAME_LENGTH_MAX} characters without colon, values text of at most ${VALUE_LENGTH_MAX}, an integer from 0 to 2^53 - 1, or true or false`,
  schema: {
    type: "object",
    maxProperties: ATTRIBUTES_MAX,
    propertyNames: { type: "string", pattern: `^[^:]{1,${NAME_LENGTH_MAX}}$` },
    additionalProperties: {
      anyOf: [
        { type: "string", maxLength: VALUE_LENGTH_MAX },
        { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        { type: "boolean" },
      ],
    },
  },
  refusals: ["3005"],
  shape: "whole",
  checkText: (text, name) =>
    hasAtMost(text, ATTRIBUTES_LENGTH_MAX)
      ? undefined
      : refuseAttribute(name, `must be of at most ${ATTRIBUTES_LENGTH_MAX} characters`),
  readRoot(root, _, name) {
    const count = root.members.size;
    if (count > ATTRIBUTES_MAX) {
      return refuseAttribute(
        name,
        `has ${count} members but at most ${ATTRIBUTES_MAX} are allowed`,
      );
    }
    const read: [string, string | number | boolean][] = [];
    for (const [key, node] of root.members) {
      const unclean = refuseUnclean(key, name);
      if (unclean !== undefined) {
        return unclean;
      }
      const parameter = `${name}.${key}`;
      if (key === "" || key.includes(":") || !hasAtMost(key, NAME_LENGTH_MAX)) {
        const shown = JSON.stringify(excerpt(key));
        const reason = `has the name ${shown} but a name has 1 to ${NAME_LENGTH_MAX} characters without colon`;
        return refuseAttribute(name, reason);
      }
      const value = attributeValue(node, parameter);
      if (value instanceof Refused) {
        return value;
      }
      read.push([key, value]);
    }
    // Sorted: the same attributes are the same document.
    return Object.fromEntries(read.sort(([a], [b]) => (a < b ? -1 : 1)));
  },
});

function attributeValue(node: JsonNode, parameter: string): string | number | boolean | Refused {
  if (typeof node === "boolean") {
    return node;
  }
  if (typeof node === "string") {
    const reason = `must be of at most ${VALUE_LENGTH_MAX} characters`;
    return (
      refuseUnclean(node, parameter) ??
      (hasAtMost(node, VALUE_LENGTH_MAX) ? node : refuseAttribute(parameter, reason))
    );
  }
  const number =
    node !== null && node.kind === "number" && /^(0|[1-9][0-9]*)$/.test(node.source)
      ? Number(node.source)
      : undefined;
  return number !== undefined && Number.isSafeInteger(number)
    ? number
    : refuseAttribute(parameter, "must be text, an integer from 0 to 2^53 - 1, or true or false");
}

function refuseAttribute(parameter: string, reason: string): Refused {
  return refuse({ code: "3005", parameter, reason });
}

const metadataHash = pattern(
  /^[0-9a-f]{64}$/,
  "the SHA-256 of a JSON document: 64 lower-case hex digits",
);

/** Source: mrc401 §19. */
export const metadataMembers = {
  attributes: optional(attributes, NO_METADATA.attributes),
  metadatahash: optional(metadataHash, ""),
  frozen: optional(optionalDate(), 0),
} as const;

export const keptMetadataMembers = {
  attributes: optional(attributes),
  metadatahash: clearable(metadataHash),
  frozen: optional(optionalDate()),
} as const;

/** Source: mrc402 §4. */
export const signedMetadata = {
  attributes: fullySigned(metadataMembers.attributes),
  metadatahash: fullySigned(metadataMembers.metadatahash),
  frozen: fullySigned(metadataMembers.frozen),
} as const;

/** Source: mrc402 §9. */
export const signedKeptMetadata = {
  attributes: fullySigned(keptMetadataMembers.attributes),
  metadatahash: fullySigned(optional(metadataHash)),
  frozen: fullySigned(keptMetadataMembers.frozen),
} as const;

/** A filter of lists by one attribute. Source: mrc401 §19. */
export const attributeFilter: Parameter<string> = optional(
  pattern(
    new RegExp(`^[^:]{1,${NAME_LENGTH_MAX}}:[\\s\\S]{0,${VALUE_LENGTH_MAX}}$`, "u"),
    "the name of an attribute, a colon and its value, such as level:7",
  ),
  "",
);

/** 1000 without a project. Source: mrc401 §19. */
export function refuseAttributeAlone({
  mrc400id,
  attribute,
}: {
  readonly mrc400id: string;
  readonly attribute: string;
}): Refused | undefined {
  return attribute !== "" && mrc400id === ""
    ? refuse({ code: "1000", parameter: "mrc400id" })
    : undefined;
}

export const metadataExample = {
  attributes: JSON.stringify({ level: 7, rare: true }),
  metadatahash: "a".repeat(64),
  frozen: "0",
} as const;

/** Otherwise the project could change what is shown (3005). Source: mrc401 §19. */
export function refuseFrozenWithoutUrls(
  item: {
    readonly frozen: number;
    readonly item_url: string;
    readonly item_image_url: string;
  },
  parameter: string,
): Refused | undefined {
  const reason = "is above 0, so the item must have a page and an image of its own";
  return item.frozen > 0 && (item.item_url === "" || item.item_image_url === "")
    ? refuse({ code: "3005", parameter, reason })
    : undefined;
}

/** 3002 above 800 attributes. Source: mrc401 §19. */
export function refuseAttributeCount(
  entries: readonly { readonly attributes?: Attributes | undefined }[],
): Refused | undefined {
  const count = attributeCount({ itemdata: { entries } });
  return count > ATTRIBUTES_OF_OPERATION_MAX
    ? refuse({
        ...{ code: "3002", parameter: "itemdata" },
        reason: `sets ${count} attributes but one operation at most ${ATTRIBUTES_OF_OPERATION_MAX}`,
      })
    : undefined;
}
