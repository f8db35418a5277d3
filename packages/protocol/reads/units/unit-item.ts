import { ALICE, BOB, POTION, PRINT, PROJECT, UNIT_LISTING } from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { meaning, optional } from "../../description/parameter.ts";
import { address, recordId, tokenId } from "../../description/parameters/ids.ts";
import { pattern } from "../../description/parameters/texts.ts";
import { optionalWord, orderOf, wordOrFirst } from "../../description/parameters/words.ts";
import { projectFilter } from "../../operations/items/item-data.ts";
import { attributeFilter, refuseAttributeAlone } from "../../operations/items/metadata.ts";
import { asOf } from "../as-of.ts";
import { listRead, placeListRead, textListRead } from "../list-read.ts";
import {
  arrow,
  potion,
  shownHolding,
  shownUnitHolder,
  shownUnitItem,
  shownUnitListing,
} from "./shown-units.ts";

/** Source: mrc402 §3. */
export const unitItem = asOf(
  read({
    name: "mrc402",
    title: "Get a multi-unit item",
    route: "GET /mrc402/{mrc402id}",
    about: "Shows a multi-unit item: what it is, its units, its reserve and its oldest listings.",
    parameters: { mrc402id: recordId("a multi-unit item") },
    example: { mrc402id: PRINT },
    refusals: ["6004"],
    result: { kind: "json", about: "the item", ...shownUnitItem },
  }),
);

/** Source: mrc402 §3. */
export const unitListingRead = asOf(
  read({
    name: "mrc402Listing",
    title: "Get a listing of units",
    route: "GET /mrc402/dex/{dexid}",
    about: "Shows a listing of units of an item: an offer or an auction.",
    parameters: { dexid: recordId("a listing of units") },
    example: { dexid: UNIT_LISTING },
    refusals: ["6004"],
    result: { kind: "json", about: "the listing", ...shownUnitListing },
  }),
);

/** Source: mrc402 §2.1. */
export const unitItemFilter = optional(
  meaning(
    "",
    pattern(
      /^(MRC402_[0-9a-f]{33}|MRC400_[0-9a-f]{33}_[0-9A-Za-z]{40})$/,
      "the id of a multi-unit item",
    ),
  ),
  "",
);

/** Source: mrc402 §3. */
export const unitItems = listRead({
  name: "mrc402Items",
  title: "List multi-unit items",
  route: "GET /mrc402",
  about: "Lists multi-unit items, newest first. An attribute such as level:20 needs `mrc400id`.",
  list: "mrc402",
  filters: {
    mrc400id: projectFilter,
    creator: optional(address()),
    attribute: attributeFilter,
  },
  filtersExample: { mrc400id: PROJECT, creator: ALICE, attribute: "level:20" },
  refusals: ["1000"],
  check: refuseAttributeAlone,
  entries: "items",
  shown: shownUnitItem,
  page: [potion, arrow],
});

/** Source: mrc402 §3. */
export const unitListings = placeListRead({
  name: "mrc402Listings",
  title: "List the market of units",
  route: "GET /mrc402/dex",
  about:
    "Lists offers and auctions of units, newest first, by the end of auctions, or by the price of offers, which needs `token`. A bidder is one with the highest bid in an open auction.",
  list: "dex402",
  filters: {
    mrc402id: unitItemFilter,
    mrc400id: projectFilter,
    side: meaning("filter: kind of listing", optionalWord("sell", "auction")),
    state: wordOrFirst("open", "sold", "cancelled", "failed", "all"),
    address: optional(address()),
    token: optional(tokenId()),
    bidder: optional(address()),
    order: orderOf("new", "end", "price"),
  },
  filtersExample: {
    mrc402id: POTION,
    mrc400id: PROJECT,
    side: "sell",
    state: "open",
    address: ALICE,
    token: "0",
    order: "new",
  },
  otherExamples: { bids: { bidder: BOB, order: "end" } },
  refusals: ["1000"],
  entries: "listings",
  shown: shownUnitListing,
  page: [{ ...shownUnitListing.example, mrc402: POTION }],
});

/** Source: mrc402 §3. */
export const holdingsOfAddress = asOf(
  textListRead({
    name: "mrc402Holdings",
    title: "List the units of an address",
    route: "GET /mrc402/balance/{address}",
    about: "Lists the units that an address has, by item.",
    list: "holdings402",
    filters: { address: address(), mrc402id: unitItemFilter },
    filtersExample: { address: ALICE, mrc402id: PRINT },
    refusals: ["3090"],
    entries: "units by item",
    shown: shownHolding,
    after: POTION,
  }),
);

/** Source: mrc402 §3. */
export const holdersOfItem = asOf(
  textListRead({
    name: "mrc402Holders",
    title: "List the holders of units",
    route: "GET /mrc402/holders/{mrc402id}",
    about: "Lists the addresses that have units of a multi-unit item.",
    list: "holders402",
    filters: { mrc402id: recordId("a multi-unit item") },
    filtersExample: { mrc402id: PRINT },
    refusals: ["6004"],
    entries: "units by address",
    shown: shownUnitHolder,
    after: BOB,
    next: ALICE,
  }),
);
