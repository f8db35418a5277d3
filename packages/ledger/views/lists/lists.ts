import {
  type AnyListRead,
  addressesOfKey,
  addressTransactions,
  blocks,
  grants,
  holdersOfItem,
  holdingsOfAddress,
  itemOffers,
  items,
  itemsOfAddress,
  itemTransactions,
  type Json,
  type ListRead,
  operationRecords,
  orders,
  orderTrades,
  type Parameters,
  pendingOrders,
  projects,
  Refused,
  seals,
  type TransactionRecord,
  tokenHolders,
  tokenListings,
  tokens,
  tokenTrades,
  transactions,
  unitItems,
  unitListings,
  unitOffers,
  type ValueOf,
} from "@moneta/protocol";
import type { Statements } from "../../database.ts";
import { invariant } from "../../invariant.ts";
import { type DocumentKind, type DocumentTable, named, textsTable } from "../../state/entries.ts";
import { GRANT } from "../../state/grant-entry.ts";
import { operationNumbered } from "../../state/ids/operation-number.ts";
import { ITEM } from "../../state/item-entry.ts";
import { KEY_USE, keySetOf, roleOf } from "../../state/key-set-entry.ts";
import { ITEM_OFFER, UNIT_OFFER } from "../../state/offer-entry.ts";
import { ORDER, PENDING } from "../../state/order-entry.ts";
import { PROJECT } from "../../state/project-entry.ts";
import { SEAL } from "../../state/seal-entry.ts";
import { storedTexts } from "../../state/tables/document-tables.ts";
import { TOKEN } from "../../state/token-entry.ts";
import { TOKEN_LISTING } from "../../state/token-listing-entry.ts";
import { HOLDING } from "../../state/units/holding-entry.ts";
import { UNIT_ITEM } from "../../state/units/unit-item-entry.ts";
import { unitItemView } from "../../state/units/unit-item-view.ts";
import { UNIT_LISTING } from "../../state/units/unit-listing-entry.ts";
import { orderTradeJson, type StoredOrderTrade } from "../order-trades.ts";
import { TOKEN_TRADE_TABLE, tokenTrade } from "../token-trades.ts";
import { circulation, type TokenJson } from "../token-view.ts";
import { DOCUMENT_AND_BESIDE, type IndexedTable } from "./indexed-rows.ts";
import { BY_ITEM_STATE, ownedItemShown, searchItems, searchOwnedItems } from "./item-lists.ts";
import {
  byAddress,
  byEntry,
  byText,
  byToken,
  byWord,
  type ColumnFilter,
  type Filter,
  ofAddress,
  ofOperations,
  ofToken,
  SINCE,
  UNTIL,
} from "./list-filters.ts";
import type { Place } from "./list-page.ts";
import {
  type List,
  type ListView,
  numberBehind,
  type Search,
  type SearchInTurns,
  type Show,
  type Wanted,
} from "./list-view.ts";
import type { ListedLedger } from "./listed-ledger.ts";
import { BY_TARGET, ofHeldItems, ofHeldUnits, searchOffers, WITH_TARGET } from "./offer-lists.ts";
import {
  BY_TYPE,
  IN_BLOCK,
  OF_SUBJECT,
  recordsShown,
  searchHistory,
  searchTransactions,
} from "./record-lists.ts";
import type { TokenHolder } from "./token-holders.ts";

const OFFERS = {
  id: BY_TARGET,
  holder: byAddress("holder"),
  buyer: byAddress("buyer"),
  token: byToken("pay_token"),
  state: byWord("state", ["open", "accepted", "withdrawn", "ended"]),
};

/** Of a token's long texts, with an image that lists show, or its path. Source: tokens §2. */
const ICON_BYTES_MAX = 4096;
const PATH_BYTES_MAX = 163_840;

const LISTING_STATES = ["open", "sold", "cancelled", "failed"];

/**
 * Selection by parameters, index and form of each list. Most are documents of one kind by an index;
 * `search` has the others. Source: chain §10.
 */
