import type { Json } from "../text/canonical-json.ts";
import {
  ARROW,
  LISTING,
  OFFER,
  ORDER,
  POTION,
  PRINT,
  SEAL,
  SHIELD,
  SWORD,
  TRADE,
  TRANSACTION,
  UNIT_LISTING,
  UNIT_OFFER,
} from "./examples.ts";
import type { Schema } from "./parameter.ts";
import {
  amount,
  listOf,
  type Members,
  noted,
  orderStatus,
  record,
  shown,
  text,
  tokenListingId,
  transactionId,
  unitListingId,
} from "./shown.ts";

export type Result =
  | {
      readonly kind: "text";
      readonly about: string;
      readonly example: string;
      /** Its name in the client library, for a write. */
      readonly member?: string;
    }
  | {
      readonly kind: "json";
      readonly about: string;
      readonly schema: Schema;
      readonly example?: Json;
      readonly otherExamples?: { readonly [form: string]: Json };
      /** With this list, `each` has one id for each entry; without it, `one` has the id. */
      readonly ids?: { readonly list: string; readonly each: string; readonly one?: string };
    }
  | {
      readonly kind: "textOrJson";
      readonly about: string;
      readonly jsonIf: string;
      readonly schema: Schema;
      readonly example?: { readonly text: string; readonly json: Json };
    }
  | {
      readonly kind: "file";
      readonly about: string;
      readonly contentType: string;
      readonly example?: string;
    }
  | {
      readonly kind: "stream";
      readonly about: string;
      readonly contentType: string;
      readonly example: string;
    }
  /** `Location` names the written object. Source: tokens §1.3. */
  | { readonly kind: "nothing"; readonly about: string };

/** The response to most writes. Source: accounts §10. */
export const transactionIdResult: Result = {
  kind: "json",
  about: "the id of the transaction",
  ...shown("Written", { transaction_id: [transactionId, TRANSACTION] }),
};

/** Source: conventions §8.2. */
const IDS: Members = {
  transaction_id: [transactionId, TRANSACTION],
  txid: [noted(text, "same as `transaction_id`, for older clients"), TRANSACTION],
};

export function market(title: string, about: string, members: Members = {}): Result {
  return { kind: "json", about, ...shown(title, { ...IDS, ...members }) };
}

/** Source: conventions §8.2. */
export const marketResult: Result = market("MarketWritten", "the id of the transaction, twice");

/** Source: protocols §6. */
export const sealedResult: Result = market(
  "TextSealed",
  "the id of the transaction, twice, and of the sealed text",
  { mrc020key: [noted(text, "id of the sealed text"), SEAL] },
);

/** Source: tokens §9. */
export const listedResult: Result = market(
  "TokensListed",
  "the id of the transaction, twice, and that of the listing",
  { mrc010dexid: [tokenListingId, LISTING] },
);

/** Source: offers §2. */
export function offerResult(title: string, kind: "401" | "402"): Result {
  return market(title, "the id of the transaction, twice, and that of the offer", {
    offerid: [noted(text, "id of the offer"), kind === "401" ? OFFER : UNIT_OFFER],
  });
}

const trades: Members = {
  trades: [
    listOf(
      record("OrderTraded", {
        id: noted(text, "id of the trade"),
        mrc040id: noted(text, "id of the order that waited"),
        price: noted(amount, "base tokens for one whole target token"),
        qtt: noted(amount, "units of the target that were traded"),
        amount: noted(amount, "base tokens that were paid"),
      }),
    ),
    [{ id: TRADE, mrc040id: ORDER, price: "300", qtt: "100", amount: "300" }],
  ],
};

/** Source: protocols §10. */
export const orderResult: Result = market(
  "OrderRegistered",
  "the id of the transaction, twice, and of the order; what it has traded at once",
  {
    mrc040id: [noted(text, "id of the order"), ORDER],
    status: [orderStatus, "WAIT"],
    remainqtt: [amount, "1000"],
    trades: [(trades["trades"] as Members[string])[0], []],
  },
);

/** Source: protocols §10. */
export const orderRequestResult: Result = market(
  "OrderRequestDone",
  "the id of the transaction, twice, and what was traded",
  {
    doneqtt: [noted(amount, "units of the target that were traded"), "100"],
    amount: [noted(amount, "base tokens that were paid in all"), "300"],
    ...trades,
  },
);

/** Source: protocols §10. */
export const orderExchangeResult: Result = market(
  "OrderExchangeDone",
  "the id of the transaction, twice, and the trade",
  trades,
);

/** Source: tokens §1.3. */
export const tokenResult: Result = {
  kind: "nothing",
  about: "nothing; the headers name the transaction, and the token as Location",
};

/** Source: mrc401 §7. */
export const itemsResult: Result = {
  kind: "json",
  about: "the id of the transaction, twice, and those of the items in their order",
  ids: { list: "itemdata", each: "mrc401ids" },
  ...shown("ItemsCreated", { ...IDS, mrc401ids: [listOf(text), [SWORD, SHIELD]] }),
};

function oneOrSeveral(
  title: string,
  [one, ofOne]: readonly [string, Members[string]],
  [each, ofEach]: readonly [string, Members[string]],
  ofSeveral: Members = {},
): Omit<Extract<Result, { readonly kind: "json" }>, "about"> {
  const several = { ...IDS, [each]: ofEach, ...ofSeveral };
  const { schema } = shown(title, { ...IDS, [one]: ofOne, ...several });
  return {
    kind: "json",
    ids: { list: "itemdata", each, one },
    schema: { ...schema, required: Object.keys(IDS) },
    example: shown(title, { ...IDS, [one]: ofOne }).example,
    otherExamples: { itemdata: shown(title, several).example },
  };
}

/** Source: mrc402 §4, §5. */
export const unitItemsResult: Result = {
  about: "the id of the transaction, twice, and those of the items and of their listings",
  ...oneOrSeveral(
    "UnitItemsCreated",
    ["mrc402id", [noted(text, "id of the item, if it has no project"), PRINT]],
    [
      "mrc402ids",
      [noted(listOf(text), "ids of the items, in the order of the request"), [ARROW, POTION]],
    ],
    {
      mrc402dexids: [
        noted(listOf(text), "ids of the offers that the items were listed with"),
        [UNIT_LISTING],
      ],
    },
  ),
};

/** Source: mrc402 §11. */
export const unitListingsResult: Result = {
  about: "the id of the transaction, twice, and that of the listing, or with itemdata of all",
  ...oneOrSeveral(
    "UnitsListed",
    ["mrc402dexid", [unitListingId, UNIT_LISTING]],
    ["mrc402dexids", [listOf(text), [UNIT_LISTING]]],
  ),
};
