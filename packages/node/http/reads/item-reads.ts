import {
  ITEM,
  type Item,
  invariant,
  type LedgerReader,
  type OwnedItem,
  PROJECT,
  UNIT_ITEM,
  unitItemView,
} from "@moneta/ledger";
import {
  type Address,
  type Cursor,
  ITEMS,
  type Json,
  OWNED_ITEMS,
  PROJECTS,
  type Refused,
  refuse,
  type TokenId,
} from "@moneta/protocol";
import { type Answer, json, listPage, PAGE } from "../responses/answer.ts";
import { inTurns } from "./in-turns.ts";
import {
  isOfNobody,
  listingPage,
  NO_LISTINGS,
  numberIn,
  refuseUnpriced,
  wantedListings,
} from "./listing-page.ts";

/** Source: mrc401 §5. */
export function showProject(
  { mrc400id }: { mrc400id: string },
  { state }: LedgerReader,
): Answer | Refused {
  const project = state.find(PROJECT, mrc400id);
  return project === undefined
    ? refuse({ code: "6004", what: "a project", parameter: "mrc400id", given: mrc400id })
    : json(PROJECT.json(project));
}

/** Source: mrc401 §6. */
export function showItem(
  { mrc401id }: { mrc401id: string },
  { state }: LedgerReader,
): Answer | Refused {
  const item = state.find(ITEM, mrc401id);
  return item === undefined
    ? refuse({ code: "6004", what: "an item", parameter: "mrc401id", given: mrc401id })
    : json(ITEM.view?.(item));
}

/** Source: chain §10. */
export function listProjects(
  values: {
    owner: Address | undefined;
    category: string;
    limit: number | undefined;
    cursor: Cursor<number> | undefined;
  },
  { state, items }: LedgerReader,
): Answer {
  const { owner, category } = values;
  const ownerNumber = owner && state.address(owner)?.number;
  if (owner !== undefined && ownerNumber === undefined) {
    return listPage([], { list: PROJECTS, values }, undefined);
  }
  const page = items.projects({
    ownerNumber,
    category: category === "" ? undefined : category,
    before: values.cursor?.last,
    limit: values.limit ?? PAGE,
  });
  return listPage(page.items, { list: PROJECTS, values }, page.cursor);
}

function* itemPage(
  values: {
    mrc400id: string;
    owner: Address | undefined;
    groupid: string;
    state: "open" | "sale" | "auction" | "idle" | "melted" | "all";
    token: TokenId | undefined;
    limit: number | undefined;
    bidder: Address | undefined;
    order: "new" | "end" | "price";
    cursor: Cursor<string> | undefined;
  },
  { state, items }: LedgerReader,
): Generator<undefined, Answer | Refused> {
  const { mrc400id, owner, groupid, bidder, order, token } = values;
  const unpriced = refuseUnpriced(order, { token });
  if (unpriced !== undefined) {
    return unpriced;
  }
  const holderNumber = owner && state.address(owner)?.number;
  const bidderNumber = bidder && state.address(bidder)?.number;
  const project = state.find(PROJECT, mrc400id)?.order;
  const isUnknown =
    (owner !== undefined && holderNumber === undefined) ||
    (bidder !== undefined && bidderNumber === undefined) ||
    (mrc400id !== "" && project === undefined);
  if (isUnknown) {
    return listPage([], { list: ITEMS, values }, undefined);
  }
  const filters = {
    show: (item: Item) => JSON.stringify(ITEM.view?.(item)),
    project,
    holderNumber,
    group: groupid === "" ? undefined : groupid,
    askedToken: token,
    limit: values.limit ?? PAGE,
  };
  const wanted = wantedListings(values, bidderNumber);
  if (wanted !== undefined) {
    const states = [order === "price" ? "sale" : "auction", "open", "all"];
    const mayBeOpen = states.includes(values.state) && !isOfNobody(values);
    const open = mayBeOpen ? items.open({ ...filters, wanted }) : NO_LISTINGS;
    return listingPage({ list: ITEMS, values }, open);
  }
  const before = numberIn(values.cursor);
  const page = yield* items.items({ ...filters, state: values.state, before });
  return listPage(page.items, { list: ITEMS, values }, page.cursor);
}

/** Source: chain §10. */
export const listItems = inTurns(ITEMS, itemPage);

function* ownedItemPage(
  values: {
    address: Address;
    kind: "mrc401" | "mrc402" | "";
    mrc400id: string;
    view: "full" | "";
    limit: number | undefined;
    cursor: Cursor<number> | undefined;
  },
  { state, items }: LedgerReader,
): Generator<undefined, Answer | Refused> {
  const { address, kind, mrc400id, view } = values;
  const holderNumber = state.address(address)?.number;
  if (holderNumber === undefined) {
    return refuse({ code: "3090", parameter: "address", address, status: 404 });
  }
  const project = state.find(PROJECT, mrc400id)?.order;
  if (mrc400id !== "" && project === undefined) {
    return listPage([], { list: OWNED_ITEMS, values }, undefined);
  }
  const page = yield* items.ofAddress({
    show: (item) =>
      JSON.stringify(view === "full" ? { ...item, record: recordOf(item, state) } : item),
    holderNumber,
    kind: kind === "" ? undefined : kind,
    project,
    before: values.cursor?.last,
    limit: values.limit ?? PAGE,
  });
  return listPage(page.items, { list: OWNED_ITEMS, values }, page.cursor);
}

/** Source: chain §10. */
export const listItemsOfAddress = inTurns(OWNED_ITEMS, ownedItemPage);

/** What the `GET` of an item shows. */
function recordOf({ kind, id }: OwnedItem, state: LedgerReader["state"]): Json {
  if (kind === "mrc401") {
    const item = state.find(ITEM, id);
    invariant(item !== undefined, "what an address has is there");
    return ITEM.view?.(item) ?? null;
  }
  const item = state.find(UNIT_ITEM, id);
  invariant(item !== undefined, "what an address has is there");
  return unitItemView(state, item);
}
