import { ALICE, POTION, PROJECT, SWORD } from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { cursor, cursorText, pageLimit } from "../../description/parameters/cursor.ts";
import { address, recordId, tokenId } from "../../description/parameters/ids.ts";
import { text } from "../../description/parameters/texts.ts";
import { optionalWord, wordOrFirst } from "../../description/parameters/words.ts";
import {
  holdingExample,
  itemRecordExample,
  itemSchema,
  listedProjectExample,
  listedProjectSchema,
  listSchema,
  ownedItemSchema,
  projectRecordExample,
  projectSchema,
} from "../../description/results.ts";
import { itemGroup, projectFilter } from "../../operations/items/item-data.ts";

/** Shows a project. Source: mrc401 §5. */
export const project = read({
  name: "mrc400",
  title: "Get a project",
  route: "GET /mrc400/{mrc400id}",
  about: "Shows a project of items.",
  parameters: { mrc400id: recordId("a project") },
  example: { mrc400id: PROJECT },
  refusals: ["6004"],
  cache: "revalidate",
  result: {
    kind: "json",
    about: "the project",
    schema: projectSchema,
    example: projectRecordExample,
  },
});

/** Shows an item. Source: mrc401 §6. */
export const item = read({
  name: "mrc401",
  title: "Get an item",
  route: "GET /mrc401/{mrc401id}",
  about: "Shows an item of a project: whose it is, and whether it is on sale or on auction.",
  parameters: { mrc401id: recordId("an item") },
  example: { mrc401id: SWORD },
  refusals: ["6004"],
  cache: "revalidate",
  result: { kind: "json", about: "the item", schema: itemSchema, example: itemRecordExample },
});

const limit = pageLimit();

/** The list of projects, for their cursors. */
export const PROJECTS = "mrc400";

const projectsFilters = { owner: ALICE, category: "game" };

/** Lists projects. Source: chain §10. */
export const projects = read({
  name: "mrc400Projects",
  title: "List projects",
  route: "GET /mrc400",
  about: "Lists projects of items, newest first, without their long texts.",
  parameters: {
    owner: optional(address()),
    category: optional(text({ max: 64, withoutBar: true }), ""),
    limit,
    cursor: cursor(PROJECTS),
  },
  example: { ...projectsFilters, limit: "1", cursor: cursorText(PROJECTS, 41, projectsFilters) },
  cache: "revalidate",
  result: {
    kind: "json",
    about: "projects",
    schema: listSchema(listedProjectSchema),
    example: { items: [listedProjectExample], cursor: cursorText(PROJECTS, 40, projectsFilters) },
  },
});

/** The list of items, for their cursors. */
export const ITEMS = "mrc401";

const itemsFilters = {
  mrc400id: PROJECT,
  owner: ALICE,
  groupid: "swords",
  state: "sale",
  token: "0",
};

/** Lists items. Source: chain §10. */
export const items = read({
  name: "mrc401Items",
  title: "List items",
  route: "GET /mrc401",
  about:
    "Lists items of projects, newest first. Those of an owner are those that it holds; a token is one that a sale or an auction asks for.",
  parameters: {
    mrc400id: projectFilter,
    owner: optional(address()),
    groupid: itemGroup,
    state: wordOrFirst("open", "sale", "auction", "idle", "melted", "all"),
    token: optional(tokenId()),
    limit,
    cursor: cursor(ITEMS),
  },
  example: { ...itemsFilters, limit: "1", cursor: cursorText(ITEMS, 41, itemsFilters) },
  cache: "revalidate",
  result: {
    kind: "json",
    about: "items",
    schema: listSchema(itemSchema),
    example: { items: [itemRecordExample], cursor: cursorText(ITEMS, 40, itemsFilters) },
  },
});

/** The list of the items of an address, for their cursors. */
export const OWNED_ITEMS = "items";

const itemsOfAddressFilters = { address: ALICE, kind: "mrc402", mrc400id: PROJECT };

/** Lists the items of an address. Source: chain §10. */
export const itemsOfAddress = read({
  name: "addressItems",
  title: "List the items of an address",
  route: "GET /address/{address}/items",
  about:
    "Lists the items of an address, newest first: those that it holds, and those that it has units of.",
  parameters: {
    address: address(),
    kind: optionalWord("mrc401", "mrc402"),
    mrc400id: projectFilter,
    limit,
    cursor: cursor(OWNED_ITEMS),
  },
  example: {
    ...itemsOfAddressFilters,
    limit: "1",
    cursor: cursorText(OWNED_ITEMS, 41, itemsOfAddressFilters),
  },
  refusals: ["3090"],
  cache: "revalidate",
  result: {
    kind: "json",
    about: "items",
    schema: listSchema(ownedItemSchema),
    example: {
      items: [{ kind: "mrc402", id: POTION, mrc400: PROJECT, ...holdingExample }],
      cursor: cursorText(OWNED_ITEMS, 40, itemsOfAddressFilters),
    },
  },
});
