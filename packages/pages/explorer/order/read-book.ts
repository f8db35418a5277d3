import type { CallOptions, Moneta, OrderBook } from "@moneta/sdk";
import type { Pair } from "./pair.ts";

/** Throws the node's problem if there is no such pair of tokens. */
export async function readBook(
  moneta: Moneta,
  { basetoken, targettoken }: Pair,
  options: CallOptions,
  limit = 1,
): Promise<OrderBook> {
  const book = await moneta.orderBook({ basetoken, targettoken, limit }, options);
  if (!("bids" in book)) {
    throw new TypeError("the node has answered one side of a book");
  }
  return book;
}
