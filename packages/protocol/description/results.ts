import {
  ARROW,
  LISTING,
  POTION,
  PRINT,
  SHIELD,
  SWORD,
  TRANSACTION,
  UNIT_LISTING,
} from "./examples.ts";
import type { Result } from "./operation.ts";
import {
  listOf,
  type Members,
  noted,
  shown,
  text,
  tokenListingId,
  transactionId,
  unitListingId,
} from "./shown.ts";

/** The response to most writes. Source: accounts §10. */
export const transactionIdResult: Result = {
  kind: "json",
  about: "the id of the transaction",
  ...shown("Written", { transaction_id: [transactionId, TRANSACTION] }),
};

/** The contract's name and the public one for the same id. Source: tokens §1.6. */
const IDS: Members = {
  transaction_id: [transactionId, TRANSACTION],
  txid: [noted(text, "the same, as older clients read it"), TRANSACTION],
};

function market(title: string, about: string, members: Members = {}): Result {
  return { kind: "json", about, ...shown(title, { ...IDS, ...members }) };
}

/** The response to operations of a market. Source: tokens §1.6. */
export const marketResult: Result = market("MarketWritten", "the id of the transaction, twice");

/** The response to new listings of tokens. Source: tokens §9. */
export const listedResult: Result = market(
  "TokensListed",
  "the id of the transaction, twice, and that of the listing",
  { mrc010dexid: [tokenListingId, LISTING] },
);

/** The response where the contract says "no content". Source: tokens §1.5. */
export const tokenResult: Result = {
  kind: "nothing",
  about: "nothing; the headers name the transaction, and the token as Location",
};

/** The response to new items. Source: mrc401 §7. */
export const itemsResult: Result = market(
  "ItemsCreated",
  "the id of the transaction, twice, and those of the items in their order",
  { mrc401ids: [listOf(text), [SWORD, SHIELD]] },
);

/** As `market`, with other members for one item than for several in `itemdata`. */
function oneOrSeveral(title: string, about: string, one: Members, several: Members): Result {
  const { schema } = shown(title, { ...IDS, ...one, ...several });
  return {
    kind: "json",
    about,
    schema: { ...schema, required: Object.keys(IDS) },
    example: shown(title, { ...IDS, ...one }).example,
    otherExamples: { itemdata: shown(title, { ...IDS, ...several }).example },
  };
}

/** The response to new multi-unit items: one alone, or several of a project. Source: mrc402 §4, §5. */
export const unitItemsResult: Result = oneOrSeveral(
  "UnitItemsCreated",
  "the id of the transaction, twice, and those of the items and of their listings",
  { mrc402id: [noted(text, "of an item standing alone"), PRINT] },
  {
    mrc402ids: [noted(listOf(text), "of items of a project"), [ARROW, POTION]],
    mrc402dexids: [noted(listOf(text), "of their offers"), [UNIT_LISTING]],
  },
);

/** The response to new listings of units. Source: mrc402 §11. */
export const unitListingsResult: Result = oneOrSeveral(
  "UnitsListed",
  "the id of the transaction, twice, and that of the listing, or with itemdata of all",
  { mrc402dexid: [unitListingId, UNIT_LISTING] },
  { mrc402dexids: [listOf(text), [UNIT_LISTING]] },
);
