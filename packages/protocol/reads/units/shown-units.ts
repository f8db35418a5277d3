import {
  ALICE,
  ARROW,
  BOB,
  NOW,
  POTION,
  PRINT,
  PROJECT,
  UNIT_LISTING,
} from "../../description/examples.ts";
import {
  address,
  addressOrNone,
  amount,
  byName,
  integer,
  type Members,
  noted,
  oneOf,
  rate,
  recordType,
  type Shown,
  shown,
  text,
  time,
  tokenId,
  unitListingId,
} from "../../description/shown.ts";
import { metadataShown } from "../items/shown-metadata.ts";
import { facePriceShown, policyMembers } from "../items/shown-policy.ts";
import {
  auctionMembers,
  datedAuctionMembers,
  LISTING_SIDE,
  LISTING_STATE,
  lastTradeMembers,
  platformMembers,
  saleWindowMembers,
} from "../shown-trade.ts";

export const shownUnitItem = shown(
  "UnitItem",
  {
    id: [text, PRINT],
    mrc400: [noted(text, "id of its project; empty without one"), ""],
    owner: [
      noted(
        text,
        "address of the sole holder; empty if there are several; MELTED or BURNED if there is none",
      ),
      ALICE,
    ],
    creator: [address, ALICE],
    name: [text, "Sunset"],
    category: [text, "art"],
    description: [text, "Prints of a painting"],
    url: [text, "https://prints.example/sunset"],
    image_url: [text, "https://prints.example/sunset.png"],
    data: [text, "edition of 20"],
    item_url: [text, "https://prints.example/item/{id}"],
    item_image_url: [text, "https://prints.example/image/{id}"],
    groupid: [text, ""],
    ...metadataShown,
    information: [text, "A sunset, printed on paper"],
    socialmedia: [byName(text, "URLs by name"), { chat: "https://chat.example/prints" }],
    shareholder: [
      byName(rate, "percentage of each sale that other addresses receive, by address"),
      { [BOB]: "2" },
    ],
    allow_token: [tokenId, "0"],
    createdate: [time, NOW],
    totalsupply: [noted(amount, "units created and minted, less those burned"), "20"],
    meltedamount: [amount, "0"],
    burnedamount: [amount, "0"],
    decimal: [integer, 0],
    holders: [integer, 1],
    initialreserve: [byName(amount, "reserve of each unit, by token"), { "0": "1" }],
    reserve: [byName(amount, "reserve of all units now, by token"), { "0": "20" }],
    initial_reserve: [amount, "1"],
    initial_token: [tokenId, "0"],
    creatorcommission: [rate, "1.5"],
    sell_fee: [rate, "0"],
    meltint_fee: [rate, "0"],
    expiredate: [time, 0],
    melting_date: [time, 0],
    transferable: [oneOf("Permanent", "Bound", "Temporary"), "Permanent"],
    ...policyMembers,
    ...facePriceShown,
    copyright_registration_country: [text, "KR"],
    copyright_registrar: [text, "Copyright Commission"],
    copyright_registration_number: [text, "C-2026-000001"],
    ...platformMembers,
    sell_count: [integer, 0],
    auction_count: [integer, 0],
    sell_date: [time, 0],
    sell_price: [amount, "0"],
    sell_token: [tokenId, "0"],
    sell_dexid: [text, ""],
    ...saleWindowMembers,
    ...auctionMembers,
    auction_dexid: [text, ""],
    ...lastTradeMembers,
  },
  { showsDefaults: true },
);

const ofProject = { ...shownUnitItem.example, mrc400: PROJECT };

export const potion: Shown["example"] = { ...ofProject, id: POTION };
export const arrow: Shown["example"] = {
  ...ofProject,
  ...{ id: ARROW, socialmedia: {}, shareholder: {}, initialreserve: {}, reserve: {} },
};

export const shownUnitListing = shown("UnitListing", {
  dexid: [unitListingId, UNIT_LISTING],
  mrc402: [text, PRINT],
  side: [noted(oneOf("sell", "auction"), LISTING_SIDE), "sell"],
  state: [noted(oneOf("open", "sold", "cancelled", "failed"), LISTING_STATE), "open"],
  seller: [address, ALICE],
  agent: [
    noted(addressOrNone, "address that listed them for the seller; empty for the seller"),
    "",
  ],
  buyer: [addressOrNone, ""],
  amount: [amount, "5"],
  remain_amount: [amount, "5"],
  sell_price: [amount, "30"],
  sell_token: [tokenId, "0"],
  ...saleWindowMembers,
  sell_fee: [rate, "0"],
  ...platformMembers,
  regdate: [time, NOW],
  sell_date: [time, 0],
  cancel_date: [time, 0],
  ...datedAuctionMembers,
  job_type: [recordType, "mrc402_sell"],
});

const holding = {
  balance: [amount, "12"],
  saleamount: [amount, "5"],
  auctionamount: [amount, "0"],
} satisfies Members;

/** Source: chain §5. */
export const heldUnits = shown("Holding", holding);

export const holdingExample: Shown["example"] = heldUnits.example;

export const shownHolding = shown("Holding", { mrc402: [text, PRINT], ...holding });

export const shownUnitHolder = shown("UnitHolder", { address: [address, ALICE], ...holding });
