import { ALICE, PROJECT, SWORD_NUMBER } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { aliased, optional } from "../../description/parameter.ts";
import { address, recordId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { changedItems, changedItemsExample } from "./changed-items.ts";
import { refuseAttributeCount } from "./metadata.ts";

/** Source: mrc401 §8. */
export const mrc401Update = signedOperation({
  name: "mrc401update",
  title: "Update items",
  route: "PUT /mrc401/{mrc400id}",
  about:
    "Changes 1 to 100 items of a project, all or none. Omitted values stay as they are; empty texts are cleared.",
  parameters: {
    mrc400id: recordId("a project"),
    creator: optional(aliased(address(), "owner", "address")),
    itemdata: changedItems,
    tkey: temporaryKey(),
  },
  example: { mrc400id: PROJECT, creator: ALICE, itemdata: changedItemsExample(SWORD_NUMBER) },
  actor: "creator",
  signed: ["mrc400id", "itemdata", "tkey"],
  check: ({ itemdata }) => refuseAttributeCount(itemdata.entries),
  refusals: ["6004", "3090", "7002", "7110", "7119", "7121", "4900"],
});
