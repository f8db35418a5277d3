import { type DescribedRecord, describe } from "../records/describe.ts";
import type { RecordParameter } from "../records/record-parameters.ts";
import { type Movement, parsePayments } from "./payments.ts";

export type Slot =
  | { readonly is: "addresses"; readonly addresses: readonly string[] }
  | { readonly is: "amount"; readonly amount: bigint; readonly token: string }
  | { readonly is: "units"; readonly amount: bigint }
  | { readonly is: "token"; readonly token: string }
  | { readonly is: "thing"; readonly id: string; readonly name?: string }
  | { readonly is: "items" | "listings"; readonly ids: readonly string[]; readonly count: number }
  | { readonly is: "time"; readonly time: number }
  | { readonly is: "text"; readonly text: string };

export type Slots = ReadonlyMap<string, Slot>;

const ADDRESSES: readonly string[] = [
  "actor",
  "address",
  "bidder",
  "buyer",
  "creator",
  "from",
  "fromAddr",
  "other",
  "owner",
  "payee",
  "payer",
  "receiver",
  "requester",
  "seller",
  "taker",
  "to",
  "toAddr",
  "winner",
  "fromFeesendto",
  "toFeesendto",
] satisfies readonly RecordParameter[];
const MONEY: readonly string[] = [
  "auction_buynow_price",
  "auction_start_price",
  "bid",
  "cost",
  "payment",
  "price",
  "refund",
] satisfies readonly RecordParameter[];
const SIDE_AMOUNTS: Readonly<Record<string, string>> = {
  fromAmount: "fromToken",
  toAmount: "toToken",
  fromFeeamount: "fromFeetoken",
  toFeeamount: "toFeetoken",
} satisfies { readonly [N in RecordParameter]?: RecordParameter };
const TOKENS: readonly string[] = [
  "token",
  "mrc010id",
  "base",
  "target",
] satisfies readonly RecordParameter[];
const THINGS: readonly string[] = [
  "dexid",
  "item",
  "mrc400id",
  "offerid",
  "order",
  "seal",
] satisfies readonly RecordParameter[];
const TIMES: readonly string[] = [
  "auction_end_date",
  "opendate",
  "unlockdate",
] satisfies readonly RecordParameter[];
const TEXTS: readonly string[] = [
  "addinfo",
  "fromMemo",
  "height",
  "memo",
  "note",
  "openingkey",
  "operations",
  "referencekey",
  "root",
  "symbol",
  "toMemo",
  "version",
] satisfies readonly RecordParameter[];

/**
 * Parameters, and `actor`, `money`, `others`, `items`, `listings`, `named`, `paid`, `traded`,
 * `bought`, `sold`. Empty values and 0 are left out. Parameters may have any content; nothing
 * throws.
 */
export function recordSlots(record: DescribedRecord & { readonly token?: number }): Slots {
  const { parameters: named, money, others } = describe(record, record.address);
  const parameters = Object.entries(named);
  const slots = new Map<string, Slot>();
  const put = (name: string, slot: Slot | undefined): void => {
    if (slot !== undefined) {
      slots.set(name, slot);
    }
  };
  put("actor", addressesSlot([named.actor ?? record.address]));
  for (const [name, text] of parameters) {
    put(name, parameterSlot(name, text, named));
  }
  // Records of order trades that do not name the target are filed under it.
  const target = named.target ?? (record.token === undefined ? undefined : String(record.token));
  const quantity = amountSlot(named.doneqtt ?? named.qtt, target);
  put("qtt", quantity);
  if (named.side !== undefined) {
    put(named.side === "BUY" ? "bought" : "sold", quantity);
  }
  put("amount", goodsSlot(named.amount, named));
  put("initial_reserve", amountSlot(named.initial_reserve, named.initial_token));
  put("min_trade_unit", amountSlot(named.min_trade_unit, named.mrc010id));
  put("totalsupply", named.item === undefined ? undefined : unitsSlot(named.totalsupply));
  put("money", money && amountSlot(String(money.amount), money.token ?? "0"));
  put("others", addressesSlot(others));
  put("items", countSlot("items", named.items ?? named.itemdata));
  put("listings", countSlot("listings", named.itemdata));
  put("named", namedSlot(named.mrc400id ?? named.item, named.name));
  for (const [name, slot] of tradeSlots(parsePayments(named.payments ?? ""))) {
    if (!slots.has(name)) {
      put(name, slot);
    }
  }
  return slots;
}