export const LISTS: readonly List[] = [
  list(addressesOfKey, {
    filters: { publickey: byText("public_key") },
    search: rows({
      ...{ table: KEY_USE.table, text: DOCUMENT_AND_BESIDE },
      ...{ order: "address", ascending: true },
    }),
    show: documents(KEY_USE, ({ address, publickey }, { state }) =>
      roleOf(keySetOf(state, address), publickey),
    ).show,
  }),
  list(grants, {
    filters: {
      address: byAddress("address"),
      agent: byText("public_key"),
      state: byWord("state", ["open", "ended"]),
    },
    ...documents(GRANT),
  }),
  list(tokens, {
    filters: { owner: byAddress("owner"), symbol: byText("symbol") },
    search: rows({ table: TOKEN.table, text: "listed" }),
    show: shownAs<string>((text, { reader: { state, tokenMarkets }, statements }) => {
      const token = JSON.parse(text) as TokenJson;
      const number = Number(token.id);
      return {
        ...{ ...token, ...circulation(state, token), holders: state.holders(number) },
        image: iconOf(statements, token.id),
        ...tokenMarkets.market(number, state.time),
      };
    }),
  }),
  list(tokenHolders, {
    filters: { token: ofToken("token") },
    search: searchTokenHolders,
    show: shownAs<TokenHolder>(({ address, free, locked }) => ({
      address,
      balance: String(free),
      locked: String(locked),
    })),
  }),
  list(tokenListings, {
    filters: {
      token: byToken("token"),
      paytoken: byToken("pay_token"),
      side: byWord("side", ["sell", "buy", "auction"]),
      state: byWord("state", LISTING_STATES),
      address: byAddress("creator"),
      bidder: byAddress("bidder"),
    },
    ...documents(TOKEN_LISTING),
    open: {
      table: TOKEN_LISTING.table,
      auctions: { side: "auction", state: "open" },
      offers: { side: "sell", state: "open" },
      pricedIn: { token: "token", paytoken: "pay_token" },
    },
  }),
  list(tokenTrades, {
    filters: {
      token: ofToken("token"),
      paytoken: byToken("pay_token"),
      since: ofOperations(SINCE),
      until: ofOperations(UNTIL),
    },
    search: rows({ table: TOKEN_TRADE_TABLE, text: "number" }),
    show: shownAs<string>((number, { reader }) => {
      const { transaction, index } = operationNumbered(Number(number));
      const { id, block, record } = reader.transactionNumbered(transaction);
      const operations = operationRecords(JSON.parse(record) as TransactionRecord);
      const own = operations.find((one) => one.index === index)?.record;
      const traded = own && tokenTrade(own);
      invariant(traded !== undefined, "a trade stands in the table by its operation's number");
      const { payToken: token, ...trade } = traded;
      return { transaction_id: id, timestamp: block.header.timestamp, ...trade, token };
    }),
  }),
  list(projects, {
    filters: { owner: byAddress("owner"), category: byText("category") },
    search: rows({ table: PROJECT.table, text: "json_array(number, json(listed))" }),
    show: shownAs<string>((text, { reader: { state, projectMarkets } }) => {
      const [number, project] = JSON.parse(text) as [number, object];
      return { ...project, ...projectMarkets.market(number, state.time) };
    }),
  }),
  list(items, {
    filters: {
      mrc400id: byEntry(PROJECT, "project"),
      owner: byAddress("holder"),
      groupid: byText("groupid"),
      state: BY_ITEM_STATE,
      token: byToken("asked_token"),
      bidder: byAddress("bidder"),
      attribute: byText("attribute"),
    },
    searchInTurns: searchItems,
    show: documents(ITEM).show,
    open: {
      table: ITEM.table,
      text: DOCUMENT_AND_BESIDE,
      auctions: { condition: "on auction" },
      offers: { condition: "on sale" },
      pricedIn: { token: "asked_token" },
    },
  }),
  list(itemsOfAddress, {
    filters: {
      address: ofAddress("holder"),
      kind: byText("kind"),
      mrc400id: byEntry(PROJECT, "project"),
    },
    search: searchOwnedItems,
    show:
      ({ reader: { state } }, { view }) =>
      (owned) =>
        JSON.stringify(ownedItemShown(owned, { view, state })),
  }),
  list(itemOffers, {
    filters: { ...OFFERS, groupid: WITH_TARGET },
    search: searchOffers(ITEM_OFFER, ofHeldItems),
    show: () => (text: string) => text,
  }),
  list(unitItems, {
    filters: {
      mrc400id: byEntry(PROJECT, "project"),
      creator: byAddress("creator"),
      attribute: byText("attribute"),
    },
    search: searchUnitItems,
    show: documents(UNIT_ITEM, (item, { state }) => unitItemView(state, item)).show,
  }),
  list(unitListings, {
    filters: {
      mrc402id: byEntry(UNIT_ITEM, "item"),
      mrc400id: byProjectOfItem(),
      side: byWord("side", ["sell", "auction"]),
      state: byWord("state", LISTING_STATES),
      address: byAddress("seller"),
      token: byToken("pay_token"),
      bidder: byAddress("bidder"),
    },
    ...documents(UNIT_LISTING),
    open: {
      table: UNIT_LISTING.table,
      auctions: { side: "auction", state: "open" },
      offers: { side: "sell", state: "open" },
      pricedIn: { token: "pay_token" },
    },
  }),
  list(holdingsOfAddress, {
    filters: { address: ofAddress("address", ({ address }) => address), mrc402id: byText("item") },
    search: rows({
      kind: HOLDING,
      table: HOLDING.table,
      text: DOCUMENT_AND_BESIDE,
      order: "item",
      ascending: true,
    }),
    show: documents(HOLDING, (holding) => ({
      mrc402: holding.item,
      ...(HOLDING.json(holding) as object),
    })).show,
  }),
  list(holdersOfItem, {
    filters: {
      mrc402id: {
        column: "item",
        find(id, { state }) {
          const item = named(state, UNIT_ITEM, id, "mrc402id");
          return item instanceof Refused ? item : [id];
        },
      },
    },
    search: rows({
      ...{ kind: HOLDING, table: HOLDING.table, text: DOCUMENT_AND_BESIDE },
      ...{ order: "address", ascending: true },
    }),
    show: documents(HOLDING, (holding) => ({
      address: holding.address,
      ...(HOLDING.json(holding) as object),
    })).show,
  }),
  list(unitOffers, {
    filters: OFFERS,
    search: searchOffers(UNIT_OFFER, ofHeldUnits),
    show: () => (text: string) => text,
  }),
  list(orders, {
    filters: {
      owner: byAddress("owner"),
      basetoken: byToken("base"),
      targettoken: byToken("target"),
      side: byWord("side", ["SELL", "BUY"]),
      state: byWord("state", ["open", "complete", "cancel"]),
    },
    ...documents(ORDER),
  }),
  list(pendingOrders, {
    filters: { address: ofAddress("address") },
    search: rows({
      ...{ kind: PENDING, table: PENDING.table, text: DOCUMENT_AND_BESIDE },
      ...{ order: "token", ascending: true },
    }),
    show: documents(PENDING, ({ token, amount, orders: count }) => ({
      token,
      pending: String(amount),
      orders: count,
    })).show,
  }),
  list(orderTrades, {
    filters: {
      basetoken: byToken("base"),
      targettoken: byToken("target"),
      address: byAddress("party"),
      mrc040id: byEntry(ORDER, "exchange_order"),
    },
    search: searchOrderTrades,
    show: shownAs<StoredOrderTrade>((trade, { reader }) => orderTradeJson(reader, trade)),
  }),
  list(seals, {
    filters: { owner: byAddress("owner"), state: byWord("state", ["closed", "open"]) },
    ...documents(SEAL),
  }),
  list(blocks, {
    filters: {},
    search: rows({
      table: { name: "block", indexes: [] },
      text: "json_array(id, json(header))",
      order: "height",
      isKey: true,
    }),
    show: shownAs<string>((text, { reader }) => {
      const [id, { sn, timestamp, count }] = JSON.parse(text);
      return { sn, id, timestamp, count, size: reader.log.size(sn) };
    }),
  }),
  list(transactions, {
    filters: {
      type: BY_TYPE,
      token: byToken("token"),
      since: SINCE,
      until: UNTIL,
      block: IN_BLOCK,
    },
    search: searchTransactions,
    show: recordsShown,
  }),
  list(addressTransactions, {
    filters: {
      address: ofAddress("subject"),
      type: BY_TYPE,
      token: byToken("token"),
      since: SINCE,
      until: UNTIL,
    },
    search: searchHistory,
    show: recordsShown,
  }),
  list(itemTransactions, {
    filters: { id: OF_SUBJECT, type: BY_TYPE, since: SINCE, until: UNTIL },
    search: searchHistory,
    show: recordsShown,
  }),
];

