import type { Address, Amount, RecordType, TokenId } from "@moneta/protocol";
import { type DocumentKind, subsetsOf } from "./entries.ts";
import { amount, type Copy, form, number, object, stored, text, token } from "./fields.ts";

/** A base and what is traded for it. Source: protocols §8. */
export interface Pair {
  readonly base: TokenId;
  readonly target: TokenId;
}

export type OrderSide = "SELL" | "BUY";

/** A side of a pair's book. */
export interface BookSide extends Pair {
  readonly side: OrderSide;
}

/** An offer to trade a target for its base. Source: protocols §9. */
export interface Order extends BookSide {
  /** `MRC040_` and 33 hex digits. */
  readonly id: string;
  readonly owner: Address;
  readonly status: "WAIT" | "TRADING" | "COMPLETE" | "CANCEL";
  /** Of one whole target token, in the base. */
  readonly price: Amount;
  readonly quantity: Amount;
  /** What has not been traded. */
  readonly remaining: Amount;
  /** Of the target (SELL) or the base (BUY); in no balance. */
  readonly held: Amount;
  /** Unix seconds; 0 for what has not happened. */
  readonly registerDate: number;
  readonly completeDate: number;
  readonly cancelDate: number;
  /** Type of the newest record of the order. */
  readonly recordType: RecordType;
  /** Its place among all orders; no part of the state that blocks commit to. */
  readonly order: number;
}

/** What lists find orders by. */
export type OrderState = "open" | "complete" | "cancel";

export function orderState({ status }: Order): OrderState {
  return status === "COMPLETE" ? "complete" : status === "CANCEL" ? "cancel" : "open";
}

/** The token that a waiting order holds. Source: protocols §9.4. */
export function heldToken({ side, base, target }: BookSide): TokenId {
  return side === "SELL" ? target : base;
}

/** What orders of one side of a book are found by. */
export function lineOf({ base, target, side }: BookSide): string {
  return `${base}/${target}/${side}`;
}

/** 10^40 has as many digits, and so has what a price lacks to one digit more. */
const RANK_DIGITS = 41;

/** Texts that sort as prices do in a line, the best first. Source: protocols §9.5. */
export function rankOf(side: OrderSide, price: Amount): string {
  const rank = side === "SELL" ? price : 10n ** BigInt(RANK_DIGITS) - price;
  return String(rank).padStart(RANK_DIGITS, "0");
}

const copy: Copy = (blank) => ({ ...blank });

/** As `GET /mrc040/{mrc040id}` shows it. */
const FIELDS = object<Order>(
  {
    id: text("mrc040id"),
    owner: text<Address>("owner"),
    side: text<OrderSide>("side"),
    status: text<Order["status"]>("status"),
    base: token("basetoken"),
    target: token("targettoken"),
    price: amount("price"),
    quantity: amount("qtt"),
    remaining: amount("remainqtt"),
    held: amount("held"),
    registerDate: number("regdate"),
    completeDate: number("complete_date"),
    cancelDate: number("cancel_date"),
    recordType: text<RecordType>("job_type"),
    order: stored(number("order")),
  },
  copy,
);

export const ORDER: DocumentKind<Order> = {
  table: {
    name: "exchange_order",
    rowNumber: ({ order }) => order,
    columns: {
      owner: { type: "ADDRESS", of: ({ owner }) => owner },
      base: { type: "INTEGER", of: ({ base }) => Number(base) },
      target: { type: "INTEGER", of: ({ target }) => Number(target) },
      side: { type: "TEXT", of: ({ side }) => side },
      state: { type: "TEXT", of: orderState },
      line: {
        type: "TEXT",
        optional: true,
        of: (order) => (orderState(order) === "open" ? lineOf(order) : undefined),
      },
      rank: { type: "TEXT", of: ({ side, price }) => rankOf(side, price) },
    },
    indexes: [
      ...subsetsOf(["owner", "base", "target"]).map((filters) => [...filters, "side", "state"]),
      ["line", "rank"],
    ],
  },
  prefix: "mrc040/",
  id: ({ id }) => id,
  ...form(FIELDS),
};

/**
 * All waiting orders of one price: follows from the orders, and is kept so that a book costs the
 * same whatever stands in it. No part of the state that blocks commit to. Source: protocols §10.
 */
export interface Level {
  readonly line: string;
  readonly rank: string;
  readonly price: Amount;
  /** What the orders have left. */
  readonly quantity: Amount;
  readonly orders: number;
}

export const LEVEL: DocumentKind<Level> = {
  table: {
    name: "order_level",
    columns: {
      line: { type: "TEXT", of: ({ line }) => line },
      rank: { type: "TEXT", of: ({ rank }) => rank },
    },
    indexes: [["line", "rank"]],
  },
  prefix: "level/",
  id: ({ line, price }) => `${line}/${price}`,
  isAbsent: ({ orders }) => orders === 0,
  hasNoEntry: () => true,
  ...form(
    object<Level>({
      line: stored(text("line")),
      rank: stored(text("rank")),
      price: amount("price"),
      quantity: amount("qtt"),
      orders: number("orders"),
    }),
  ),
};

/** What waiting orders of an address hold of a token. Source: protocols §12. */
export interface Pending {
  readonly address: Address;
  readonly token: TokenId;
  readonly amount: Amount;
  readonly orders: number;
}

export const PENDING: DocumentKind<Pending> = {
  table: {
    name: "pending",
    columns: {
      address: { type: "ADDRESS", of: ({ address }) => address },
      token: { type: "INTEGER", of: ({ token }) => Number(token) },
    },
    indexes: [["address", "token"]],
  },
  prefix: "pending/",
  id: ({ address, token }) => `${address}/${token}`,
  isAbsent: ({ orders }) => orders === 0,
  ...form(
    object<Pending>({
      address: stored(text<Address>("address")),
      token: stored(token("token")),
      amount: amount("amount"),
      orders: number("orders"),
    }),
  ),
};
