import { type Refused, refuse } from "../../description/faults.ts";
import { type JsonList, type JsonListOptions, jsonList } from "../../description/json/json-list.ts";
import { jsonTexts } from "../../description/json/json-texts.ts";
import {
  aliased,
  FORM,
  fullySigned,
  meaning,
  optional,
  type Parameter,
  type Parameters,
  type ValuesOf,
} from "../../description/parameter.ts";
import { amount, rate } from "../../description/parameters/amounts.ts";
import { address, tokenId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { pattern, text } from "../../description/parameters/texts.ts";
import { url } from "../../description/parameters/urls.ts";
import type { Address } from "../../keys/address.ts";
import { type Amount, NATIVE_COIN, ZERO } from "../../text/amount.ts";
import { NO_RATE } from "../../text/rate.ts";
import { saleWindow } from "../listing-times.ts";
import { metadataMembers } from "./metadata.ts";

/** Source: mrc401 §1.1. */
export const ITEMS_MAX = 100;

/** 1 to 100 entries about different items. Source: mrc401 §1.1. */
export function itemDataList<P extends Parameters>(
  members: P,
  checks: Pick<JsonListOptions<P>, "distinctBy" | "identity" | "checkEntry">,
): Parameter<JsonList<ValuesOf<P>>> {
  return aliased(
    jsonList({ min: 1, max: ITEMS_MAX, kindFault: "1007", members, ...checks }),
    "itemdata[]",
  );
}

/** Source: mrc401 §1.1. */
export function itemDataIds(of: string): Parameter<JsonList<string>> {
  return aliased(jsonTexts({ min: 1, max: ITEMS_MAX, of }), "itemdata[]");
}

const PROJECT_ID = /^MRC400_[0-9a-f]{33}$/;

export function isProjectId(id: string): boolean {
  return PROJECT_ID.test(id);
}

/** Source: mrc401 §2.1. */
export const projectFilter = optional(meaning("", pattern(PROJECT_ID, "the id of a project")), "");

/** Source: mrc401 §2.1. */
export const itemOrProjectFilter = optional(
  meaning(
    "",
    pattern(/^MRC400_[0-9a-f]{33}(_[0-9A-Za-z]{40})?$/, "the id of an item or of a project"),
  ),
  "",
);

const ITEM_NUMBER = /^[0-9A-Za-z]{40}$/;

/** Source: mrc401 §7. */
export const itemNameMembers = {
  item_id: optional(pattern(ITEM_NUMBER, "the number of an item: 40 of 0-9A-Za-z"), ""),
  id: optional(
    meaning(
      "",
      pattern(
        /^MRC400_[0-9a-f]{33}_[0-9A-Za-z]{40}$/,
        "the id of an item: that of its project, _ and its number",
      ),
    ),
    "",
  ),
} as const;

export function itemNumberOf({
  item_id,
  id,
}: {
  readonly item_id: string;
  readonly id: string;
}): string | undefined {
  return item_id || id.slice(-40) || undefined;
}

/** Two items in one entry: 1005; an item of another project: 3005. Source: mrc401 §7. */
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

/** `""` for none. Source: mrc401 §7. */
export const itemUrl = optional(url({ use: "item", max: 255 }), "");
export const itemImageUrl = optional(url({ use: "image", max: 255 }), "");
export const itemGroup = optional(text({ max: 64 }), "");

/** Below 100 %, so that the holder receives something. Source: mrc401 §7. */
export const itemSellFee = optional(rate("99.9999"), NO_RATE);
export const itemMeltFee = optional(
  aliased(rate("99.9999"), "melting_fee", "meltint_fee"),
  NO_RATE,
);

/** Source: policies §3. */
const facePriceMembers = {
  face_price: optional(amount({ min: 1n, of: "face_token" }), ZERO),
  face_token: optional(tokenId(), NATIVE_COIN),
} as const;

/** Source: policies §9. */
export const createdFor = optional(address());

/** Refuses to list an item created for another address (3005). Source: policies §9. */
export function refuseListedFor(
  {
    to,
    sell_price,
    auction_start_price = ZERO,
  }: {
    readonly to: Address | undefined;
    readonly sell_price: Amount;
    readonly auction_start_price?: Amount;
  },
  parameter: string,
): Refused | undefined {
  const reason = "cannot stand beside a sale or an auction: the new holder lists it";
  return to !== undefined && (sell_price > 0n || auction_start_price > 0n)
    ? refuse({ code: "3005", parameter: `${parameter}.to`, reason })
    : undefined;
}

const TRANSFERABLE = ["Permanent", "Bound", "Temporary"] as const;
export type Transferable = (typeof TRANSFERABLE)[number];

const transferable = pattern(
  /^(Permanent|Bound|Temporary|Temprary)$/,
  "Permanent, Bound or Temporary",
);

/** Clients also write `Temprary`. Source: mrc401 §7. */
export const itemTransferable = optional(
  {
    ...transferable,
    schema: { ...transferable.schema, [FORM]: { kind: "choice", options: TRANSFERABLE } },
  },
  "",
);

/** Of new items of both kinds. Source: mrc401 §7, mrc402 §5. */
export const newItemMembers = {
  item_url: itemUrl,
  item_image_url: itemImageUrl,
  groupid: itemGroup,
  ...metadataMembers,
  initial_reserve: optional(amount({ min: 0n, of: "initial_token" }), ZERO),
  initial_token: optional(tokenId()),
  sell_fee: itemSellFee,
  melt_fee: itemMeltFee,
  transferable: itemTransferable,
  ...facePriceMembers,
  to: createdFor,
} as const;

/** Source: mrc401 §7, mrc402 §5. */
export const newSaleMembers = {
  sell_price: optional(amount({ min: 0n, of: "sell_token" }), ZERO),
  sell_token: optional(tokenId()),
  ...saleWindow,
} as const;

export function transferableOf(given: string): Transferable | undefined {
  return given === "" ? undefined : given === "Temprary" ? "Temporary" : (given as Transferable);
}

/** The project's owner may change them at any time. Source: mrc401 §2.6. */
export const acceptedTerms = {
  maxmeltfee: optional(rate("99.9999")),
  maxsellfee: optional(rate("99.9999")),
  transferable: itemTransferable,
} as const;

/** `acceptedTerms`, refused with a short signature, which does not cover them. */
const itemGuards = {
  maxmeltfee: fullySigned(acceptedTerms.maxmeltfee, "3005"),
  maxsellfee: fullySigned(acceptedTerms.maxsellfee, "3005"),
  transferable: fullySigned(acceptedTerms.transferable, "3005"),
} as const;

/** Of a purchase of either kind. Source: mrc401 §12, mrc402 §13. */
export const purchaseParameters = {
  price: optional(amount({ min: 0n, of: "token" })),
  token: optional(tokenId()),
  ...itemGuards,
  tkey: temporaryKey(),
} as const;

/** Of a bid for either kind. Source: mrc401 §16, mrc402 §16. */
export const bidParameters = {
  amount: amount({ min: 1n, of: "token" }),
  token: optional(tokenId()),
  buyer: optional(aliased(address(), "bidder", "address")),
  ...itemGuards,
  tkey: temporaryKey(),
} as const;

export type ItemGuards = ValuesOf<typeof itemGuards>;

export const itemGuardsExample = {
  maxmeltfee: "10",
  maxsellfee: "2.5",
  transferable: "Permanent",
} as const;