/** The image is the first long text. A search for it, or its path, takes five times as long. */
function iconOf(statements: Statements, token: string): string {
  const row = statements
    .prepare(
      `SELECT CASE
        WHEN octet_length(value) <= ${ICON_BYTES_MAX} THEN value ->> 'image'
        WHEN octet_length(value) <= ${PATH_BYTES_MAX} AND substr(value, 1, 15) = '{"image":"data:' THEN '/token/' || ? || '/image'
      END AS image FROM ${textsTable(TOKEN.table)} WHERE key = ?`,
    )
    .get(token, TOKEN.prefix + token);
  return (row?.["image"] as string | null | undefined) ?? "";
}

function list<P extends Parameters, C extends number | string, E>(
  read: ListRead<P, C>,
  given: {
    readonly filters: { readonly [N in Exclude<keyof P, "order" | "view">]: Filter<ValueOf<P[N]>> };
    readonly search?: Search<E>;
    readonly searchInTurns?: SearchInTurns<E>;
    readonly show: Show<NoInfer<E>>;
    readonly open?: List["open"];
  },
): List {
  return { read: read as AnyListRead, ...given } as List;
}

function rows(
  table: IndexedTable & { readonly table: Partial<Pick<DocumentTable<never>, "columns">> },
): Search<string> {
  const isText = table.table.columns?.[table.order ?? "number"]?.type === "TEXT";
  return ({ columns, from, before, after: last, limit }, lists) => {
    const after = isText
      ? (last ?? "")
      : table.ascending === true
        ? (numberBehind(last) ?? -1)
        : Math.min(numberBehind(last) ?? before, before);
    const lowest = from === 0 ? undefined : from;
    return lists.rows.places({ ...table, columns, after, from: lowest, limit });
  };
}

