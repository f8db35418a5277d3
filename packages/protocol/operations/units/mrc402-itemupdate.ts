import { ALICE, POTION_NUMBER, PROJECT } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { aliased, optional } from "../../description/parameter.ts";
import { address, recordId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { changedItems, changedItemsExample } from "../items/changed-items.ts";
import { refuseAttributeCount } from "../items/metadata.ts";

/** Source: mrc402 §10. */
export const mrc402Itemupdate = signedOperation({
  name: "mrc402itemupdate",
  title: "Update multi-unit items of a project",
  route: "PUT /mrc402/{mrc400id}",
  about:
    "Changes 1 to 100 multi-unit items of a project, all or none. Omitted values stay as they are; empty texts are cleared.",
  parameters: {
    mrc400id: recordId("a project"),
    owner: optional(aliased(address(), "creator", "address")),
    itemdata: changedItems,
    tkey: temporaryKey(),
  },
  example: { mrc400id: PROJECT, owner: ALICE, itemdata: changedItemsExample(POTION_NUMBER) },
  actor: "owner",
  signed: ["mrc400id", "itemdata", "tkey"],
  check: ({ itemdata }) => refuseAttributeCount(itemdata.entries),
  refusals: ["6004", "3090", "7002", "7110", "7119", "7121", "4900"],
});
