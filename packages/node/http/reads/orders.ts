import { isOpenPair, type LedgerReader, type OrderSide, orderTradeJson } from "@moneta/ledger";
import { ORDER_BOOK, type orderBook, Refused, refuse, type TokenId } from "@moneta/protocol";
import { type Answer, json, listPage, PAGE } from "../responses/answer.ts";
import type { Values } from "./read-handler.ts";

type Levels = ReturnType<LedgerReader["orderBook"]["levels"]>;

/** Source: proofs §1.7. */
const TOO_FAR_BACK = {
  code: "3005",
  parameter: "side",
  reason:
    "must be SELL or BUY as of this block: too many price levels have changed since to read both sides at once",
} as const;

/** Source: protocols §10. */
export function showBook(
  values: Values<typeof orderBook>,
  { state, orderBook: book }: LedgerReader,
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
    const levels = (of: OrderSide): Levels =>
      book.levels({ basetoken: base, targettoken: target, side: of }, undefined, limit);
    const [bids, asks] = [levels("BUY"), levels("SELL")];
    // A book without its best levels is wrong, and has no cursor to continue.
    if ([bids, asks].some(({ items, next }) => next !== undefined && items.length < limit)) {
      return refuse(TOO_FAR_BACK);
    }
    return json({
      ...{
        basetoken: base,
        targettoken: target,
        open: isOpenPair(state, { basetoken: base, targettoken: target }),
      },
      ...{ basedecimal, targetdecimal, bids: parsed(bids), asks: parsed(asks) },
    });
  }
  const after = cursor === undefined ? undefined : priceIn(cursor.last);
  const page = book.levels({ basetoken: base, targettoken: target, side }, after, limit);
  return listPage(page.items, { list: ORDER_BOOK, values }, page.next);
}

function parsed({ items }: Levels): readonly unknown[] {
  return items.map((text) => JSON.parse(text));
}

/** A cursor has only a checksum: it may contain any text. */
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
export function showOrderTrade({ id }: { id: string }, reader: LedgerReader): Answer | Refused {
  const trade = reader.orderTrades.get(id);
  if (trade === undefined) {
    reader.assertNotOlder({ parameter: "id", given: id });
    return refuse({ code: "6004", what: "a trade", parameter: "id", given: id });
  }
  return json(orderTradeJson(reader, trade));
}
