import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { after, before, test } from "node:test";
import type { Address, Json } from "@moneta/protocol";
import type { Database, Statement } from "../../database.ts";
import { listNamed, listPage, listPages, type Query } from "../../testing/list-pages.ts";
import {
  createItems,
  createProject,
  createToken,
  createUnitItems,
  createUnits,
} from "../../testing/trade/creations.ts";
import { OrderMarket } from "../../testing/trade/order-market.ts";
import { sealing } from "../../testing/trade/sealing.ts";
import { BalanceView } from "../balances.ts";
import { DueAuctionView } from "../due-auctions.ts";
import { OrderBook } from "../order-book.ts";
import { OrderTradeView } from "../order-trades.ts";
import { ListView } from "./list-view.ts";
import { LISTS } from "./lists.ts";

// Every list under every combination of its filters, over entries made by operations: whole and in
// pages of several sizes. What should be listed is computed from the entries of the whole list.

type Entry = Readonly<Record<string, Json>>;
type Filters = Readonly<Record<string, (entry: Entry, value: string) => boolean>>;

const UNKNOWN_ADDRESS = "MTAlice00000000000000000000000005dc33c90";
const UNKNOWN_PROJECT = `MRC400_${"0".repeat(33)}`;
const UNKNOWN_UNITS = `MRC402_${"0".repeat(33)}`;

let market: OrderMarket;
let people: Readonly<Record<"a" | "b" | "c", Address>>;
const made = {
  tokens: [] as string[],
  projects: [] as string[],
  items: [] as string[],
  units: [] as string[],
  unitListings: [] as string[],
  tokenListings: [] as string[],
  orders: [] as string[],
  itemOffers: [] as string[],
  unitOffers: [] as string[],
  publicKeys: [] as string[],
  grants: 0,
  seals: [] as string[],
};

/** SQL that lists have asked for, of the lists that `recording` has made. */
const statements = new Set<string>();
let recording: ListView;

before(async () => {
  market = await OrderMarket.open();
  await populate();
  const { database, reader, now } = market.client.ledger;
  recording = new ListView(recorded(database), reader);
  // Nothing changes any more: one snapshot serves all reads.
  reader.open(now);
});
after(() => market[Symbol.dispose]());

/** The database, whose statements are noted. */
function recorded(database: Database): Database {
  const prepare = (sql: string): Statement => {
    statements.add(sql);
    return database.prepare(sql);
  };
  return { prepare } as unknown as Database;
}

