import { ALICE, BOB, OFFER, PRINT, PROJECT, SWORD, UNIT_OFFER } from "../description/examples.ts";
import { refuse } from "../description/faults.ts";
import { read } from "../description/operation.ts";
import { optional } from "../description/parameter.ts";
import { address, recordId, tokenId } from "../description/parameters/ids.ts";
import { orderOf, wordOrFirst } from "../description/parameters/words.ts";
import { itemGroup, itemOrProjectFilter } from "../operations/items/item-data.ts";
import type { TokenId } from "../text/amount.ts";
import { asOf } from "./as-of.ts";
import { placeListRead } from "./list-read.ts";
import { shownItemOffer, shownUnitOffer } from "./shown-offers.ts";
import { unitItemFilter } from "./units/unit-item.ts";

/** Source: offers §7. */
export const itemOffer = asOf(
  read({
    name: "mrc401Offer",
    title: "Get an offer for an item",
    route: "GET /mrc401/offer/{offerid}",
    about: "Shows an offer for an item, whether it is open, accepted, withdrawn or ended.",
    parameters: { offerid: recordId("an offer") },
    example: { offerid: OFFER },
    refusals: ["6004"],
    result: { kind: "json", about: "the offer", ...shownItemOffer },
  }),
);

/** Source: offers §7. */
export const unitOffer = asOf(
  read({
    name: "mrc402Offer",
    title: "Get an offer for units",
    route: "GET /mrc402/offer/{offerid}",
    about: "Shows an offer for units, whether it is open, accepted, withdrawn or ended.",
    parameters: { offerid: recordId("an offer") },
    example: { offerid: UNIT_OFFER },
    refusals: ["6004"],
    result: { kind: "json", about: "the offer", ...shownUnitOffer },
  }),
);

const filters = {
  holder: optional(address()),
  buyer: optional(address()),
  token: optional(tokenId()),
  state: wordOrFirst("open", "accepted", "withdrawn", "ended", "all"),
  order: orderOf("new", "price"),
} as const;

const filtersExample = { buyer: BOB, token: "0", state: "open", order: "new" } as const;

/**
 * Refused with 1000 for an order by price without a token, 3005 for a holder with a parameter that
 * selects others than its open offers. Source: offers §7.
 */
function refuseUnlisted({
  holder,
  id,
  groupid = "",
  state,
  order,
  token,
}: {
  readonly holder: string | undefined;
  readonly id: string;
  readonly groupid?: string;
  readonly state: string;
  readonly order: string;
  readonly token: TokenId | undefined;
}): ReturnType<typeof refuse> | undefined {
  const [other] = [
    ...(id === "" ? [] : ["id"]),
    ...(groupid === "" ? [] : ["groupid"]),
    ...(state === "open" ? [] : [`state=${state}`]),
    ...(order === "new" ? [] : [`order=${order}`]),
  ];
  if (holder !== undefined && other !== undefined) {
    const reason = `cannot be given with ${other}: it lists the newest open offers for all that an address holds`;
    return refuse({ code: "3005", parameter: "holder", reason });
  }
  return order === "price" && token === undefined
    ? refuse({ code: "1000", parameter: "token" })
    : undefined;
}

/** Source: offers §7. */
export const itemOffers = placeListRead({
  name: "mrc401Offers",
  title: "List offers for items",
  route: "GET /mrc401/offers",
  about:
    "Lists offers for items, newest first: open ones, unless `state` names others. `id` is of one item, which adds those for its project and its group that it could meet, or of a project: those for any of its items, with `groupid` for any of that group. `holder` lists open offers of others for its 250 newest items. `order=price` lists open offers, the highest price first, and needs `token`.",
  list: "off401",
  filters: { id: itemOrProjectFilter, groupid: itemGroup, ...filters },
  filtersExample: { id: SWORD, ...filtersExample },
  otherExamples: {
    best: { id: SWORD, token: "0", order: "price" },
    group: { id: PROJECT, groupid: "swords" },
    held: { holder: ALICE },
  },
  refusals: ["1000"],
  check: refuseUnlisted,
  entries: "offers",
  shown: shownItemOffer,
});

/** Source: offers §7. */
export const unitOffers = placeListRead({
  name: "mrc402Offers",
  title: "List offers for units",
  route: "GET /mrc402/offers",
  about:
    "Lists offers for units, newest first: open ones, unless `state` names others. `holder` lists open offers of others for its 250 newest kinds of units. `order=price` lists open offers, the highest price first, and needs `token`.",
  list: "off402",
  filters: { id: unitItemFilter, ...filters },
  filtersExample: { id: PRINT, ...filtersExample },
  otherExamples: { best: { id: PRINT, token: "0", order: "price" }, held: { holder: ALICE } },
  refusals: ["1000"],
  check: refuseUnlisted,
  entries: "offers",
  shown: shownUnitOffer,
});
