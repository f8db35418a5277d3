import { byName, type Members, noted, type SchemaOf, text, time } from "../../description/shown.ts";
import type { Attributes } from "../../operations/items/metadata.ts";

const attributeValue = {
  anyOf: [{ type: "string" }, { type: "integer" }, { type: "boolean" }],
} as SchemaOf<Attributes[string]>;

/** Source: mrc401 §19. */
export const metadataShown = {
  attributes: [byName(attributeValue, "properties of the item, by name"), { level: 20 }],
  metadatahash: [noted(text, "SHA-256 of the JSON document at its URL; empty for none"), ""],
  frozen: [noted(time, "when attributes, hash and URLs can no longer change; 0 for never"), 0],
} satisfies Members;