async function populate(): Promise<void> {
  const { client, base, target } = market;
  const tokens = { [base]: 10_000n, [target]: 10_000n };
  people = await client.people(["a", "b", "c"], { coins: 1_000_000n, tokens });
  const { a, b, c } = people;
  for (const [owner, symbol] of [
    [a, "GLD"],
    [b, "GLD"],
    [a, "SLV"],
  ] as const) {
    const name = `${symbol} ${made.tokens.length}`;
    made.tokens.push(await createToken(client, owner, { symbol, name }));
  }
  const [gold, , silver] = made.tokens as [string, string, string];
  await client.pay(b, 500n, { token: silver, from: a });
  await client.pay(c, 500n, { token: silver, from: a });
  for (const [owner, category] of [
    [a, "game"],
    [b, "art"],
    [a, "art"],
  ] as const) {
    made.projects.push(await createProject(client, owner, {}, { category }));
  }
  // No item that is made later meets these.
  for (const groupid of ["", "swords"]) {
    const terms = { id: made.projects[0] as string, price: "90", token: "0", ...openFor(90) };
    made.itemOffers.push(await client.make("mrc401offer", c, { ...terms, groupid }));
  }
  const listings = [
    { attributes: { level: 7 } },
    { attributes: { level: 7 } },
    { sell_price: "5" },
    { sell_price: "6", sell_token: silver, attributes: { level: "7", rare: true } },
    {
      ...{ auction_start_price: "5", auction_end: String(client.now + 9000) },
      attributes: { level: 7, rare: true },
    },
    { auction_start_price: "6", auction_token: silver, auction_end: String(client.now + 8000) },
  ];
  for (const [at, owner] of [a, b].entries()) {
    const project = made.projects[at] as string;
    for (const groupid of ["", "swords", "shields"]) {
      const ids = await createItems(
        client,
        project,
        owner,
        ...listings.map((listing) => ({ ...(groupid && { groupid }), ...listing })),
      );
      made.items.push(...ids);
      const [idle, melted, onSale, , onAuction] = ids as [string, string, string, string, string];
      await client.done("mrc401melt", owner, { mrc401id: melted });
      await client.done("mrc401transfer", owner, { mrc401id: idle, toAddr: c });
      await client.done("mrc401buy", c, { mrc401id: onSale });
      await client.done("mrc401sell", c, { itemdata: [{ id: idle, price: "7", token: "0" }] });
      if (groupid !== "") {
        await client.done("mrc401bid", c, { mrc401id: onAuction, amount: "5" });
      }
    }
    const units = await createUnitItems(
      client,
      project,
      owner,
      { totalsupply: "9" },
      {
        attributes: { level: 7 },
      },
    );
    made.units.push(...units, await createUnits(client, owner, { totalsupply: "90" }));
  }
  for (const [at, id] of made.units.entries()) {
    const owner = at < 3 ? a : b;
    if (at % 3 !== 1) {
      await client.done("mrc402transfer", owner, { toAddr: c, mrc402id: id, amount: "2" });
    }
    for (const token of ["0", silver]) {
      if (at % 3 === 2) {
        const lot = { id, amount: "1", token };
        const bids = { auction_start_price: "5", auction_bidding_unit: "1" };
        for (const price of ["60", "2", "100"]) {
          made.unitListings.push(await client.make("mrc402sell", owner, { ...lot, price }));
        }
        made.unitListings.push(await client.make("mrc402sell", c, { ...lot, price: "2" }));
        made.unitListings.push(await client.make("mrc402auction", owner, { ...lot, ...bids }));
        made.unitListings.push(await client.make("mrc402auction", owner, { ...lot, ...bids }));
        const [first, second, , , , auction] = made.unitListings.slice(-6) as string[];
        await client.done("mrc402buy", c, { id: first as string, amount: "1" });
        await client.done("mrc402unsell", owner, { id: second as string });
        await client.done("mrc402bid", c, { id: auction as string, amount: "5" });
      }
    }
  }
  for (const [by, mrc010id, token] of [
    [a, gold, "0"],
    [a, gold, silver],
    [a, silver, "0"],
    [b, silver, "0"],
  ] as const) {
    const lot = { mrc010id, token, amount: "20" };
    const terms = [
      { price: "40", min_trade_unit: "10" },
      { price: "3", min_trade_unit: "1" },
      { price: "4", min_trade_unit: "1" },
    ];
    const sales: string[] = [];
    for (const each of terms) {
      sales.push(await client.make("mrc010sell", by, { ...lot, ...each }));
    }
    const auction = { ...lot, auction_start_price: "5" };
    const auctions = [
      await client.make("mrc010auction", by, auction),
      await client.make("mrc010auction", by, auction),
    ];
    const request = await client.make("mrc010reqsell", c, { ...lot, price: "1" });
    made.tokenListings.push(...sales, ...auctions, request);
    await client.done("mrc010buy", c, { dexid: sales[2] as string, amount: "20" });
    await client.done("mrc010unsell", by, { dexid: sales[1] as string });
    await client.done("mrc010bid", c, { dexid: auctions[1] as string, amount: "5" });
    client.now += 1;
  }
  for (const [by, side, price] of [
    [a, "SELL", "100"],
    [b, "SELL", "110"],
    [b, "BUY", "90"],
    [c, "BUY", "80"],
    [a, "SELL", "120"],
  ] as const) {
    made.orders.push(await market.order(by, side, "10", price));
  }
  const [sold, partly, , cancelled] = made.orders as [string, string, string, string];
  for (const [id, quantity] of [
    [sold, "10"],
    [partly, "5"],
  ] as const) {
    assert.equal((await market.take(c, id, quantity)).summary, "done");
  }
  assert.equal((await market.cancel(c, cancelled)).summary, "done");
  for (const [at, owner] of [a, a, b].entries()) {
    const terms = sealing(client, owner, { referencekey: `sealed_${at}`, key: "k".repeat(20) });
    made.seals.push(await client.make("mrc020", owner, terms));
  }
  client.now += 86_400;
  await client.done("mrc020open", "", { mrc020key: made.seals[1] as string, key: "k".repeat(20) });
  await populateOffers();
  await populateKeys();
  // Auctions of units and tokens last for longer, so there are failed ones and open ones.
  await client.done("mrc402auctionfinish", "", { id: made.unitListings[4] as string });
  await client.done("mrc010auctionfinish", "", { dexid: made.tokenListings[3] as string });
}

