import {
  ALICE,
  ARROW,
  BOB,
  POTION,
  PRINT,
  PROJECT,
  UNIT_LISTING,
} from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { cursor, cursorText, pageLimit, textCursor } from "../../description/parameters/cursor.ts";
import { address, recordId, tokenId } from "../../description/parameters/ids.ts";
import { pattern } from "../../description/parameters/texts.ts";
import { optionalWord, wordOrFirst } from "../../description/parameters/words.ts";
import {
  holdingExample,
  holdingSchema,
  listSchema,
  unitHolderSchema,
  unitItemRecordExample,
  unitItemSchema,
  unitListingRecordExample,
  unitListingSchema,
} from "../../description/results.ts";
import { projectFilter } from "../../operations/items/item-data.ts";

/** Shows a multi-unit item. Source: mrc402 §3. */
export const unitItem = read({
  name: "mrc402",
  title: "Get a multi-unit item",
  route: "GET /mrc402/{mrc402id}",
  about: "Shows a multi-unit item: what it is, its units, its reserve and its oldest listings.",
  parameters: { mrc402id: recordId("a multi-unit item") },
  example: { mrc402id: PRINT },
  refusals: ["6004"],
  cache: "revalidate",
  result: {
    kind: "json",
    about: "the item",
    schema: unitItemSchema,
    example: unitItemRecordExample,
  },
});

/** Shows a listing of units. Source: mrc402 §3. */
export const unitListingRead = read({
  name: "mrc402Listing",
  title: "Get a listing of units",
  route: "GET /mrc402/dex/{dexid}",
  about: "Shows a listing of units of an item: an offer or an auction.",
  parameters: { dexid: recordId("a listing of units") },
  example: { dexid: UNIT_LISTING },
  refusals: ["6004"],
  cache: "revalidate",
  result: {
    kind: "json",
    about: "the listing",
    schema: unitListingSchema,
    example: unitListingRecordExample,
  },
});

/** A filter by an item. Source: mrc402 §2.1. */
const unitItemFilter = optional(
  pattern(
    /^(MRC402_[0-9a-f]{33}|MRC400_[0-9a-f]{33}_[0-9A-Za-z]{40})$/,
    "the id of a multi-unit item",
  ),
  "",
);

const limit = pageLimit();

export const UNIT_ITEMS = "mrc402";

const unitItemsFilters = { mrc400id: PROJECT, creator: ALICE };

/** Lists multi-unit items. Source: mrc402 §3. */
export const unitItems = read({
  name: "mrc402Items",
  title: "List multi-unit items",
  route: "GET /mrc402",
  about: "Lists multi-unit items, newest first.",
  parameters: {
    mrc400id: projectFilter,
    creator: optional(address()),
    limit,
    cursor: cursor(UNIT_ITEMS),
  },
  example: {
    ...unitItemsFilters,
    limit: "2",
    cursor: cursorText(UNIT_ITEMS, 41, unitItemsFilters),
  },
  cache: "revalidate",
  result: {
    kind: "json",
    about: "items",
    schema: listSchema(unitItemSchema),
    example: {
      items: [
        { ...unitItemRecordExample, id: POTION, mrc400: PROJECT },
        {
          ...unitItemRecordExample,
          id: ARROW,
          mrc400: PROJECT,
          socialmedia: {},
          shareholder: {},
          initialreserve: {},
          reserve: {},
        },
      ],
      cursor: cursorText(UNIT_ITEMS, 40, unitItemsFilters),
    },
  },
});

export const UNIT_LISTINGS = "dex402";

const unitListingsFilters = {
  mrc402id: POTION,
  mrc400id: PROJECT,
  side: "sell",
  state: "open",
  address: ALICE,
  token: "0",
};

/** Lists listings of units. Source: mrc402 §3. */
export const unitListings = read({
  name: "mrc402Listings",
  title: "List the market of units",
  route: "GET /mrc402/dex",
  about: "Lists offers and auctions of units, newest first.",
  parameters: {
    mrc402id: unitItemFilter,
    mrc400id: projectFilter,
    side: optionalWord("sell", "auction"),
    state: wordOrFirst("open", "sold", "cancelled", "failed", "all"),
    address: optional(address()),
    token: optional(tokenId()),
    limit,
    cursor: cursor(UNIT_LISTINGS),
  },
  example: {
    ...unitListingsFilters,
    limit: "1",
    cursor: cursorText(UNIT_LISTINGS, 41, unitListingsFilters),
  },
  cache: "revalidate",
  result: {
    kind: "json",
    about: "listings",
    schema: listSchema(unitListingSchema),
    example: {
      items: [{ ...unitListingRecordExample, mrc402: POTION }],
      cursor: cursorText(UNIT_LISTINGS, 40, unitListingsFilters),
    },
  },
});

export const HOLDINGS = "holdings402";

const holdingsOfAddressFilters = { address: ALICE, mrc402id: PRINT };

/** Lists what an address has of multi-unit items. Source: mrc402 §3. */
export const holdingsOfAddress = read({
  name: "mrc402Holdings",
  title: "List the units of an address",
  route: "GET /mrc402/balance/{address}",
  about: "Lists the units that an address has, by item.",
  parameters: {
    address: address(),
    mrc402id: unitItemFilter,
    limit,
    cursor: textCursor(HOLDINGS),
  },
  example: {
    ...holdingsOfAddressFilters,
    limit: "1",
    cursor: cursorText(HOLDINGS, POTION, holdingsOfAddressFilters),
  },
  refusals: ["3090"],
  cache: "revalidate",
  result: {
    kind: "json",
    about: "units by item",
    schema: listSchema(holdingSchema),
    example: { items: [{ mrc402: PRINT, ...holdingExample }] },
  },
});

export const HOLDERS = "holders402";

const holdersOfItemFilters = { mrc402id: PRINT };

/** Lists who has units of an item. Source: mrc402 §3. */
export const holdersOfItem = read({
  name: "mrc402Holders",
  title: "List the holders of units",
  route: "GET /mrc402/holders/{mrc402id}",
  about: "Lists who has units of a multi-unit item, by address.",
  parameters: {
    mrc402id: recordId("a multi-unit item"),
    limit,
    cursor: textCursor(HOLDERS),
  },
  example: {
    ...holdersOfItemFilters,
    limit: "1",
    cursor: cursorText(HOLDERS, BOB, holdersOfItemFilters),
  },
  refusals: ["6004"],
  cache: "revalidate",
  result: {
    kind: "json",
    about: "units by address",
    schema: listSchema(unitHolderSchema),
    example: {
      items: [{ address: ALICE, ...holdingExample }],
      cursor: cursorText(HOLDERS, ALICE, holdersOfItemFilters),
    },
  },
});
