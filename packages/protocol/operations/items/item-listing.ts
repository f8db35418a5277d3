import { ALICE, PROJECT, SHIELD, SWORD } from "../../description/examples.ts";
import { aliased, optional, type Parameter } from "../../description/parameter.ts";
import { address, recordId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { ACTOR } from "../../keys/signed-string.ts";
import type { Json } from "../../text/canonical-json.ts";
import { itemDataIds } from "./item-data.ts";

/** Source: mrc401 §10. */
export function itemListing<D>(itemdata: Parameter<D>, example: Json) {
  return {
    parameters: {
      seller: optional(aliased(address(), "address")),
      mrc400id: optional(recordId("a project"), ""),
      itemdata,
      tkey: temporaryKey(),
    },
    example: { seller: ALICE, mrc400id: PROJECT, itemdata: JSON.stringify(example) },
    actor: "seller",
    signed: [{ name: "seller", absentAs: ["", ACTOR] }, "itemdata", "tkey"],
  } as const;
}

/** Source: mrc401 §11. */
export const listedItems = itemDataIds("ids of items");

export const listedItemsExample = [SWORD, SHIELD];