/** A and B share a key; A has another one that recovers B. Both let agents with these keys act. */
async function populateKeys(): Promise<void> {
  const { client } = market;
  const { a, b } = people;
  const [own, shared] = [publicKeyOf("prime256v1"), publicKeyOf("secp384r1")];
  made.publicKeys.push(own, shared);
  const terms = { threshold: "1", version: "1", proof: "MEQ=" };
  const [keyA, keyB] = [{ publickey: own }, { publickey: shared }];
  await client.done("addresskeys", a, { address: a, keys: [keyA, keyB], ...terms });
  const recovery = { recoverykeys: [keyA], recoverythreshold: "1", recoverydelay: "86400" };
  await client.done("addresskeys", b, { address: b, keys: [keyB], ...terms, ...recovery });
  const until = String(client.now + 86_400);
  for (const [by, agent] of [
    [a, own],
    [a, shared],
    [b, own],
    [b, own],
  ] as const) {
    const grant = { address: by, agent, operations: ["transfer"], until };
    const { record } = await client.done("grant", by, grant);
    const grantid = record.parameters[1] as string;
    if (by === b && made.grants++ > 0) {
      await client.done("grantend", by, { grantid });
    }
  }
}

function publicKeyOf(namedCurve: string): string {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve });
  return publicKey.export({ type: "spki", format: "pem" }).toString();
}

function openFor(days: number): { readonly end: string } {
  return { end: String(market.client.now + days * 86_400) };
}

/** Offers of B and C for items, projects, groups and units: open, accepted, withdrawn and ended. */
async function populateOffers(): Promise<void> {
  const { client } = market;
  const { a, b, c } = people;
  const silver = made.tokens[2] as string;
  client.now += 1;
  for (const [buyer, id, groupid, token, price] of [
    [b, made.items[4], "", "0", "20"],
    [c, made.items[4], "", "0", "30"],
    [b, made.items[5], "", silver, "9"],
    [b, made.projects[0], "", "0", "25"],
    [c, made.projects[0], "swords", "0", "30"],
    [b, made.projects[0], "swords", silver, "8"],
    [b, made.projects[0], "shields", "0", "40"],
    [c, made.projects[1], "", "0", "50"],
    [b, made.items[12], "", "0", "60"],
    [b, made.items[14], "", "0", "61"],
  ] as const) {
    const terms = { id: id as string, groupid, token, price, ...openFor(3) };
    made.itemOffers.push(await client.make("mrc401offer", buyer, terms));
  }
  for (const [buyer, token, price, end] of [
    [b, "0", "3", openFor(3)],
    [c, "0", "5", openFor(3)],
    [b, silver, "4", openFor(3)],
    [b, "0", "5", openFor(1 / 24)],
  ] as const) {
    const terms = { id: made.units[2] as string, amount: "2", token, price, ...end };
    made.unitOffers.push(await client.make("mrc402offer", buyer, terms));
  }
  const [first, , third, fourth] = made.unitOffers as [string, string, string, string];
  const offerid = made.itemOffers.at(-2) as string;
  await client.done("mrc401unoffer", b, { offerid });
  await client.done("mrc402unoffer", b, { offerid: third });
  await client.done("mrc402acceptoffer", a, { offerid: first, amount: "2" });
  client.now += 3600;
  await client.done("mrc402offerfinish", "", { offerid: fourth });
}

const is =
  (name: string) =>
  (entry: Entry, value: string): boolean =>
    String(entry[name]) === value;

/** Entries have nothing under all of the names but one, or the same. */
const isOneOf =
  (...names: readonly string[]) =>
  (entry: Entry, value: string): boolean =>
    names.some((name) => String(entry[name]) === value);

const isIn: Filters[string] = (entry, value) => value === "all" || String(entry["state"]) === value;

function itemState(entry: Entry): string {
  return entry["owner"] === "MELTED"
    ? "melted"
    : Number(entry["sell_date"]) > 0
      ? "sale"
      : Number(entry["auction_date"]) > 0
        ? "auction"
        : "idle";
}

const hasAttribute: Filters[string] = ({ attributes }, value) =>
  Object.entries(attributes as object).some((attribute) => attribute.join(":") === value);

const ITEM_FILTERS: Filters = {
  mrc400id: is("mrc400"),
  owner: is("holder"),
  groupid: is("groupid"),
  attribute: hasAttribute,
  state: (entry, value) =>
    value === "all" ||
    (value === "open" ? itemState(entry) !== "melted" : itemState(entry) === value),
  token: (entry, value) => {
    const listed = { sale: "sell_token", auction: "auction_token" } as Record<string, string>;
    return String(entry[listed[itemState(entry)] ?? ""]) === value;
  },
};

const RECORD_FILTERS: Filters = {
  type: (entry, value) => value.split(",").includes(entry["type"] as string),
  token: is("token"),
  since: (entry, value) => Number(entry["timestamp"]) >= Number(value),
  until: (entry, value) => Number(entry["timestamp"]) <= Number(value),
};

