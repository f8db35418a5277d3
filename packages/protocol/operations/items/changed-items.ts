import { refuse } from "../../description/faults.ts";
import { clearable, optional, type ValuesOf } from "../../description/parameter.ts";
import {
  itemDataList,
  itemGroup,
  itemImageUrl,
  itemMeltFee,
  itemNameMembers,
  itemNumberOf,
  itemSellFee,
  itemTransferable,
  itemUrl,
  refuseItemName,
} from "./item-data.ts";
import { keptMetadataMembers } from "./metadata.ts";

const members = {
  ...itemNameMembers,
  item_url: clearable(itemUrl),
  item_image_url: clearable(itemImageUrl),
  groupid: clearable(itemGroup),
  ...keptMetadataMembers,
  sell_fee: optional(itemSellFee),
  melt_fee: optional(itemMeltFee),
  transferable: itemTransferable,
} as const;

/** Undefined members stay unchanged. */
export type ChangedItem = ValuesOf<typeof members>;

/** Source: mrc401 §8, mrc402 §10. */
export const changedItems = itemDataList(members, {
  identity: itemNumberOf,
  checkEntry: (item, parameter, { mrc400id }) =>
    itemNumberOf(item) === undefined
      ? refuse({ code: "1000", parameter: `${parameter}.item_id` })
      : refuseItemName(item, parameter, mrc400id),
});

export function changedItemsExample(number: string): string {
  return JSON.stringify([{ item_id: number, groupid: "rare", sell_fee: "2" }]);
}
