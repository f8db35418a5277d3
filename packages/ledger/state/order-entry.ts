import {
  type Address,
  amountSchema,
  type HeldAs,
  integerSchema,
  recordSchema,
  shownLevel,
  shownOrder,
  type TokenId,
} from "@moneta/protocol";
import { documentForm } from "./document.ts";
import { type DocumentKind, subsetsOf } from "./entries.ts";

export type Pair = Pick<OrderDocument, "basetoken" | "targettoken">;

type OrderDocument = HeldAs<typeof shownOrder.schema>;

export type OrderSide = OrderDocument["side"];

export type BookSide = Pick<OrderDocument, "basetoken" | "targettoken" | "side">;

/** An offer to trade a target for its base. */
export interface Order extends OrderDocument {
  readonly order: number;
}

export type OrderState = "open" | "complete" | "cancel";

function orderState({ status }: Order): OrderState {
  return status === "COMPLETE" ? "complete" : status === "CANCEL" ? "cancel" : "open";
}

/** The token that a waiting order holds. Source: protocols §9.4. */
export function heldToken({ side, basetoken: base, targettoken: target }: BookSide): TokenId {
  return side === "SELL" ? target : base;
}

export function lineOf({ basetoken: base, targettoken: target, side }: BookSide): string {
  return `${base}/${target}/${side}`;
}

/** Digits of 10^40, and of the difference of a price to a number with one digit more. */
const RANK_DIGITS = 41;

/** Sort as prices do in a line, the best first. Source: protocols §9.5. */
export function rankOf(side: OrderSide, price: bigint): string {
  return String(mirrored(side, price)).padStart(RANK_DIGITS, "0");
}

export function priceOfRank(side: OrderSide, rank: string): bigint {
  return mirrored(side, BigInt(rank));
}

function mirrored(side: OrderSide, value: bigint): bigint {
  return side === "SELL" ? value : 10n ** BigInt(RANK_DIGITS) - value;
}

export const ORDER: DocumentKind<Order> = {
  table: {
    name: "exchange_order",
    rowNumber: ({ order }) => order,
    columns: {
      owner: { type: "ADDRESS", of: ({ owner }) => owner },
      base: { type: "INTEGER", of: ({ basetoken: base }) => Number(base) },
      target: { type: "INTEGER", of: ({ targettoken: target }) => Number(target) },
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
  noun: "an order",
  id: ({ mrc040id }) => mrc040id,
  ...documentForm<Order, OrderDocument, "order">(shownOrder, {
    stored: ["order"],
    beside: {},
    copy: (blank) => ({ ...blank }),
  }),
};

/**
 * Derived from the orders, and stored so that a book costs the same whatever its size. Not in
 * blocks. Source: protocols §10.
 */
export interface Level extends HeldAs<typeof shownLevel.schema> {
  readonly line: string;
  readonly rank: string;
}

export const LEVEL: DocumentKind<Level> = {
  table: {
    name: "order_level",
    columns: {
      line: { type: "TEXT", of: ({ line }) => line },
      rank: { type: "TEXT", of: ({ rank }) => rank },
    },
    pastLists: [{ column: "line", order: "rank" }],
    indexes: [["line", "rank"]],
  },
  prefix: "level/",
  id: ({ line, price }) => `${line}/${price}`,
  isAbsent: ({ orders }) => orders === 0,
  hasNoEntry: true,
  ...documentForm<Level, HeldAs<typeof shownLevel.schema>>(shownLevel, {
    beside: { line: "", rank: "" },
  }),
};

const pendingSchema = recordSchema("Pending", { amount: amountSchema, orders: integerSchema });

type PendingDocument = HeldAs<typeof pendingSchema>;

/** Reserved by open orders, from which it follows. Source: protocols §12. */
export interface Pending extends PendingDocument {
  readonly address: Address;
  readonly token: TokenId;
}

export const PENDING: DocumentKind<Pending> = {
  table: {
    name: "pending",
    columns: {
      address: { type: "ADDRESS", of: ({ address }) => address },
      token: { type: "INTEGER", of: ({ token }) => Number(token) },
    },
    pastLists: [{ column: "address", order: "token" }],
    indexes: [["address", "token"]],
  },
  prefix: "pending/",
  id: ({ address, token }) => `${address}/${token}`,
  isAbsent: ({ orders }) => orders === 0,
  hasNoEntry: true,
  ...documentForm<Pending, PendingDocument>(
    { schema: pendingSchema },
    { beside: { address: "" as Address, token: "" as TokenId } },
  ),
};