const ORDER_STATES: Readonly<Record<string, string>> = { COMPLETE: "complete", CANCEL: "cancel" };

const OFFER_FILTERS: Filters = { buyer: is("buyer"), token: is("token"), state: isIn };

/** Offers for an item, and those for its project and group that came after it. */
const isForItem: Filters[string] = ({ id, groupid, createdate }, value) => {
  if (id === value) {
    return groupid === "" || made.items.includes(value);
  }
  if (!made.items.includes(value)) {
    return false;
  }
  const item = market.client.entry(value);
  const isOfGroup = groupid === "" || groupid === item["groupid"];
  return id === item["mrc400"] && isOfGroup && Number(createdate) > Number(item["createdate"]);
};

/** The filters of each list, by the name of its read. */
const FILTERS: Readonly<Record<string, Filters>> = {
  tokens: { owner: is("owner"), symbol: is("symbol") },
  tokenHolders: {},
  tokenListings: {
    token: is("mrc010"),
    paytoken: isOneOf("sell_token", "buy_token", "auction_token"),
    side: is("side"),
    state: isIn,
    address: (entry, value) => entry[entry["side"] === "buy" ? "buyer" : "seller"] === value,
  },
  tokenTrades: {
    paytoken: is("token"),
    since: RECORD_FILTERS["since"] as Filters[string],
    until: RECORD_FILTERS["until"] as Filters[string],
  },
  mrc400Projects: { owner: is("owner"), category: is("category") },
  addressesOfKey: {},
  grants: {
    address: is("address"),
    agent: ({ agent }, value) => agent === value.replaceAll(/-----[^-]+-----|\s/g, ""),
    state: ({ ended }, value) => value === "all" || (value === "open") === (ended === 0),
  },
  mrc401Items: ITEM_FILTERS,
  mrc401Offers: { ...OFFER_FILTERS, id: isForItem },
  mrc402Offers: { ...OFFER_FILTERS, id: is("id") },
  addressItems: { kind: is("kind"), mrc400id: is("mrc400") },
  mrc402Items: { mrc400id: is("mrc400"), creator: is("creator"), attribute: hasAttribute },
  mrc402Listings: {
    mrc402id: is("mrc402"),
    mrc400id: (entry, value) => String(entry["mrc402"]).startsWith(value),
    side: is("side"),
    state: isIn,
    address: is("seller"),
    token: isOneOf("sell_token", "auction_token"),
  },
  mrc402Holdings: { mrc402id: is("mrc402") },
  mrc402Holders: {},
  orders: {
    owner: is("owner"),
    basetoken: is("basetoken"),
    targettoken: is("targettoken"),
    side: is("side"),
    state: (entry, value) =>
      value === "all" || (ORDER_STATES[entry["status"] as string] ?? "open") === value,
  },
  pendingOrders: {},
  orderTrades: {
    basetoken: is("basetoken"),
    targettoken: is("targettoken"),
    address: isOneOf("owner", "requester"),
    mrc040id: is("mrc040id"),
  },
  seals: {
    owner: is("owner"),
    state: (entry, value) => value === "all" || (entry["is_open"] ? "open" : "closed") === value,
  },
  blocks: {},
  transactions: { ...RECORD_FILTERS, block: is("db_sn") },
  addressTransactions: RECORD_FILTERS,
  itemTransactions: {
    type: RECORD_FILTERS["type"] as Filters[string],
    since: RECORD_FILTERS["since"] as Filters[string],
    until: RECORD_FILTERS["until"] as Filters[string],
  },
};

