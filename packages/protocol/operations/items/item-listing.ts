import { ALICE, PROJECT, SHIELD, SWORD } from "../../description/examples.ts";
import { jsonTexts } from "../../description/json/json-texts.ts";
import {
  optionalAddress,
  type Parameter,
  recordId,
  temporaryKey,
} from "../../description/parameters.ts";
import { marketResult } from "../../description/results.ts";
import { ACTOR } from "../../keys/signed-string.ts";
import type { Json } from "../../text/canonical-json.ts";
import { ITEMS_MAX } from "./item-data.ts";

/** What the operations take that put items on sale or on auction, or take them off. Source: mrc401 §10. */
export function itemListing<D>(itemdata: Parameter<D>, example: Json) {
  return {
    parameters: {
      seller: optionalAddress({ aliases: ["address"] }),
      mrc400id: recordId("a project", { optional: true }),
      itemdata,
      tkey: temporaryKey(),
    },
    example: { seller: ALICE, mrc400id: PROJECT, itemdata: JSON.stringify(example) },
    actor: "seller",
    signed: [{ name: "seller", absentAs: ["", ACTOR] }, "itemdata", "tkey"],
    result: marketResult,
  } as const;
}

/** Ids of the items to take off sale or auction. Source: mrc401 §11. */
export const listedItems = jsonTexts({
  min: 1,
  max: ITEMS_MAX,
  of: "ids of items",
  aliases: ["itemdata[]"],
});

export const listedItemsExample = [SWORD, SHIELD];
