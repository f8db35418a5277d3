import { ALICE, MARKET, NOW, PROJECT, SWORD } from "../../description/examples.ts";
import {
  address,
  addressOrNone,
  amount,
  byName,
  integer,
  itemOwner,
  listed,
  listOf,
  type Members,
  noted,
  oneOf,
  rate,
  record,
  type SchemaOf,
  type Shown,
  shown,
  text,
  time,
  tokenId,
} from "../../description/shown.ts";
import { auctionMembers, lastTradeMembers, saleWindowMembers } from "../shown-trade.ts";
import { arrow, holdingExample, potion, shownUnitItem } from "../units/shown-units.ts";
import { metadataShown } from "./shown-metadata.ts";
import { facePriceShown, policyMembers } from "./shown-policy.ts";

const ALLOWED_TOKEN =
  "the one token, beside 0, that its items are traded for; 0 allows every token";

const projectId: SchemaOf<string> = { type: "string", pattern: "^MRC400_[0-9a-f]{33}$" };

const members = {
  id: [projectId, PROJECT],
  owner: [address, ALICE],
  name: [text, "Meta-RPG"],
  url: [text, "https://rpg.example/"],
  image_url: [text, "https://rpg.example/logo.png"],
  allow_token: [noted(integer, ALLOWED_TOKEN), 0],
  category: [text, "game"],
  description: [text, "Items of a game"],
  data: [text, "season 1"],
  item_url: [text, "https://rpg.example/item/{id}"],
  item_image_url: [text, "https://rpg.example/image/{id}"],
  socialmedia: [byName(text, "URLs by name"), { chat: "https://chat.example/rpg" }],
  partner: [
    byName(oneOf("partner", "seller", "creator"), "roles by address"),
    { [MARKET]: "seller" },
  ],
  createdate: [time, NOW],
  ...policyMembers,
} satisfies Members;

export const shownProject = shown("Project", members);

/** Source: mrc401 §5. */
const marketMembers = {
  day_trades: [
    noted(integer, "how many trades there were in this hour of ledger time and the 23 before it"),
    3,
  ],
  day_volume: [
    noted(
      listOf(record("ProjectVolume", { token: tokenId, volume: amount, trades: integer })),
      "what was paid in these hours, by token: at most five, those with most trades first",
    ),
    [{ token: "0", volume: "90", trades: 3 }],
  ],
} satisfies Members;

export const shownProjectMarket = shown("ProjectMarket", marketMembers);

export const listedProject = listed(
  "ListedProject",
  { ...members, ...marketMembers },
  "data",
  "description",
  "socialmedia",
  "partner",
  "policy",
  "policy_number",
);

export const shownItem = shown(
  "Item",
  {
    id: [text, SWORD],
    mrc400: [text, PROJECT],
    owner: [
      noted(
        itemOwner,
        "address of the holder; empty while only the project's owner has had it; MELTED once melted",
      ),
      "",
    ],
    holder: [noted(addressOrNone, "address of the holder; empty once it is melted"), ALICE],
    creator: [address, ALICE],
    item_url: [text, "https://rpg.example/sword/1"],
    item_image_url: [text, "https://rpg.example/sword/1.png"],
    groupid: [text, "swords"],
    ...metadataShown,
    createdate: [time, NOW],
    initial_reserve: [amount, "5"],
    initial_token: [tokenId, "0"],
    meltint_fee: [rate, "2"],
    melting_fee: [rate, "2"],
    melting_date: [noted(time, "when it was melted; 0 before"), 0],
    expiredate: [noted(time, "when it may first be melted; 0 for at once"), 0],
    transferable: [oneOf("Permanent", "Bound", "Temporary"), "Permanent"],
    sell_date: [time, NOW],
    sell_fee: [rate, "1.5"],
    sell_price: [amount, "30"],
    sell_token: [tokenId, "0"],
    ...saleWindowMembers,
    listing_fee: [rate, "0"],
    ...policyMembers,
    ...facePriceShown,
    held_since: [noted(time, "when the holder received it; 0 unless its policy has a cooldown"), 0],
    ...auctionMembers,
    ...lastTradeMembers,
  },
  { showsDefaults: true },
);

function owned(unitItem: Shown["example"]): Shown["example"] {
  const { id = "", mrc400 = "" } = unitItem;
  return { kind: "mrc402", id, mrc400, ...holdingExample, record: unitItem };
}

export const ownedItems: readonly Shown["example"][] = [potion, arrow].map(owned);

/** Source: chain §10. */
export const shownOwnedItem: Shown = {
  schema: record(
    "OwnedItem",
    {
      kind: oneOf("mrc401", "mrc402"),
      id: text,
      mrc400: noted(text, "id of its project; empty without one"),
      balance: noted(amount, "of a multi-unit item: units that are free"),
      saleamount: noted(amount, "of a multi-unit item: units on sale"),
      auctionamount: noted(amount, "of a multi-unit item: units on auction"),
      record: {
        description: "with `view=full`: what `GET /mrc401/{id}` or `GET /mrc402/{id}` shows",
        anyOf: [shownItem.schema, shownUnitItem.schema],
      },
    },
    ["kind", "id", "mrc400"],
  ),
  example: owned(potion),
};