/** Values of a parameter to ask for, the last of them of nothing that exists. */
function samples(name: string, list: string): readonly string[] {
  const { a, b, c } = people;
  const { now } = market.client;
  switch (name) {
    case "owner":
    case "creator":
    case "bidder":
      return [a, b, c, UNKNOWN_ADDRESS];
    case "address":
      return ofPath(list).includes(name) ? [a, b, c] : [a, c, UNKNOWN_ADDRESS];
    case "token":
      return ofPath(list).includes(name) ? made.tokens : ["0", made.tokens[2] as string, "99"];
    case "paytoken":
      return ["0", made.tokens[2] as string, "9007199254740993"];
    case "basetoken":
      return [market.base, market.target];
    case "targettoken":
      return [market.target, market.base];
    case "mrc400id":
      return [...made.projects, UNKNOWN_PROJECT];
    case "mrc402id":
      return list === "mrc402Holders" ? made.units : [...made.units, UNKNOWN_UNITS];
    case "mrc040id":
      return [...made.orders, `MRC040_${"0".repeat(33)}`];
    case "buyer":
      return [b, c, UNKNOWN_ADDRESS];
    case "id":
      if (list === "mrc402Offers") {
        return [made.units[2] as string, made.units[1] as string];
      }
      if (list === "mrc401Offers") {
        const { items, projects } = made;
        return [items[4], items[6], items[12], ...projects, `${UNKNOWN_PROJECT}`] as string[];
      }
      return [
        made.items[4],
        made.units[2],
        made.unitListings[5],
        made.tokenListings[3],
      ] as string[];
    case "type":
      return ["transfer", "mrc401_sell,mrc402_sell,mrc010_sell,transfer,receive"];
    case "agent":
    case "publickey":
      return [...made.publicKeys, publicKeyOf("prime256v1")];
    case "since":
    case "until":
      return [String(now - 86_400), String(now - 86_402), String(now + 1)];
    case "block":
      return ["0", "20"];
    case "symbol":
      return ["GLD", "SLV", "gld"];
    case "category":
      return ["game", "art", "music"];
    case "groupid":
      return ["swords", "shields", "bows"];
    case "attribute":
      return ["level:7", "level:8"];
    case "kind":
      return ["mrc401", "mrc402"];
    case "side":
      return list === "orders" ? ["SELL", "BUY"] : ["sell", "auction"];
    default:
      return states(list);
  }
}

function states(list: string): readonly string[] {
  switch (list) {
    case "mrc401Items":
      return ["open", "sale", "auction", "idle", "melted", "all"];
    case "grants":
      return ["open", "ended", "all"];
    case "orders":
      return ["open", "complete", "cancel", "all"];
    case "mrc401Offers":
    case "mrc402Offers":
      return ["open", "accepted", "withdrawn", "ended", "all"];
    case "seals":
      return ["closed", "open", "all"];
    default:
      return ["open", "sold", "cancelled", "failed", "all"];
  }
}

/** Parameters without which there is no list. */
function ofPath(name: string): readonly string[] {
  const { parameters } = listNamed(name).read;
  return Object.keys(parameters).filter((each) => !parameters[each].optional);
}

/** Every choice of one value for each name; `undefined` leaves it out. */
function combinations(
  values: readonly (readonly [name: string, values: readonly (string | undefined)[]])[],
): readonly Query[] {
  return values.reduce<readonly Query[]>(
    (some, [name, each]) =>
      some.flatMap((one) =>
        each.map((value) => (value === undefined ? one : { ...one, [name]: value })),
      ),
    [{}],
  );
}

/** Whether a query is complete: attributes are found within a project. */
const isComplete = ({ attribute, mrc400id }: Query): boolean =>
  attribute === undefined || mrc400id !== undefined;

/** The list in pages of `limit`. */
function pages(name: string, query: Query, limit: number): readonly (readonly Entry[])[] {
  const paged = { ...query, limit: String(limit) };
  return listPages<Entry>(market.client.ledger, listNamed(name), paged, recording);
}

function whole(name: string, query: Query): readonly Entry[] {
  return pages(name, query, 100).flat();
}

function assertListed(
  name: string,
  query: Query,
  { expected, sizes }: { readonly expected: readonly Entry[]; readonly sizes: readonly number[] },
): void {
  const asked = `${name} ${JSON.stringify(query)}`;
  assert.deepEqual(whole(name, query), expected, asked);
  for (const size of sizes) {
    const [first = [], ...others] = pages(name, query, size);
    assert.deepEqual([...first, ...others.flat()], expected, `${asked} by ${size}`);
    assert.equal(first.length, Math.min(size, expected.length), asked);
    assert.equal(others.length === 0, expected.length <= size, asked);
  }
}

test("every list is here, with all of its filters", () => {
  assert.deepEqual(Object.keys(FILTERS).sort(), LISTS.map(({ read }) => read.name).sort());
  for (const { read } of LISTS) {
    const isOfOffers = read.name === "mrc401Offers";
    const group = isOfOffers ? ["groupid"] : []; // is part of what `id` selects
    // `holder` has tests of its own: few filters go with it.
    const others = ["order", "bidder", "view", "holder", ...group, ...ofPath(read.name)];
    const filters = Object.keys(read.filters).filter((name) => !others.includes(name));
    assert.deepEqual(Object.keys(FILTERS[read.name] ?? {}).sort(), filters.sort(), read.name);
  }
});

