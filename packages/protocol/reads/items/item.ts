import { ALICE, BOB, PROJECT, SWORD } from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { address, recordId, tokenId } from "../../description/parameters/ids.ts";
import { text } from "../../description/parameters/texts.ts";
import { optionalWord, orderOf, wordOrFirst } from "../../description/parameters/words.ts";
import { itemGroup, projectFilter } from "../../operations/items/item-data.ts";
import { attributeFilter, refuseAttributeAlone } from "../../operations/items/metadata.ts";
import { asOf } from "../as-of.ts";
import { listRead, placeListRead } from "../list-read.ts";
import {
  listedProject,
  ownedItems,
  shownItem,
  shownOwnedItem,
  shownProject,
  shownProjectMarket,
} from "./shown-items.ts";

/** Source: mrc401 §5. */
export const project = asOf(
  read({
    name: "mrc400",
    title: "Get a project",
    route: "GET /mrc400/{mrc400id}",
    about: "Shows a project of items.",
    parameters: { mrc400id: recordId("a project") },
    example: { mrc400id: PROJECT },
    refusals: ["6004"],
    result: { kind: "json", about: "the project", ...shownProject },
  }),
);

/** Source: mrc401 §5. */
export const projectMarket = read({
  name: "mrc400Market",
  title: "Get the trades of a project in 24 hours",
  route: "GET /mrc400/market/{mrc400id}",
  about:
    "Counts the trades with items and units of a project in this hour of ledger time and the 23 before it, and what was paid in each token.",
  parameters: { mrc400id: recordId("a project") },
  example: { mrc400id: PROJECT },
  refusals: ["6004"],
  result: { kind: "json", about: "the trades of a day", ...shownProjectMarket },
});

/** Source: mrc401 §6. */
export const item = asOf(
  read({
    name: "mrc401",
    title: "Get an item",
    route: "GET /mrc401/{mrc401id}",
    about: "Shows an item of a project: whose it is, and whether it is on sale or on auction.",
    parameters: { mrc401id: recordId("an item") },
    example: { mrc401id: SWORD },
    refusals: ["6004"],
    result: { kind: "json", about: "the item", ...shownItem },
  }),
);

/** Source: chain §10. */
export const projects = listRead({
  name: "mrc400Projects",
  title: "List projects",
  route: "GET /mrc400",
  about: "Lists projects of items, newest first, without their long texts.",
  list: "mrc400",
  filters: {
    owner: optional(address()),
    category: optional(text({ max: 64, withoutBar: true }), ""),
  },
  filtersExample: { owner: ALICE, category: "game" },
  entries: "projects",
  shown: listedProject,
});

/** Source: chain §10. */
export const items = placeListRead({
  name: "mrc401Items",
  title: "List items",
  route: "GET /mrc401",
  about:
    "Lists items of projects, newest first, by the end of auctions, or by the price of sales, which needs `token`. Those of an owner are those that it holds; a token is one that a sale or an auction asks for; a bidder is one with the highest bid in an open auction. An attribute such as level:20 needs `mrc400id`.",
  list: "mrc401",
  filters: {
    mrc400id: projectFilter,
    owner: optional(address()),
    groupid: itemGroup,
    state: wordOrFirst("open", "sale", "auction", "idle", "melted", "all"),
    token: optional(tokenId()),
    bidder: optional(address()),
    attribute: attributeFilter,
    order: orderOf("new", "end", "price"),
  },
  filtersExample: {
    mrc400id: PROJECT,
    owner: ALICE,
    groupid: "swords",
    state: "sale",
    token: "0",
    attribute: "level:20",
    order: "new",
  },
  otherExamples: { bids: { bidder: BOB, order: "end" }, cheapest: { token: "0", order: "price" } },
  refusals: ["1000"],
  check: refuseAttributeAlone,
  entries: "items",
  shown: shownItem,
});

/** Source: chain §10. */
export const itemsOfAddress = asOf(
  listRead({
    name: "addressItems",
    title: "List the items of an address",
    route: "GET /address/{address}/items",
    about:
      "Lists the items of an address, newest first: those that it holds, and those that it has units of. With view=full each has its record.",
    list: "items",
    filters: {
      address: address(),
      kind: optionalWord("mrc401", "mrc402"),
      mrc400id: projectFilter,
      view: optionalWord("full"),
    },
    filtersExample: { address: ALICE, kind: "mrc402", mrc400id: PROJECT, view: "full" },
    refusals: ["3090"],
    entries: "items",
    shown: shownOwnedItem,
    page: ownedItems,
  }),
);
