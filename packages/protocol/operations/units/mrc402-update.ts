import { ALICE, PRINT } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { aliased, optional } from "../../description/parameter.ts";
import { address } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { metadataExample, signedKeptMetadata } from "../items/metadata.ts";
import {
  INFORMATION_FIELDS,
  unitInformationExample,
  unitItemId,
  unitItemInformation,
} from "./unit-item.ts";

/** The project's id, `_`, and the item's number. */
const ITEM_OF_PROJECT_LENGTH = 81;

/** Source: mrc402 §9. */
export const mrc402Update = signedOperation({
  name: "mrc402update",
  title: "Update a multi-unit item",
  route: "PUT /mrc402/update/{mrc402id}",
  sharedRoute: {
    route: "PUT /mrc402/{mrc400id}",
    parameter: "mrc402id",
    when: (id) => id.startsWith("MRC402_") || id.length === ITEM_OF_PROJECT_LENGTH,
  },
  about:
    "Changes the creator's information on an item. Omitted values stay as they are; each copyright field can be set once.",
  parameters: {
    mrc402id: unitItemId(),
    address: optional(aliased(address(), "creator", "owner")),
    ...unitItemInformation,
    ...signedKeptMetadata,
    tkey: temporaryKey(),
  },
  example: { mrc402id: PRINT, address: ALICE, ...unitInformationExample, ...metadataExample },
  actor: "address",
  signed: ["mrc402id", ...INFORMATION_FIELDS, "tkey"],
  refusals: ["6004", "3090", "7002", "7119", "4900"],
});