for (const name of Object.keys(FILTERS)) {
  test(`chain §10: ${name} under every combination of its filters, in pages of every size`, () => {
    const filters = FILTERS[name] ?? {};
    const found = { some: 0, none: 0 };
    const paths = combinations(ofPath(name).map((each) => [each, samples(each, name)]));
    for (const path of paths) {
      const all = whole(name, { ...path, ...("state" in filters ? { state: "all" } : {}) });
      const queries = combinations(
        Object.keys(filters).map((each) => [each, [undefined, ...samples(each, name)]]),
      ).filter(isComplete);
      for (const [index, query] of queries.entries()) {
        const given = { ...("state" in filters ? { state: defaultState(name) } : {}), ...query };
        const expected = all.filter((entry) =>
          Object.entries(given).every(([each, value]) => filters[each]?.(entry, value)),
        );
        found[expected.length > 0 ? "some" : "none"] += 1;
        const sizes = expected.length > 1 && index % 7 === 0 ? [1, 2 + (index % 5)] : [];
        assertListed(name, { ...path, ...query }, { expected, sizes });
      }
      const sizes = [1, 2, 3, 7, all.length - 1, all.length].filter(
        (size) => size > 0 && size <= 100,
      );
      const everything: Query = "state" in filters ? { ...path, state: "all" } : path;
      assertListed(name, everything, { expected: all, sizes });
    }
    assert.ok(found.some > 0, JSON.stringify(found));
    assert.ok(found.none > 0 || Object.keys(filters).length < 2, JSON.stringify(found));
  });
}

function defaultState(name: string): string {
  return name === "seals" ? "all" : "open";
}

for (const { name, ids, id } of [
  { name: "mrc401Items", ids: made.items, id: "id" },
  { name: "mrc402Items", ids: made.units, id: "id" },
  { name: "mrc402Listings", ids: made.unitListings, id: "dexid" },
  { name: "tokenListings", ids: made.tokenListings, id: "dexid" },
  { name: "orders", ids: made.orders, id: "mrc040id" },
  { name: "mrc401Offers", ids: made.itemOffers, id: "offerid" },
  { name: "mrc402Offers", ids: made.unitOffers, id: "offerid" },
  { name: "seals", ids: made.seals, id: "id" },
]) {
  test(`chain §10: ${name} has every entry as its GET shows it, the newest first`, () => {
    const query = "state" in (FILTERS[name] ?? {}) ? { state: "all" } : {};
    const listed = whole(name, query);
    assert.deepEqual(
      listed,
      ids.toReversed().map((each) => market.client.entry(each)),
    );
    assert.ok(listed.every((entry, at) => entry[id] === ids.at(-1 - at)));
  });
}

for (const [name, kind] of [
  ["mrc401Offers", "mrc401"],
  ["mrc402Offers", "mrc402"],
] as const) {
  test(`offers §7: ${name} of a holder are those of others for each thing that it holds, once`, () => {
    let found = 0;
    for (const holder of Object.values(people)) {
      const held = whole("addressItems", { address: holder }).filter((one) => one["kind"] === kind);
      const offers = held.flatMap(({ id }) => whole(name, { id: id as string }));
      const ids = new Set(offers.map(({ offerid }) => offerid));
      const expected = whole(name, {}).filter(
        ({ offerid, buyer }) => ids.has(offerid) && buyer !== holder,
      );
      assertListed(name, { holder }, { expected, sizes: [1, 2] });
      found += expected.length;
    }
    assert.ok(found > 1, `${found} offers`);
  });
}

test("chain §10: tokens and projects are listed without their long texts, tokens with their markets", () => {
  const { client } = market;
  const tokens = whole("tokens", {});
  assert.deepEqual(
    tokens.map((entry) => entry["id"]),
    Array.from({ length: tokens.length }, (_, at) => String(tokens.length - 1 - at)),
  );
  for (const entry of tokens) {
    const { information, reserve, targettoken, tier, ...shown } = client.entry(String(entry["id"]));
    const { circulation_supply: supply, remainamount, holders, ...more } = entry;
    assert.equal(holders, whole("tokenHolders", { token: entry["id"] as string }).length);
    // Their values: token-markets.test.ts.
    const { day_trades, day_volume, price, price_of, price_token, price_date, ...listed } = more;
    assert.deepEqual(listed, shown);
    const owned =
      entry["owner"] === "" ? "0" : client.held(entry["owner"] as Address, String(entry["id"]));
    assert.equal(remainamount, owned);
    const kept = BigInt(String(entry["burnningamount"])) + BigInt(owned);
    assert.equal(supply, String(BigInt(String(entry["totalsupply"])) - kept));
  }
  assert.deepEqual(
    // Their trades: project-markets.test.ts.
    whole("mrc400Projects", {}).map(({ day_trades, day_volume, ...listed }) => listed),
    made.projects.toReversed().map((each) => {
      const { data, description, socialmedia, partner, ...all } = client.entry(each);
      const { policy, policy_number, ...shown } = all;
      return shown;
    }),
  );
});

