import {
  isOpenPair,
  type LedgerReader,
  ORDER,
  type OrderSide,
  type OrderState,
  type StoredOrderTrade,
} from "@moneta/ledger";
import {
  type Address,
  type Cursor,
  ORDER_BOOK,
  ORDER_TRADES,
  ORDERS,
  PENDING_ORDERS,
  Refused,
  refuse,
  type TokenId,
} from "@moneta/protocol";
import { type Answer, json, listPage, PAGE } from "../responses/answer.ts";

/** Source: protocols §9. */
export function showOrder(
  { mrc040id }: { mrc040id: string },
  { state }: LedgerReader,
): Answer | Refused {
  const order = state.find(ORDER, mrc040id);
  return order === undefined
    ? refuse({ code: "6004", what: "an order", parameter: "mrc040id", given: mrc040id })
    : json(ORDER.json(order));
}

/** Source: protocols §10. */
export function listOrders(
  values: {
    owner: Address | undefined;
    basetoken: TokenId | undefined;
    targettoken: TokenId | undefined;
    side: OrderSide | "";
    state: OrderState | "all";
    limit: number | undefined;
    cursor: Cursor<number> | undefined;
  },
  { state, orders }: LedgerReader,
): Answer {
  const { owner, side, limit = PAGE, cursor } = values;
  const ownerNumber = owner && state.address(owner)?.number;
  if (owner !== undefined && ownerNumber === undefined) {
    return listPage([], { list: ORDERS, values }, undefined);
  }
  const page = orders.list({
    ownerNumber,
    base: values.basetoken,
    target: values.targettoken,
    side: side === "" ? undefined : side,
    state: values.state === "all" ? undefined : values.state,
    before: cursor?.last,
    limit,
  });
  return listPage(page.items, { list: ORDERS, values }, page.cursor);
}

/** Source: protocols §10. */
export function showBook(
  values: {
    basetoken: TokenId;
    targettoken: TokenId;
    side: OrderSide | "";
    limit: number | undefined;
    cursor: Cursor<string> | undefined;
  },
  { state, orders }: LedgerReader,
): Answer | Refused {
  const { basetoken: base, targettoken: target, side, limit = PAGE, cursor } = values;
  const decimals = [
    decimalOf(state, base, "basetoken"),
    decimalOf(state, target, "targettoken"),
  ] as const;
  const [basedecimal, targetdecimal] = decimals;
  const unknown = decimals.find((one) => one instanceof Refused);
  if (unknown instanceof Refused) {
    return unknown;
  }
  if (side === "") {
    const levels = (of: OrderSide): unknown[] =>
      orders
        .levels({ base, target, side: of }, undefined, limit)
        .items.map((text) => JSON.parse(text));
    return json({
      ...{ basetoken: base, targettoken: target, open: isOpenPair(state, { base, target }) },
      ...{ basedecimal, targetdecimal, bids: levels("BUY"), asks: levels("SELL") },
    });
  }
  const after = cursor === undefined ? undefined : priceIn(cursor.last);
  const { items, hasMore } = orders.levels({ base, target, side }, after, limit);
  const last = items.at(-1);
  const price = last === undefined ? "" : (JSON.parse(last) as { price: string }).price;
  return listPage(items, { list: ORDER_BOOK, values }, hasMore ? price : undefined);
}

/** A cursor has the checksum of its list alone: any text may stand in its place. */
function priceIn(text: string): bigint {
  return /^[0-9]{1,41}$/.test(text) ? BigInt(text) : 0n;
}

function decimalOf(
  state: LedgerReader["state"],
  token: TokenId,
  parameter: string,
): number | Refused {
  return state.token(token)?.decimal ?? refuse({ code: "4001", parameter, token });
}

/** Source: protocols §10. */
export function listPending(
  values: { address: Address; limit: number | undefined; cursor: Cursor<string> | undefined },
  { state, orders }: LedgerReader,
): Answer | Refused {
  const { address, limit = PAGE, cursor } = values;
  const entry = state.address(address);
  if (entry === undefined) {
    return refuse({ code: "3090", parameter: "address", address, status: 404 });
  }
  const after = cursor === undefined ? undefined : (String(priceIn(cursor.last)) as TokenId);
  const { items, hasMore } = orders.pending(entry.number, after, limit);
  const last = items.at(-1);
  const token = last === undefined ? "" : (JSON.parse(last) as { token: string }).token;
  return listPage(items, { list: PENDING_ORDERS, values }, hasMore ? token : undefined);
}

/** Source: protocols §10. */
export function listOrderTrades(
  values: {
    basetoken: TokenId | undefined;
    targettoken: TokenId | undefined;
    address: Address | undefined;
    mrc040id: string | undefined;
    limit: number | undefined;
    cursor: Cursor<number> | undefined;
  },
  reader: LedgerReader,
): Answer {
  const { address, mrc040id, limit = PAGE, cursor } = values;
  const asked = { list: ORDER_TRADES, values };
  const addressNumber = address && reader.state.address(address)?.number;
  const orderNumber =
    mrc040id === undefined ? undefined : reader.state.find(ORDER, mrc040id)?.order;
  const isUnknown =
    (address !== undefined && addressNumber === undefined) ||
    (mrc040id !== undefined && orderNumber === undefined);
  if (isUnknown) {
    return listPage([], asked, undefined);
  }
  const wanted = { base: values.basetoken, target: values.targettoken, addressNumber, orderNumber };
  const { items, next } = reader.orderTrades.page(wanted, cursor?.last, limit);
  return listPage(
    items.map((trade) => JSON.stringify(tradeJson(reader, trade))),
    asked,
    next,
  );
}

/** Source: protocols §10. */
export function showOrderTrade({ id }: { id: string }, reader: LedgerReader): Answer | Refused {
  const trade = reader.orderTrades.get(id);
  return trade === undefined
    ? refuse({ code: "6004", what: "a trade", parameter: "id", given: id })
    : json(tradeJson(reader, trade));
}

function tradeJson(reader: LedgerReader, trade: StoredOrderTrade): object {
  return {
    id: trade.id,
    transaction_id: reader.transactionIdOf(trade.transaction),
    timestamp: reader.blockWithTransaction(trade.transaction)?.header.timestamp,
    basetoken: trade.base,
    targettoken: trade.target,
    mrc040id: trade.order,
    owner: trade.owner,
    requester: trade.requester,
    side: trade.side,
    price: trade.price,
    qtt: trade.quantity,
    amount: trade.cost,
  };
}
