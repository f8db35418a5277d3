import assert from "node:assert/strict";
import type { LedgerSnapshot, StoredDocument } from "../ledger-snapshot.ts";

/**
 * Nothing is created or lost: neither tokens nor units.
 * Source: conventions §6.3, mrc401 §2.4, mrc402 §2.2.
 */
export function assertConserved(snapshot: LedgerSnapshot): void {
  assertTokensConserved(snapshot);
  const items = snapshot.documents("unit_item");
  const holdings = Map.groupBy(snapshot.documents("holding"), ({ item }) => item);
  const listings = Map.groupBy(openListings(snapshot), ({ mrc402 }) => mrc402);
  for (const item of items) {
    const { id = "" } = item;
    assertUnitsConserved(item, holdings.get(id) ?? [], listings.get(id) ?? []);
  }
  assertHeldCounted(snapshot);
  assertOrdersCounted(snapshot);
  assertOffersCounted(snapshot);
  const ids = new Set(items.map(({ id }) => id));
  for (const { item } of snapshot.documents("holding")) {
    assert.ok(ids.has(item as string), `there is an item ${item}`);
  }
}

/**
 * For each token, balances, escrows, bids and reserves add up to the issued amount minus the burned
 * one.
 */
function assertTokensConserved(snapshot: LedgerSnapshot): void {
  const held = new Map<string, bigint>();
  const add = (token: unknown, amount: bigint): void => {
    assert.ok(amount >= 0n, `${amount} of token ${token}`);
    held.set(String(token), (held.get(String(token)) ?? 0n) + amount);
  };
  for (const [key, amount] of snapshot.balances) {
    add(key.split(" ")[1], amount);
  }
  for (const listing of snapshot.documents("token_listing")) {
    const { side, state, mrc010, remain_amount } = listing;
    const isOpen = state === "open";
    add(mrc010, isOpen && side !== "buy" ? amountOf(remain_amount) : 0n);
    // A closed request holds nothing, and its field is empty.
    add(listing["buy_token"], amountOf(listing["buy_price_total"]));
    add(listing["sell_token"], isOpen ? amountOf(listing["auction_current_price"]) : 0n);
  }
  for (const item of snapshot.documents("item")) {
    add(item["initial_token"], item["owner"] === "MELTED" ? 0n : amountOf(item["initial_reserve"]));
    add(item["auction_token"], amountOf(item["auction_current_price"]));
  }
  for (const item of snapshot.documents("unit_item")) {
    for (const [token, each] of Object.entries(item["initialreserve"] as object)) {
      add(token, amountOf(each) * existing(item));
    }
  }
  for (const { sell_token, auction_current_price } of openListings(snapshot)) {
    add(sell_token, amountOf(auction_current_price));
  }
  for (const offer of [...snapshot.documents("item_offer"), ...snapshot.documents("unit_offer")]) {
    add(offer["token"], amountOf(offer["held"]));
  }
  for (const { side, basetoken, targettoken, held: inOrder } of snapshot.documents(
    "exchange_order",
  )) {
    add(side === "SELL" ? targettoken : basetoken, amountOf(inOrder));
  }
  for (const { id, totalsupply, burnningamount } of snapshot.documents("token")) {
    const issued = amountOf(totalsupply) - amountOf(burnningamount);
    assert.equal(held.get(String(id)) ?? 0n, issued, `token ${id}`);
  }
}

/**
 * Under a policy with `maxheld`, holdings and leading bids of an address other than the issuer are
 * counted. Source: policies §7.
 */
function assertHeldCounted(snapshot: LedgerSnapshot): void {
  const counts = new Map<string, bigint>();
  const add = (
    item: StoredDocument,
    issuers: readonly unknown[],
    holder: unknown,
    more: bigint,
  ): void => {
    const { mrc400, policy_number: number = 0 } = item;
    const { maxheld = 0 } = snapshot.document(`policy/${mrc400}/${number}`) ?? {};
    if (maxheld !== 0 && holder !== "" && holder !== "MELTED" && !issuers.includes(holder)) {
      const key = `held/${holder}/${mrc400}/${number}`;
      counts.set(key, (counts.get(key) ?? 0n) + more);
    }
  };
  for (const item of snapshot.documents("item")) {
    const issuers = [item["projectOwner"]];
    add(item, issuers, item["owner"], 1n);
    add(item, issuers, item["auction_current_bidder"], 1n);
  }
  const unitItems = new Map(snapshot.documents("unit_item").map((item) => [item["id"], item]));
  const issuersOf = ({ projectOwner, creator }: StoredDocument): readonly unknown[] => [
    projectOwner,
    creator,
  ];
  for (const { address, item: id, balance, saleamount, auctionamount } of snapshot.documents(
    "holding",
  )) {
    const item = unitItems.get(id as string) as StoredDocument;
    add(item, issuersOf(item), address, sum([balance, saleamount, auctionamount].map(amountOf)));
  }
  for (const { mrc402, auction_current_bidder: bidder, amount } of openListings(snapshot)) {
    const item = unitItems.get(mrc402 as string) as StoredDocument;
    add(item, issuersOf(item), bidder, amountOf(amount));
  }
  counts.forEach((count, key) => {
    if (count === 0n) {
      counts.delete(key);
    }
  });
  assert.equal(snapshot.documents("held").length, counts.size, "entries of what is held");
  for (const [key, count] of counts) {
    assert.equal(snapshot.document(key)?.["count"], Number(count), key);
  }
}

/**
 * Levels and pending amounts equal the sums of the waiting orders, and no book is crossed.
 * Source: protocols §9.4, §9.6, §10.
 */