test("chain §10: the items of an address are in one order, whatever their kind, with view=full with their records", () => {
  const { client } = market;
  for (const address of Object.values(people)) {
    const owned = whole("addressItems", { address });
    assert.equal(new Set(owned.map((entry) => entry["kind"])).size, 2);
    const items = whole("mrc401Items", { owner: address });
    const holdings = whole("mrc402Holdings", { address });
    assert.deepEqual(
      owned.filter((entry) => entry["kind"] === "mrc401").map((entry) => entry["id"]),
      items.map((entry) => entry["id"]),
    );
    for (const { mrc402, ...units } of holdings) {
      const entry = owned.find((each) => each["id"] === mrc402);
      assert.deepEqual({ ...entry, ...units }, entry);
    }
    assert.equal(owned.length, items.length + holdings.length);
    const full = owned.map((entry) => ({ ...entry, record: client.entry(String(entry["id"])) }));
    for (const size of [1, 2, 7, 100]) {
      assert.deepEqual(pages("addressItems", { address, view: "full" }, size).flat(), full);
    }
  }
});

interface Listed {
  readonly list: string;
  readonly tokens: readonly string[];
  /** What an open offer or auction of the list is, and what says where it comes. */
  readonly isOpen: (entry: Entry, order: "end" | "price") => boolean;
  readonly end: string;
  readonly price: (entry: Entry) => number;
}

const LISTINGS: readonly Listed[] = [
  {
    list: "mrc401Items",
    tokens: ["token"],
    isOpen: (entry, order) => itemState(entry) === (order === "end" ? "auction" : "sale"),
    end: "auction_end",
    price: (entry) => Number(entry["sell_price"]),
  },
  {
    list: "mrc402Listings",
    tokens: ["token"],
    isOpen: (entry, order) =>
      entry["state"] === "open" && entry["side"] === (order === "end" ? "auction" : "sell"),
    end: "auction_end_date",
    price: (entry) => Number(entry["sell_price"]),
  },
  {
    list: "tokenListings",
    tokens: ["token", "paytoken"],
    isOpen: (entry, order) =>
      entry["state"] === "open" && entry["side"] === (order === "end" ? "auction" : "sell"),
    end: "auction_end_date",
    price: (entry) => Number(entry["sell_price"]) / Number(entry["min_trade_unit"]),
  },
];

for (const { list, tokens, isOpen, end, price } of LISTINGS) {
  test(`chain §10: ${list} by the end of auctions, by the price of offers and by bidder, under every combination of its filters`, () => {
    const filters = FILTERS[list] ?? {};
    const oldest = whole(list, { state: "all" }).toReversed();
    const orders = { end: 0, price: 0, new: 0 };
    for (const order of ["end", "price", "new"] as const) {
      const sorted =
        order === "new"
          ? oldest.toReversed()
          : oldest.toSorted((one, other) =>
              order === "end" ? Number(one[end]) - Number(other[end]) : price(one) - price(other),
            );
      const open = sorted.filter((entry) => isOpen(entry, order === "price" ? "price" : "end"));
      const names = Object.keys(filters);
      const bidders = order === "new" ? [] : [undefined];
      const queries = combinations([
        ["bidder", [...bidders, people.c, people.a, UNKNOWN_ADDRESS]],
        ...names.map((name) => {
          const isNeeded = order === "price" && tokens.includes(name);
          const some = samples(name, list).slice(0, 3);
          return [name, [...(isNeeded ? [] : [undefined]), ...some]] as const;
        }),
      ]).filter(isComplete);
      for (const [index, { bidder, ...query }] of queries.entries()) {
        const expected = open.filter(
          (entry) =>
            (bidder === undefined || entry["auction_current_bidder"] === bidder) &&
            Object.entries(query).every(([each, value]) => filters[each]?.(entry, value)),
        );
        orders[order] += expected.length;
        const asked = { ...query, ...(bidder && { bidder }), order };
        const sizes = expected.length > 1 && index % 5 === 0 ? [1, 2, 3] : [];
        assertListed(list, asked, { expected, sizes });
      }
    }
    assert.ok(
      Object.values(orders).every((count) => count > 0),
      JSON.stringify(orders),
    );
  });
}

