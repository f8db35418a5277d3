import {
  mrc040Cancel,
  mrc040Create,
  mrc040Exchange,
  mrc040Request,
  order,
  orderBook,
  orders,
  orderTrade,
  orderTrades,
  pendingOrders,
} from "@moneta/protocol";
import type { WireAnswer } from "@moneta/sdk";
import type { Session } from "../../session/session.ts";
import * as views from "../../views/record-views.ts";
import { ofOrder } from "../amount-of.ts";
import type { Row } from "../row.ts";

const priced = {
  args: ["side", "basetoken", "targettoken", "qtt", "price"],
  titles: { qtt: "amount" },
} as const;

const PRICE = "The price is that of one whole token, in the base.";

interface Book {
  readonly basetoken: string;
  readonly targettoken: string;
  readonly open: boolean;
}

/** Pairs are easily reversed. */
async function ofClosedBook({ body }: WireAnswer, session: Session): Promise<string> {
  const { basetoken, targettoken, open } = body as Book;
  if (open) {
    return "";
  }
  const reversed = { basetoken: targettoken, targettoken: basetoken };
  const { open: isReversed } = await session.lookUp<Book>("orderBook", reversed);
  return isReversed
    ? `This pair is closed, and the reverse is open: moneta order book ${targettoken} ${basetoken}`
    : "This pair is closed: the owners of its tokens have not admitted it.";
}

export const ORDERS: readonly Row[] = [
  {
    words: "order create",
    description: mrc040Create,
    ...priced,
    prints: ["mrc040id"],
    details: PRICE,
  },
  {
    words: "order request",
    description: mrc040Request,
    ...priced,
    flagNames: { minqtt: "min" },
    details: PRICE,
  },
  {
    words: "order exchange",
    description: mrc040Exchange,
    args: ["mrc040id", "qtt"],
    titles: { qtt: "amount" },
    amounts: { qtt: ofOrder },
  },
  { words: "order cancel", description: mrc040Cancel, args: ["mrc040id"] },
  { words: "order show", description: order, args: ["mrc040id"], view: views.ORDER },
  { words: "order list", description: orders, view: views.ORDERS },
  {
    words: "order book",
    description: orderBook,
    args: ["basetoken", "targettoken"],
    view: views.ORDER_BOOK,
    next: ofClosedBook,
  },
  {
    words: "order pending",
    description: pendingOrders,
    args: ["address"],
    own: "address",
    view: views.PENDING_ORDERS,
  },
  { words: "order trades", description: orderTrades, view: views.ORDER_TRADES },
  { words: "order trade", description: orderTrade, args: ["id"], view: views.ORDER_TRADE },
];
