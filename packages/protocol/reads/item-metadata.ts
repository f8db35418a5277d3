import { POTION, SWORD } from "../description/examples.ts";
import { read } from "../description/operation.ts";
import { recordId } from "../description/parameters/ids.ts";
import type { Result } from "../description/results.ts";
import {
  type HeldAs,
  listOf,
  noted,
  oneOf,
  record,
  type SchemaOf,
  text,
} from "../description/shown.ts";
import { asOf } from "./as-of.ts";

const traitValue = {
  anyOf: [{ type: "string" }, { type: "integer" }],
} as SchemaOf<string | number>;

const trait = record(
  "Trait",
  {
    trait_type: noted(text, "name of the attribute"),
    value: traitValue,
    display_type: noted(oneOf("number"), "`number` where the value is a number, else absent"),
  },
  ["trait_type", "value"],
);

const metadataSchema = record(
  "ItemMetadata",
  {
    name: text,
    description: text,
    image: noted(text, "URL of the picture; absent for none"),
    external_url: noted(text, "URL of the project's page; absent for none"),
    attributes: listOf(trait),
  },
  ["name", "description", "attributes"],
);

/** Source: mrc401 §20. */
export type ItemMetadata = Omit<
  HeldAs<typeof metadataSchema>,
  "image" | "external_url" | "attributes"
> & {
  readonly image?: string;
  readonly external_url?: string;
  readonly attributes: readonly Trait[];
};

interface Trait {
  readonly trait_type: string;
  readonly value: string | number;
  readonly display_type?: "number";
}

const ABOUT =
  "computed from the item and its project, in the form that wallets and marketplaces of other ledgers read (ERC-721, ERC-1155). An item_url may lead here.";

function metadataResult(name: string, image: string): Result {
  return {
    kind: "json",
    about: "the document",
    schema: metadataSchema,
    example: {
      name,
      description: "Items of a game",
      image,
      external_url: "https://rpg.example/",
      attributes: [{ trait_type: "level", value: 20, display_type: "number" }],
    },
  };
}

export const itemMetadata = asOf(
  read({
    name: "mrc401Metadata",
    title: "Get the metadata of an item",
    route: "GET /mrc401/{mrc401id}/metadata",
    about: `Shows the metadata of an item: ${ABOUT}`,
    parameters: { mrc401id: recordId("an item") },
    example: { mrc401id: SWORD },
    refusals: ["6004"],
    result: metadataResult("Meta-RPG #00000001", "https://rpg.example/sword/1.png"),
  }),
);

export const unitItemMetadata = asOf(
  read({
    name: "mrc402Metadata",
    title: "Get the metadata of a multi-unit item",
    route: "GET /mrc402/{mrc402id}/metadata",
    about: `Shows the metadata of a multi-unit item: ${ABOUT}`,
    parameters: { mrc402id: recordId("a multi-unit item") },
    example: { mrc402id: POTION },
    refusals: ["6004"],
    result: metadataResult("Potion", "https://rpg.example/potion.png"),
  }),
);
