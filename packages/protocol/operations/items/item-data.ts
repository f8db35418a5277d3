import { type Refused, refuse } from "../../description/faults.ts";
import { type JsonList, type JsonListOptions, jsonList } from "../../description/json/json-list.ts";
import type { Parameter, Parameters, ValuesOf } from "../../description/parameters.ts";
import { pattern, rate, text, url } from "../../description/parameters.ts";

/** How many items one operation may name. Source: mrc401 §1.4. */
export const ITEMS_MAX = 100;

/** `itemdata` of an operation: 1 to 100 entries about items, none about the same as another. Source: mrc401 §1.4. */
export function itemDataList<P extends Parameters>(
  members: P,
  checks: Pick<JsonListOptions<P>, "distinctBy" | "identity" | "checkEntry">,
): Parameter<JsonList<ValuesOf<P>>> {
  return jsonList({
    min: 1,
    max: ITEMS_MAX,
    aliases: ["itemdata[]"],
    kindFault: "1007",
    members,
    ...checks,
  });
}

/** A filter by a project. Source: mrc401 §2.1. */
export const projectFilter = pattern({
  matches: /^MRC400_[0-9a-f]{33}$/,
  wanted: "the id of a project",
  optional: true,
});

const ITEM_NUMBER = /^[0-9A-Za-z]{40}$/;

/** What `itemdata` names an item of a project by: its number, or all of its id. Source: mrc401 §7. */
export const itemNameMembers = {
  item_id: pattern({
    matches: ITEM_NUMBER,
    wanted: "the number of an item: 40 of 0-9A-Za-z",
    optional: true,
  }),
  id: pattern({
    matches: /^MRC400_[0-9a-f]{33}_[0-9A-Za-z]{40}$/,
    wanted: "the id of an item: that of its project, _ and its number",
    optional: true,
  }),
} as const;

/** The number of the item that an entry names, undefined if it names none. */
export function itemNumberOf({
  item_id,
  id,
}: {
  readonly item_id: string;
  readonly id: string;
}): string | undefined {
  return item_id || id.slice(-40) || undefined;
}

/** Refused with 1005 if an entry names two items, with 3005 if it names one of another project. Source: mrc401 §7. */
export function refuseItemName(
  { item_id, id }: { readonly item_id: string; readonly id: string },
  parameter: string,
  mrc400id: unknown,
): Refused | undefined {
  if (id === "") {
    return undefined;
  }
  if (item_id !== "" && item_id !== id.slice(-40)) {
    return refuse({ code: "1005", parameter: `${parameter}.item_id` });
  }
  const reason = `is an item of another project than ${mrc400id}`;
  return id.slice(0, -41) === mrc400id
    ? undefined
    : refuse({ code: "3005", parameter: `${parameter}.id`, reason });
}

/** What an item says of itself; `""` if nothing. Source: mrc401 §7. */
export const itemUrl = url({ use: "page", max: 255, optional: true });
export const itemImageUrl = url({ use: "image", max: 255, optional: true });
export const itemGroup = text({ max: 64, optional: true });

/** Fees of an item: less than the whole, so that something is left for its holder. Source: mrc401 §7. */
export const itemSellFee = rate({ max: "99.9999", optional: true });
export const itemMeltFee = rate({
  max: "99.9999",
  optional: true,
  aliases: ["melting_fee", "meltint_fee"],
});

export type Transferable = "Permanent" | "Bound" | "Temporary";

/** Whether an item may be passed on; one of the spellings that clients use is not right. Source: mrc401 §7. */
export const itemTransferable = {
  ...pattern({
    matches: /^(Permanent|Bound|Temporary|Temprary)$/,
    wanted: "Permanent, Bound or Temporary",
    optional: true,
  }),
} as const;

export function transferableOf(given: string): Transferable | undefined {
  return given === "" ? undefined : given === "Temprary" ? "Temporary" : (given as Transferable);
}
