import { invariant } from "../../invariant.ts";
import type { Movement } from "../../market/payments.ts";
import type { Item } from "../../state/item-entry.ts";
import type { State } from "../../state/state.ts";
import type { EffectDraft, Signed } from "../rule.ts";
import { auctionOf, tradedTo } from "./item-life.ts";
import { payHolder } from "./project-item.ts";

/** Gives an item to the highest bidder and the bid, which is held, to the project's owner and the holder. Source: mrc401 §17. */
export function settleItem(
  state: State,
  item: Item,
  by: Signed,
): {
  readonly item: Item;
  readonly movements: readonly Movement[];
  readonly effects: readonly EffectDraft[];
} {
  const { auction, token, listingFee: rate } = auctionOf(item);
  const { bid } = auction;
  invariant(bid !== undefined, "an auction is won by a bid");
  const { bidder, amount } = bid;
  const payment = { amount, token, rate, kind: "auction", payer: bidder, by } as const;
  const trade = { date: state.time, amount, token, type: "Auction" as const };
  return { ...payHolder(state, item, payment), item: tradedTo(item, bidder, trade) };
}