function assertOrdersCounted(snapshot: LedgerSnapshot): void {
  const levels = new Map<string, { qtt: bigint; orders: number }>();
  const pending = new Map<string, { amount: bigint; orders: number }>();
  const best = new Map<string, { [side: string]: bigint }>();
  for (const order of snapshot.documents("exchange_order")) {
    const { owner, side, status, basetoken, targettoken, price } = order;
    const isOpen = status === "WAIT" || status === "TRADING";
    const held = amountOf(order["held"]);
    assert.equal(held > 0n, isOpen, `${order["mrc040id"]} is ${status} and holds ${held}`);
    if (!isOpen) {
      continue;
    }
    const pair = `${basetoken}/${targettoken}`;
    const level = `level/${pair}/${side}/${price}`;
    const { qtt = 0n, orders = 0 } = levels.get(level) ?? {};
    levels.set(level, { qtt: qtt + amountOf(order["remainqtt"]), orders: orders + 1 });
    const key = `pending/${owner}/${side === "SELL" ? targettoken : basetoken}`;
    const { amount = 0n, orders: count = 0 } = pending.get(key) ?? {};
    pending.set(key, { amount: amount + held, orders: count + 1 });
    const { SELL, BUY, ...none } = best.get(pair) ?? {};
    const at = amountOf(price);
    best.set(pair, {
      ...none,
      ...(side === "SELL" || SELL !== undefined
        ? { SELL: side === "SELL" && (SELL === undefined || at < SELL) ? at : (SELL ?? at) }
        : {}),
      ...(side === "BUY" || BUY !== undefined
        ? { BUY: side === "BUY" && (BUY === undefined || at > BUY) ? at : (BUY ?? at) }
        : {}),
    });
  }
  for (const [pair, { SELL, BUY }] of best) {
    assert.ok(SELL === undefined || BUY === undefined || BUY < SELL, `${pair} is crossed`);
  }
  assertStored(snapshot, "order_level", levels, "qtt");
  assertStored(snapshot, "pending", pending, "amount");
}

/**
 * An open offer holds the price of what it can still buy; closed offers hold nothing. Open ones are
 * counted. Source: offers §2.
 */
function assertOffersCounted(snapshot: LedgerSnapshot): void {
  const open = new Map<string, number>();
  for (const offer of [...snapshot.documents("item_offer"), ...snapshot.documents("unit_offer")]) {
    const { buyer, state, price, held, remain_amount: units = "1" } = offer;
    const isOpen = state === "open";
    assert.equal(amountOf(held), isOpen ? amountOf(price) * amountOf(units) : 0n);
    const key = `offers/${buyer}`;
    open.set(key, (open.get(key) ?? 0) + (isOpen ? 1 : 0));
  }
  for (const [key, count] of open) {
    assert.equal(snapshot.document(key)?.["open"] ?? 0, count, key);
  }
}

/** The documents of a table are just these, each with an amount and a number of orders. */
function assertStored<N extends "qtt" | "amount">(
  snapshot: LedgerSnapshot,
  table: "order_level" | "pending",
  expected: ReadonlyMap<string, { readonly orders: number } & { readonly [name in N]: bigint }>,
  name: N,
): void {
  assert.equal(snapshot.documents(table).length, expected.size, table);
  for (const [key, { orders, [name]: amount }] of expected) {
    const stored = snapshot.document(key);
    assert.deepEqual([stored?.[name], stored?.["orders"]], [String(amount), orders], key);
  }
}

/** Holdings have the units that exist, listings those that are listed, and the item counts both. */
function assertUnitsConserved(
  item: StoredDocument,
  holdings: readonly StoredDocument[],
  listings: readonly StoredDocument[],
): void {
  const { id, holders, openSales, openAuctions } = item;
  const units = holdings.map(
    ({ balance, saleamount, auctionamount }) =>
      amountOf(balance) + amountOf(saleamount) + amountOf(auctionamount),
  );
  assert.equal(sum(units), existing(item), `units of ${id}`);
  assert.equal(holders, units.filter((amount) => amount > 0n).length, `holders of ${id}`);
  for (const [side, listed, held, count] of [
    ["sell", "remain_amount", "saleamount", openSales],
    ["auction", "amount", "auctionamount", openAuctions],
  ] as const) {
    const open = listings.filter((one) => one["side"] === side);
    assert.equal(count, open.length, `listings of ${id} by ${side}`);
    for (const seller of new Set([...open.map(sellerOf), ...holdings.map(holderOf)])) {
      assert.equal(
        sum(holdings.filter((one) => holderOf(one) === seller).map((one) => amountOf(one[held]))),
        sum(open.filter((one) => sellerOf(one) === seller).map((one) => amountOf(one[listed]))),
        `${held} of ${seller} in ${id}`,
      );
    }
  }
}

function openListings(snapshot: LedgerSnapshot): readonly StoredDocument[] {
  return snapshot.documents("unit_listing").filter(({ state }) => state === "open");
}

function sellerOf({ seller }: StoredDocument): unknown {
  return seller;
}

function holderOf({ address }: StoredDocument): unknown {
  return address;
}

/** Units of an item that have not been melted. */
function existing({ totalsupply, meltedamount }: StoredDocument): bigint {
  return amountOf(totalsupply) - amountOf(meltedamount);
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

const AMOUNT = /^(0|[1-9][0-9]*)?$/;

/** The amount in a field, 0 if it is empty. */
function amountOf(field: unknown): bigint {
  const text = String(field);
  assert.ok(AMOUNT.test(text), text);
  return BigInt(text);
}
