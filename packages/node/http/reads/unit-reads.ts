import {
  HOLDING,
  type LedgerReader,
  PROJECT,
  UNIT_ITEM,
  UNIT_LISTING,
  type UnitListing,
  unitItemView,
} from "@moneta/ledger";
import {
  type Address,
  type Cursor,
  HOLDERS,
  HOLDINGS,
  type Refused,
  refuse,
  type TokenId,
  UNIT_ITEMS,
  UNIT_LISTINGS,
} from "@moneta/protocol";
import { type Answer, json, listPage, PAGE } from "../responses/answer.ts";
import { listListings, refuseUnpriced } from "./listing-page.ts";

/** Source: mrc402 §3. */
export function showUnitItem(
  { mrc402id }: { mrc402id: string },
  { state }: LedgerReader,
): Answer | Refused {
  const item = state.find(UNIT_ITEM, mrc402id);
  return item === undefined
    ? refuse({ code: "6004", what: "a multi-unit item", parameter: "mrc402id", given: mrc402id })
    : json(unitItemView(state, item));
}

/** Source: mrc402 §3. */
export function showUnitListing(
  { dexid }: { dexid: string },
  { state }: LedgerReader,
): Answer | Refused {
  const listing = state.find(UNIT_LISTING, dexid);
  return listing === undefined
    ? refuse({ code: "6004", what: "a listing", parameter: "dexid", given: dexid })
    : json(UNIT_LISTING.json(listing));
}

/** Source: mrc402 §3. */
export function listUnitItems(
  values: {
    mrc400id: string;
    creator: Address | undefined;
    limit: number | undefined;
    cursor: Cursor<number> | undefined;
  },
  { state, unitItems }: LedgerReader,
): Answer {
  const { creator, mrc400id } = values;
  const creatorNumber = creator && state.address(creator)?.number;
  const project = state.find(PROJECT, mrc400id)?.order;
  const isUnknown =
    (creator !== undefined && creatorNumber === undefined) ||
    (mrc400id !== "" && project === undefined);
  if (isUnknown) {
    return listPage([], { list: UNIT_ITEMS, values }, undefined);
  }
  const { items, cursor } = unitItems.items({
    show: (item) => JSON.stringify(unitItemView(state, item)),
    project,
    creatorNumber,
    before: values.cursor?.last,
    limit: values.limit ?? PAGE,
  });
  return listPage(items, { list: UNIT_ITEMS, values }, cursor);
}

/** Source: mrc402 §3. */
export function listUnitListings(
  values: {
    mrc402id: string;
    mrc400id: string;
    side: "sell" | "auction" | "";
    state: "open" | "sold" | "cancelled" | "failed" | "all";
    address: Address | undefined;
    token: TokenId | undefined;
    limit: number | undefined;
    bidder: Address | undefined;
    order: "new" | "end" | "price";
    cursor: Cursor<string> | undefined;
  },
  { state, unitItems }: LedgerReader,
): Answer | Refused {
  const { address, mrc400id, mrc402id, bidder, token } = values;
  const unpriced = refuseUnpriced(values.order, { token });
  if (unpriced !== undefined) {
    return unpriced;
  }
  const sellerNumber = address && state.address(address)?.number;
  const bidderNumber = bidder && state.address(bidder)?.number;
  const project = state.find(PROJECT, mrc400id)?.order;
  const item = state.find(UNIT_ITEM, mrc402id);
  const isUnknown =
    (address !== undefined && sellerNumber === undefined) ||
    (bidder !== undefined && bidderNumber === undefined) ||
    (mrc400id !== "" && project === undefined) ||
    (mrc402id !== "" && item === undefined);
  if (isUnknown) {
    return listPage([], { list: UNIT_LISTINGS, values }, undefined);
  }
  const filters = {
    show: (listing: UnitListing) => JSON.stringify(UNIT_LISTING.json(listing)),
    item,
    project,
    sellerNumber,
    payToken: token,
    limit: values.limit ?? PAGE,
  };
  return listListings({ list: UNIT_LISTINGS, values }, bidderNumber, {
    open: (wanted) => unitItems.open({ ...filters, wanted }),
    newest: (those) => unitItems.listings({ ...filters, ...those }),
  });
}

/** Source: mrc402 §3. */
export function listHoldings(
  values: {
    address: Address;
    mrc402id: string;
    limit: number | undefined;
    cursor: Cursor<string> | undefined;
  },
  { state, unitItems }: LedgerReader,
): Answer | Refused {
  const { address, mrc402id, limit = PAGE, cursor } = values;
  if (state.address(address) === undefined) {
    return refuse({ code: "3090", parameter: "address", address, status: 404 });
  }
  const item = mrc402id === "" ? undefined : mrc402id;
  const found = unitItems.holdingsOf(address, { item, after: cursor?.last, limit: limit + 1 });
  const shown = found.slice(0, limit);
  return listPage(
    shown.map((holding) =>
      JSON.stringify({ mrc402: holding.item, ...(HOLDING.json(holding) as object) }),
    ),
    { list: HOLDINGS, values },
    found.length > limit ? shown.at(-1)?.item : undefined,
  );
}

/** Source: mrc402 §3. */
export function listHolders(
  values: { mrc402id: string; limit: number | undefined; cursor: Cursor<string> | undefined },
  { state, unitItems }: LedgerReader,
): Answer | Refused {
  const { mrc402id, limit = PAGE, cursor } = values;
  if (state.find(UNIT_ITEM, mrc402id) === undefined) {
    return refuse({
      code: "6004",
      what: "a multi-unit item",
      parameter: "mrc402id",
      given: mrc402id,
    });
  }
  const found = unitItems.holdersOf(mrc402id, cursor?.last, limit + 1);
  const shown = found.slice(0, limit);
  return listPage(
    shown.map((holding) =>
      JSON.stringify({ address: holding.address, ...(HOLDING.json(holding) as object) }),
    ),
    { list: HOLDERS, values },
    found.length > limit ? shown.at(-1)?.address : undefined,
  );
}