/** Newest first, in the form of `show`, by default that of its `GET`. */
function documents<V>(
  kind: DocumentKind<V>,
  show: ((value: V, reader: ListedLedger) => object | Json) | undefined = viewOf(kind),
): { readonly search: Search<string>; readonly show: Show<string> } {
  if (show === undefined) {
    return { search: rows({ table: kind.table }), show: () => (text) => text };
  }
  return {
    search: rows({ table: kind.table, text: DOCUMENT_AND_BESIDE }),
    show: shownAs<string>((text, { reader, statements }) => {
      const [document, beside] = JSON.parse(text) as [Json, Json];
      const value: V = kind.restore(document, beside, () =>
        storedTexts(statements, kind, kind.prefix + kind.id(value)),
      );
      return show(value, reader);
    }),
  };
}

function viewOf<V>({
  view,
}: DocumentKind<V>): ((value: V, reader: ListedLedger) => Json) | undefined {
  return view && ((value, { state }) => view(value, state));
}

function shownAs<E>(show: (entry: E, lists: ListView) => object | Json): Show<E> {
  return (lists) => (entry) => JSON.stringify(show(entry, lists));
}

/** An item has one project, so no index has both. */
function byProjectOfItem(): ColumnFilter<string | undefined> {
  const byProject = byEntry(PROJECT, "project");
  return {
    column: "project",
    find(id, reader, values) {
      const found = byProject.find(id, reader, values);
      const item = reader.state.find(UNIT_ITEM, String(values["mrc402id"]));
      if (item === undefined || !Array.isArray(found)) {
        return found;
      }
      return found.some((project) => project === item.projectOrder) ? undefined : [];
    },
  };
}

function searchUnitItems(wanted: Wanted, lists: ListView): Iterable<Place<string>> {
  const { columns, after } = wanted;
  const { table } = UNIT_ITEM;
  return columns["attribute"] === undefined
    ? rows({ table, text: DOCUMENT_AND_BESIDE })(wanted, lists)
    : lists.attributed.places({ table, columns, before: numberBehind(after) });
}

function searchTokenHolders(
  { columns, after, limit, order }: Wanted,
  { holders, reader }: ListView,
): Iterable<Place<TokenHolder>> {
  const token = columns["token"]?.[0] as number;
  if (order === "balance") {
    return holders.ranked({ token, after: String(after ?? ""), limit, at: reader.state.time });
  }
  const before = numberBehind(after) ?? Number.MAX_SAFE_INTEGER;
  return holders.places({ token, before, limit, at: reader.state.time });
}

function searchOrderTrades(
  { columns, after }: Wanted,
  { reader }: ListView,
): Iterable<Place<StoredOrderTrade>> {
  return reader.orderTrades.places(columns, numberBehind(after) ?? Number.MAX_SAFE_INTEGER);
}