/** A list must not read rows that it does not show, nor sort more than some pages of them. */
function assertSeeks(sql: string): void {
  const plan = market.client.ledger.database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map((row) => String(row["detail"]));
  const shown = `${sql}\n${plan.join("\n")}`;
  assert.ok(plan.length > 0);
  for (const [index, step] of plan.entries()) {
    if (step.startsWith("SCAN")) {
      // `found` has a row for each token or kind that is asked, and the JSON a number for each item
      // of the page.
      assert.match(
        step,
        /^SCAN (\(subquery-[0-9]+\)|found|CONSTANT ROW|json_each VIRTUAL TABLE INDEX 1:)$/,
        shown,
      );
    } else if (step.startsWith("SEARCH")) {
      // From a place in the order on, or one row.
      assert.match(
        step,
        /([<>]\?|[<>]\(\?,\?\)|\(rowid=\?|\((key|id|only)=\?|\(item=\? AND address=\?|\(address=\? AND token=\?|\(project=\? AND attribute=\? AND number=\?)\)$/,
        shown,
      );
    } else if (step.includes("TEMP B-TREE")) {
      const sorted = plan.slice(0, index).findLast((earlier) => earlier.startsWith("SCAN"));
      assert.ok(plan[index - 1] === sorted || sorted === "SCAN found", shown);
    } else {
      assert.match(
        step,
        /^(CO-ROUTINE .+|MERGE \(UNION ALL\)|LEFT|RIGHT|SETUP|RECURSIVE STEP|CORRELATED SCALAR SUBQUERY [0-9]+|LIST SUBQUERY [0-9]+)$/,
        shown,
      );
    }
  }
  // Each part of a union has a limit of its own, so one page of each is sorted.
  const parts = sql.includes("UNION") && !sql.includes("RECURSIVE") ? sql.split("UNION ALL") : [];
  assert.ok(
    parts.every((part) => part.includes("LIMIT ?")),
    shown,
  );
}

test("every page of every list above was found by seeks, as are levels, balances and due auctions", () => {
  const database = recorded(market.client.ledger.database);
  assert.ok(statements.size > 150, `${statements.size} statements`);
  const book = { base: market.base, target: market.target, side: "SELL" } as never;
  new OrderBook(database).levels(book, undefined, 50);
  new BalanceView(database).list({ addressNumber: 0, after: undefined, limit: 50, at: 0 });
  new DueAuctionView(database).list(1, 50);
  const trades = new OrderTradeView(database);
  for (const columns of combinations(
    ["base", "target", "party", "exchange_order"].map((name) => [name, [undefined, "1"]]),
  )) {
    const values = Object.entries(columns).map(([name, value]) => [name, [Number(value)]]);
    Array.from(trades.places(Object.fromEntries(values), 9));
  }
  for (const sql of statements) {
    assertSeeks(sql);
  }
});

test("a page ends after 1,000 trades that its filter leaves out, and its cursor continues there", () => {
  const { database } = market.client.ledger;
  database.exec("BEGIN");
  try {
    database.exec(`INSERT INTO order_trade
      WITH RECURSIVE trade (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM trade WHERE n < 1001)
      SELECT 1000000000 + n, 'passed over ' || n, 1, 2, 3, 4, 999, 'BUY', '1', '1', '1' FROM trade`);
    const trades = new OrderTradeView(database);
    const places = (before: number) => [
      ...trades.places({ exchange_order: [999], base: [7] }, before),
    ];
    const first = places(Number.MAX_SAFE_INTEGER);
    assert.deepEqual(first.at(-1), { at: 1_000_000_002, entry: undefined, endsPage: true });
    assert.equal(first.length, 1001);
    assert.deepEqual(places(1_000_000_002), [{ at: 1_000_000_001, entry: undefined }]);
  } finally {
    database.exec("ROLLBACK");
  }
});

test("a plan that reads every row, or sorts them all, would be found", () => {
  for (const sql of [
    "SELECT value FROM item WHERE value = ? LIMIT ?",
    "SELECT value FROM item WHERE project = ? ORDER BY value LIMIT ?",
    "SELECT value FROM holding WHERE item = ? ORDER BY number LIMIT ?",
  ]) {
    assert.throws(() => assertSeeks(sql));
  }
});

test("a list without an index of its own fails at once", () => {
  const { database, reader } = market.client.ledger;
  database.exec("DROP INDEX item_by_holder_condition_asked_token");
  const query = { mrc400id: made.projects[0] as string, owner: people.a, groupid: "g", token: "0" };
  const lists = new ListView(database, reader);
  const list = listNamed("mrc401Items");
  assert.throws(() => listPage(market.client.ledger, list, query, lists), /no such index/);
});
