import { GOLD } from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { boundedInteger } from "../../description/parameters/integers.ts";
import { text } from "../../description/parameters/texts.ts";
import { optionalWord } from "../../description/parameters/words.ts";
import {
  text as anyText,
  type HeldAs,
  listOf,
  noted,
  oneOf,
  record,
} from "../../description/shown.ts";

const SEARCH_LENGTH_MAX = 120;
export const FOUND_MAX = 20;
export const FOUND_DEFAULT = 5;

const foundSchema = record(
  "Found",
  {
    kind: oneOf(
      ...(["address", "transaction", "block", "group", "token", "project", "item"] as const),
      ...(["groupid", "attribute", "listing", "offer", "order", "seal"] as const),
    ),
    id: noted(anyText, "id of the match; for an attribute or a group of items, of their project"),
    name: noted(
      anyText,
      "its name; for an attribute or a group of items, the name of their project; empty for none",
    ),
    symbol: noted(anyText, "symbol of a token"),
    groupid: noted(anyText, "group of items, as the parameter `groupid` of lists takes it"),
    attribute: noted(
      anyText,
      "name, colon and value, as the parameter `attribute` of lists takes it",
    ),
    image: noted(anyText, "URL of its picture, or the path of a token's; absent for none"),
  },
  ["kind", "id", "name"],
);

type FoundMembers = HeldAs<typeof foundSchema>;

export type Found = Pick<FoundMembers, "kind" | "id" | "name"> & Partial<FoundMembers>;

/** Source: explorer §5. */
export const search = read({
  name: "search",
  title: "Search by name or id",
  route: "GET /search",
  about:
    "Finds tokens, projects, items, their groups and attributes by the beginning of their names, symbols or any of their words, and everything by its id, whole or shortened. Exact matches come first, then the oldest.",
  parameters: {
    text: text({ max: SEARCH_LENGTH_MAX }),
    kind: optionalWord("token", "project", "item", "groupid", "attribute"),
    limit: optional(boundedInteger({ min: 1n, max: BigInt(FOUND_MAX) })),
  },
  example: { text: "gold", kind: "token", limit: "5" },
  result: {
    kind: "json",
    about: "matches: ids first, then at most `limit` of each kind",
    schema: { title: "FoundList", ...listOf(foundSchema) },
    example: [{ kind: "token", id: GOLD, name: "Gold", symbol: "GLD" }],
  },
});
