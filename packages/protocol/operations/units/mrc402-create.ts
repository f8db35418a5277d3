import { ALICE, ARROW_NUMBER, BOB, POTION_NUMBER, PROJECT } from "../../description/examples.ts";
import { type Refused, refuse } from "../../description/faults.ts";
import { attributeCount } from "../../description/group-members.ts";
import { signedOperation } from "../../description/operation.ts";
import { aliased, fullySigned, optional, type ValuesOf } from "../../description/parameter.ts";
import { address, recordId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { unitItemsResult } from "../../description/results.ts";
import { given } from "../../keys/signed-string.ts";
import { AMOUNT_MAX, type Amount, NATIVE_COIN, ONE } from "../../text/amount.ts";
import {
  createdFor,
  itemDataList,
  itemNameMembers,
  itemNumberOf,
  newItemMembers,
  newSaleMembers,
  refuseItemName,
  refuseListedFor,
} from "../items/item-data.ts";
import {
  metadataExample,
  refuseAttributeCount,
  refuseFrozenWithoutUrls,
  signedMetadata,
} from "../items/metadata.ts";
import { HOLDER_CHANGE_REFUSALS } from "../items/policy.ts";
import {
  EXTRA_FIELDS,
  LONG_FIELDS,
  refuseReserveTotal,
  SIGNED_UNIT_FIELDS,
  standaloneParameters,
  unitItemExample,
  unitItemParameters,
} from "./unit-item.ts";

const WHOLE = 1_000_000n; // 100 %

const members = {
  ...itemNameMembers,
  ...unitItemParameters,
  ...newItemMembers,
  ...newSaleMembers,
} as const;

export type NewUnitItem = ValuesOf<typeof members>;

/** Source: mrc402 §4, §5. */
export const mrc402Create = signedOperation({
  name: "mrc402create",
  title: "Create multi-unit items",
  route: "POST /mrc402",
  otherRoutes: ["POST /mrc402/{mrc400id}"],
  about:
    "Creates a multi-unit item that stands alone; with itemdata 1 to 100 items of a project, all or none. Whoever creates them pays their reserves and gets their units, or the address that `to` names.",
  parameters: {
    creator: optional(aliased(address(), "owner")),
    ...standaloneParameters,
    ...signedMetadata,
    to: fullySigned(createdFor),
    mrc400id: optional(recordId("a project"), ""),
    itemdata: optional(
      itemDataList(members, {
        identity: itemNumberOf,
        checkEntry: (item, parameter, { mrc400id }) =>
          refuseItemName(item, parameter, mrc400id) ??
          refuseNewItem(item, parameter) ??
          refuseListedFor(item, parameter) ??
          refuseFrozenWithoutUrls(item, `${parameter}.frozen`),
      }),
    ),
    tkey: temporaryKey(),
  },
  example: {
    creator: ALICE,
    ...unitItemExample,
    decimal: "0",
    allowtoken: "0",
    itemurl: "https://prints.example/item/{id}",
    itemimageurl: "https://prints.example/image/{id}",
    ...metadataExample,
    to: ALICE,
  },
  otherExamples: {
    itemdata: {
      creator: ALICE,
      mrc400id: PROJECT,
      itemdata: JSON.stringify([
        {
          ...{ item_id: ARROW_NUMBER, totalsupply: "50", sell_price: "3", sell_token: "0" },
          attributes: { level: 20 },
        },
        {
          item_id: POTION_NUMBER,
          name: "Potion",
          url: "https://rpg.example/potion",
          imageurl: "https://rpg.example/potion.png",
          totalsupply: "20",
          creatorcommission: "1.5",
          shareholder: { [BOB]: "2" },
          initialreserve: { "0": "1" },
          socialmedia: { chat: "https://chat.example/potions" },
          groupid: "potions",
          attributes: { level: 20 },
          sell_fee: "1.5",
          melt_fee: "2",
          transferable: "Permanent",
        },
      ]),
    },
  },
  actor: "creator",
  signed: [
    "creator",
    "name",
    "url",
    "imageurl",
    "category",
    "itemurl",
    "itemimageurl",
    "data",
    "tkey",
  ],
  signedIf: [
    {
      about: "itemdata or mrc400id is given",
      when: given("itemdata", "mrc400id"),
      signed: ["mrc400id", "itemdata", "tkey"],
    },
    {
      about: `one of ${LONG_FIELDS.join(", ")} and one of ${EXTRA_FIELDS.join(", ")} is given`,
      when: (params) => given(...LONG_FIELDS)(params) && given(...EXTRA_FIELDS)(params),
      signed: ["creator", ...SIGNED_UNIT_FIELDS, ...EXTRA_FIELDS, "tkey"],
    },
    {
      about: `one of ${LONG_FIELDS.join(", ")} is given`,
      when: given(...LONG_FIELDS),
      signed: ["creator", ...SIGNED_UNIT_FIELDS, "tkey"],
    },
  ],
  checkMissing(has) {
    const isInProject = has("itemdata") || has("mrc400id");
    const required = isInProject
      ? (["mrc400id", "itemdata"] as const)
      : (["creator", "name", "url", "imageurl"] as const);
    const missing = required.find((name) => !has(name));
    return missing === undefined ? undefined : refuse({ code: "1000", parameter: missing });
  },
  check(values) {
    const { itemdata, totalsupply, initialreserve } = values;
    if (itemdata !== undefined) {
      const reason = "stands in the elements of itemdata";
      const { to, attributes, metadatahash, frozen } = values;
      const beside = { to, attributes: attributeCount({ attributes }), metadatahash, frozen };
      const parameter = Object.entries(beside).find(([, value]) => Boolean(value))?.[0];
      return parameter === undefined
        ? (refuseReserves(itemdata.entries) ?? refuseAttributeCount(itemdata.entries))
        : refuse({ code: "3005", parameter, reason });
    }
    const { frozen, itemurl: item_url, itemimageurl: item_image_url } = values;
    return (
      refuseFrozenWithoutUrls({ frozen, item_url, item_image_url }, "frozen") ??
      refuseReserveTotal(initialreserve, totalsupply, "initialreserve") ??
      refuseRates(values, "creatorcommission")
    );
  },
  refusals: ["3090", "6004", "4001", "7002", "7111", "7109", ...HOLDER_CHANGE_REFUSALS, "5000"],
  result: unitItemsResult,
});

function refuseNewItem(item: NewUnitItem, parameter: string): Refused | undefined {
  const { totalsupply = ONE, initialreserve, initial_reserve: reserve, sell_price } = item;
  if (initialreserve !== undefined && reserve > 0n) {
    const reason = "cannot stand beside initialreserve: use one of them";
    return refuse({ code: "3005", parameter: `${parameter}.initial_reserve`, reason });
  }
  if (sell_price * totalsupply > AMOUNT_MAX) {
    const wanted = "such that all units together cost at most 10^40";
    const given = String(sell_price);
    return refuse({ code: "1101", parameter: `${parameter}.sell_price`, given, wanted });
  }
  return (
    (initialreserve &&
      refuseReserveTotal(initialreserve, totalsupply, `${parameter}.initialreserve`)) ??
    refuseRates(item, `${parameter}.sell_fee`)
  );
}

/** 3005 if the shares exceed the whole. Source: mrc402 §2.6. */
function refuseRates(
  item: Pick<NewUnitItem, "creatorcommission" | "shareholder" | "platform_address"> &
    Pick<NewUnitItem, "platform_commission"> &
    Partial<Pick<NewUnitItem, "sell_fee">>,
  parameter: string,
): Refused | undefined {
  const platform = item.platform_address === undefined ? 0n : item.platform_commission;
  const sum = [...(item.shareholder?.members.values() ?? [])].reduce(
    (total, rate) => total + rate,
    item.creatorcommission + platform + (item.sell_fee ?? 0n),
  );
  const reason = "and the other rates of the item add up to more than 100 %";
  return sum > WHOLE ? refuse({ code: "3005", parameter, reason }) : undefined;
}

/** Source: mrc402 §5. */
export function reservePerUnit({
  initialreserve,
  initial_reserve,
  initial_token = NATIVE_COIN,
}: Pick<NewUnitItem, "initialreserve" | "initial_reserve" | "initial_token">): ReadonlyMap<
  string,
  Amount
> {
  return initialreserve !== undefined && initialreserve.members.size > 0
    ? initialreserve.members
    : new Map(initial_reserve > 0n ? [[initial_token, initial_reserve]] : []);
}

function refuseReserves(items: readonly NewUnitItem[]): Refused | undefined {
  const sums = new Map<string, bigint>();
  for (const [index, item] of items.entries()) {
    for (const [token, perUnit] of reservePerUnit(item)) {
      const sum = (sums.get(token) ?? 0n) + perUnit * (item.totalsupply ?? ONE);
      if (sum > AMOUNT_MAX) {
        const parameter = `itemdata[${index}]`;
        const wanted = "such that the reserves of one token are together at most 10^40";
        return refuse({ code: "1101", parameter, given: String(perUnit), wanted });
      }
      sums.set(token, sum);
    }
  }
  return undefined;
}
