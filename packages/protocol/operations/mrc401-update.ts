import { refuse } from "../faults.ts";
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
} from "../item-data.ts";
import { signedOperation } from "../operation.ts";
import {
  clearable,
  ifGiven,
  optionalAddress,
  recordId,
  temporaryKey,
  type ValuesOf,
} from "../parameters.ts";
import { marketResult } from "../results.ts";

const members = {
  ...itemNameMembers,
  item_url: clearable(itemUrl),
  item_image_url: clearable(itemImageUrl),
  groupid: clearable(itemGroup),
  sell_fee: ifGiven(itemSellFee),
  melt_fee: ifGiven(itemMeltFee),
  transferable: itemTransferable,
} as const;

/** What `itemdata` says about an item that is there; undefined for what stays as it is. */
export type ChangedItem = ValuesOf<typeof members>;

/** Changes items of a project. Source: mrc401 §8. */
export const mrc401Update = signedOperation({
  name: "mrc401update",
  route: "PUT /mrc401/{mrc400id}",
  about:
    "Changes 1 to 100 items of a project, all or none. What is left out stays as it is; empty texts are cleared.",
  parameters: {
    mrc400id: recordId("a project"),
    creator: optionalAddress({ aliases: ["owner", "address"] }),
    itemdata: itemDataList(members, {
      identity: itemNumberOf,
      checkEntry: (item, parameter, { mrc400id }) =>
        itemNumberOf(item) === undefined
          ? refuse({ code: "1000", parameter: `${parameter}.item_id` })
          : refuseItemName(item, parameter, mrc400id),
    }),
    tkey: temporaryKey(),
  },
  signed: ["mrc400id", "itemdata", "tkey"],
  result: marketResult,
});