type Named = ReturnType<typeof describe>["parameters"];

function parameterSlot(name: string, text: string, named: Named): Slot | undefined {
  if (text === "") {
    return undefined;
  }
  if (ADDRESSES.includes(name)) {
    return addressesSlot([text]);
  }
  if (name in SIDE_AMOUNTS) {
    return amountSlot(text, named[SIDE_AMOUNTS[name] as keyof Named]);
  }
  if (MONEY.includes(name)) {
    return amountSlot(text, named.base ?? named.token);
  }
  if (THINGS.includes(name)) {
    return { is: "thing", id: text };
  }
  if (TIMES.includes(name)) {
    return timeSlot(text);
  }
  if (TOKENS.includes(name)) {
    return { is: "token", token: text };
  }
  return TEXTS.includes(name) ? { is: "text", text } : undefined;
}

function addressesSlot(addresses: readonly string[]): Slot | undefined {
  const known = addresses.filter((address) => address !== "");
  return known.length === 0 ? undefined : { is: "addresses", addresses: known };
}

function wholeAmount(text: string | undefined): bigint | undefined {
  return text !== undefined && /^[0-9]{1,60}$/.test(text) && !/^0+$/.test(text)
    ? BigInt(text)
    : undefined;
}

function amountSlot(text: string | undefined, token: string | undefined): Slot | undefined {
  const amount = wholeAmount(text);
  return amount === undefined ? undefined : { is: "amount", amount, token: token ?? "0" };
}

function unitsSlot(text: string | undefined): Slot | undefined {
  const amount = wholeAmount(text);
  return amount === undefined ? undefined : { is: "units", amount };
}

function goodsSlot(text: string | undefined, named: Named): Slot | undefined {
  const { mrc010id, item, token } = named;
  return mrc010id === undefined && item !== undefined
    ? unitsSlot(text)
    : amountSlot(text, mrc010id ?? token);
}

function timeSlot(text: string): Slot | undefined {
  const time = /^[1-9][0-9]{0,12}$/.test(text) ? Number(text) : 0;
  return time === 0 || time > 8_640_000_000_000 ? undefined : { is: "time", time };
}

/** Entries of new items have no ids. */
function countSlot(is: "items" | "listings", text: string | undefined): Slot | undefined {
  if (text === undefined || text === "") {
    return undefined;
  }
  const entries = text.trimStart().startsWith("[") ? listIn(text) : [text];
  const ids = entries.map(idOf).filter((id) => id !== "");
  return { is, count: entries.length, ids: ids.length === entries.length ? ids : [] };
}

function listIn(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function idOf(entry: unknown): string {
  if (typeof entry === "string") {
    return entry;
  }
  const id = typeof entry === "object" && entry !== null ? (entry as { id?: unknown }).id : "";
  return typeof id === "string" ? id : "";
}

function namedSlot(id: string | undefined, name: string | undefined): Slot | undefined {
  return id === undefined || id === "" ? undefined : { is: "thing", id, ...(name ? { name } : {}) };
}

/** Money that was returned is not counted. */
function tradeSlots(movements: readonly Movement[]): readonly (readonly [string, Slot])[] {
  const money = movements.filter(({ token }) => token !== undefined);
  const given = money.filter(({ type }) => /_(?:buy|bid)$/.test(type) && !type.includes("_recv_"));
  const shares = money.filter(({ type }) => !/_recv_refund$|_fee_remain$/.test(type));
  const paid = given.length > 0 ? given : shares;
  const goods = movements.find(({ goods }) => goods !== undefined);
  const seller = movements.find(({ type }) => /_recv_(?:sell|auction)$/.test(type))?.to ?? "";
  const slots: (readonly [string, Slot])[] = [];
  if (seller !== "") {
    slots.push(["seller", { is: "addresses", addresses: [seller] }]);
  }
  const [first] = paid;
  if (first?.token !== undefined) {
    const amount = paid.reduce((sum, one) => sum + one.amount, 0n);
    slots.push(["paid", { is: "amount", amount, token: first.token }]);
  }
  if (goods?.goods !== undefined) {
    const { amount } = goods;
    const isToken = /^[0-9]+$/.test(goods.goods);
    slots.push([
      "traded",
      isToken ? { is: "amount", amount, token: goods.goods } : { is: "units", amount },
    ]);
  }
  return slots;
}
