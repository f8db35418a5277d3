import type { Address, Texts } from "@moneta/protocol";
import type { Sent } from "./ledger-model.ts";
import type { ModelOffer } from "./policy-model.ts";
import type { Kind } from "./trade-rules.ts";
import {
  bidFor,
  guardsFor,
  type Listed,
  type Maker,
  type Makers,
  type Picks,
  type TradingDesk,
  UNKNOWN,
  UNKNOWN_UNIT_LISTING,
} from "./trading-desk.ts";

// Purchases, bids and the ends of auctions and offers, of all kinds.

const IDS = { mrc010: "dexid", mrc401: "mrc401id", mrc402: "id" } as const;

/** Purchases, bids and ends of auctions; `list` makes a listing where none is open. */
export function tradeMakers(
  desk: TradingDesk,
  kind: Kind,
  list: { readonly sell: Maker; readonly auction: Maker },
): Makers {
  const { model } = desk;
  const isOfTokens = kind === "mrc010";
  const noId = kind === "mrc402" ? UNKNOWN_UNIT_LISTING : UNKNOWN[kind];
  const idOf = (one: Listed | undefined, isByItem: boolean): string =>
    (isByItem && one?.item) || (one?.lot.id ?? noId);
  const taken = (op: string, actor: Address, params: Texts, picks: Picks): Sent => {
    const name = isOfTokens ? "address" : "buyer";
    return desk.by(name, `${kind}${op}`, actor, params, picks, { isNamed: isOfTokens });
  };
  /** An address other than the seller, which can mostly pay. */
  const taker = (one: Listed | undefined, price: bigint, picks: Picks): Address => {
    const { seller = "", token = "0" } = one?.lot ?? {};
    return picks.rarely(14) && seller !== ""
      ? (seller as Address)
      : desk.able(token, price, picks, seller);
  };
  const guards = (one: Listed | undefined, picks: Picks): Texts =>
    isOfTokens ? {} : guardsFor(one?.transferable || "Permanent", picks);
  const isFree = ({ transferable }: Listed, picks: Picks): boolean =>
    transferable !== "Bound" || picks.rarely(3);

  const buy = (picks: Picks): Sent => {
    if (desk.lacks(kind, "sell", picks)) {
      return list.sell(picks);
    }
    const one = desk.target(kind, "sell", picks, (listed) => isFree(listed, picks));
    const { price = 1n, unit = 1n, remain = 1n, token = "0" } = one?.lot ?? {};
    const isByItem = one !== undefined && picks.rarely(3);
    const count = picks.units(remain / unit);
    const part = isOfTokens && picks.rarely(12) ? 1n : 0n;
    const isUnnamed = kind === "mrc402" && picks.rarely(isByItem ? 2 : 60);
    const amount = isUnnamed ? "" : String(BigInt(count) * unit + part);
    const expected = picks.of<Texts>([
      ...[{}, { price: String(price) }, { price: String(price), token }, { token }],
      ...(picks.rarely(4)
        ? [{ price: String(price + 1n) }, { token: token === "0" ? "1" : "0" }]
        : []),
    ]);
    const params = {
      [IDS[kind]]: picks.rarely(40) ? noId : idOf(one, isByItem),
      ...(kind === "mrc401" ? {} : { amount: picks.rarely(30) && isOfTokens ? "01" : amount }),
      ...(isOfTokens ? {} : expected),
      ...guards(one, picks),
    };
    return taken("buy", taker(one, price * BigInt(count), picks), params, picks);
  };

  const bid = (picks: Picks): Sent => {
    if (desk.lacks(kind, "auction", picks)) {
      return list.auction(picks);
    }
    const { time } = model;
    // Those that begin or end just now are of interest, too.
    const isRunning = (one: Listed): boolean =>
      one.lot.begins - 1 <= time && time <= one.lot.ends && isFree(one, picks);
    // One that runs beside others of its item.
    const open = desk.listed(kind, "auction").filter(({ isOpen }) => isOpen);
    const isAmong = (one: Listed): boolean =>
      isRunning(one) && open.filter(({ item }) => item !== "" && item === one.item).length > 1;
    const isOne = open.some(isAmong);
    const one = desk.target(kind, "auction", picks, isOne ? isAmong : isRunning);
    const { usual, odd } = bidFor(one?.lot, picks);
    const { leader = "", buyNow = 0n, token = "0", seller = "" } = one?.lot ?? {};
    const able = taker(one, usual, picks);
    const other = able === leader ? desk.able(token, usual, picks, seller, leader) : able;
    // The highest bidder may still buy now.
    const isLeader = leader !== "" && picks.rarely(usual === buyNow ? 3 : 8);
    const params = {
      [IDS[kind]]: picks.rarely(40) ? noId : idOf(one, isOne || picks.rarely(2)),
      amount: odd || String(usual),
      ...(isOfTokens
        ? {}
        : { token: picks.rarely(20) ? "1" : picks.of(["", token]), ...guards(one, picks) }),
    };
    return taken("bid", isLeader ? (leader as Address) : other, params, picks);
  };

  const finish = (picks: Picks): Sent => {
    const isOver = ({ lot: { ends } }: Listed): boolean => ends <= model.time + 1;
    const isAny = desk.listed(kind, "auction").some((one) => one.isOpen && isOver(one));
    if (!isAny && !picks.rarely(4)) {
      return bid(picks);
    }
    const one = desk.target(kind, "auction", picks, isOver);
    return desk.unsigned(`${kind}auctionfinish`, { [IDS[kind]]: idOf(one, picks.rarely(2)) });
  };

  return { [`${kind}buy`]: buy, [`${kind}bid`]: bid, [`${kind}auctionfinish`]: finish };
}

/** Withdraws and closes offers; `offer` makes one if there is none. */
export function offerEndMakers(
  desk: TradingDesk,
  kind: "mrc401" | "mrc402",
  { offer, accept }: { readonly offer: Maker; readonly accept: Maker },
): Makers {
  const { itemOffers, unitOffers } = desk.model;
  const all: ReadonlyMap<string, ModelOffer> = kind === "mrc401" ? itemOffers : unitOffers;
  const noOffer = `OFF${kind.slice(3)}_${"0".repeat(33)}`;
  const idOf = (one: { readonly offerid: string } | undefined): string => one?.offerid ?? noOffer;
  const hasNone = (which: "open" | "over", picks: Picks): boolean =>
    desk.offers(all, which).length === 0 && !picks.rarely(6);
  return {
    [`${kind}offer`]: offer,
    [`${kind}acceptoffer`]: (picks) => (hasNone("open", picks) ? offer(picks) : accept(picks)),
    [`${kind}unoffer`](picks) {
      if (hasNone("open", picks)) {
        return offer(picks);
      }
      const one = desk.anyOffer(all, picks);
      const buyer = (picks.rarely(6) ? desk.other(picks) : one?.buyer) || desk.other(picks);
      const offerid = picks.rarely(10) ? noOffer : idOf(one);
      const params = { offerid, signed: "full" };
      return desk.by("buyer", `${kind}unoffer`, buyer as Address, params, picks);
    },
    [`${kind}offerfinish`](picks) {
      if (hasNone("over", picks)) {
        return accept(picks);
      }
      const one = desk.anyOffer(all, picks, desk.offers(all, "over"));
      return desk.unsigned(`${kind}offerfinish`, { offerid: idOf(one) });
    },
  };
}
