import type { Address } from "@moneta/protocol";
import type { WatchedEntries } from "../shown/watched-entries.ts";
import type { ItemShown } from "../trade/item-terms.ts";
import {
  elementForm,
  elementsOf,
  itemListable,
  itemListed,
  itemListing,
  NO_AUCTION,
  NO_SALE,
  ownersShare,
  phaseOf,
  refusedToken,
  saleWindow,
} from "./item-rules.ts";
import {
  type AskedChange,
  BLANK_LISTING,
  type LedgerModel,
  type ModelEntry,
  type ModelItemOffer,
  type ModelListing,
  type ModelRule,
  type ModelRules,
  type ModelTokenListing,
  type ModelUnitItem,
  type ModelUnitListing,
  type ModelUnitOffer,
  type Values,
} from "./ledger-model.ts";
import {
  addresses,
  type Code,
  canonicalRate,
  derivedId,
  type Fields,
  first,
  has,
  integer,
  integers,
  isInteger,
  isObject,
  list,
  MOST,
  memberOf,
  missing,
  numberIn,
  part,
  textOf,
  twice,
  when,
  windowOf,
} from "./model-terms.ts";
import {
  closedOfferRefused,
  guardsIn,
  type ModelOffer,
  offerEndRefused,
  outsideWindow,
  windowRefused,
} from "./policy-model.ts";
import {
  exceeds,
  hasEnded,
  isBound,
  listUnits,
  platformIn,
  platformOf,
  unitSaleRefused,
  unitsListed,
  unitsMissing,
} from "./unit-rules.ts";

// Trades of tokens, items and units, each rule once; differences between the kinds are in their
// goods. Source: tokens §8 to §12, mrc401 §10 to §17, mrc402 §11 to §17, offers.

export type Kind = "mrc010" | "mrc401" | "mrc402";

/** The properties of a listing of any kind that trades depend on. */
export interface Lot {
  /** Holds the highest bid in escrow. */
  readonly id: string;
  readonly seller: string;
  readonly token: string;
  /** The price of `unit` units; `remain` units are still on sale. */
  readonly price: bigint;
  readonly unit: bigint;
  readonly remain: bigint;
  readonly sell_start: number;
  readonly sell_end: number;
  /** The amount in the auction. */
  readonly units: bigint;
  readonly begins: number;
  readonly ends: number;
  readonly start: bigint;
  readonly step: bigint;
  readonly buyNow: bigint;
  readonly current: bigint;
  readonly leader: string;
}

/** All listings ever made, as traders see them. */
export interface ModelGoods {
  readonly kind: Kind;
  readonly listed: () => readonly {
    readonly side: ModelListing["side"];
    readonly isOpen: boolean;
    /** Melted. */
    readonly isGone: boolean;
    readonly lot: Lot;
    readonly transferable: string;
    /** The item of units, `""` of other goods. */
    readonly item: string;
  }[];
}

/** Terms that a buyer can limit. Source: mrc401 §2.6. */
interface Terms {
  readonly meltFee: string;
  readonly sellFee: string;
  readonly transferable: string;
}

/** A trade, except its seller and goods. */
interface Deal {
  readonly to: string;
  readonly amount: bigint;
  readonly price: bigint;
  readonly way: "sell" | "auction";
  readonly job: string;
}

type Share = readonly [type: string, payee: string, fee: bigint];

/** The differences between the kinds; `L` is a listing, or an item itself. */
interface Goods<L> extends ModelGoods {
  readonly put: (one: L, change: Partial<L>) => void;
  readonly lot: (one: L) => Lot;
  /** The listing that a request selects, or the code that refuses it. */
  readonly meant: (values: Values, taker: string, side: ModelListing["side"]) => L | string;
  readonly taking: Pick<ModelRule, "existence" | "actor"> & {
    readonly form: (values: Values, side: "sell" | "auction") => Code;
  };
  readonly finishing: (values: Values) => L | string;
  readonly termsOf: (one: L) => Terms | undefined;
  readonly forbidden: (one: L, change: Omit<AskedChange, "from">) => Code;
  /** Shares of a price that are paid before the seller's, in this order. */
  readonly shares: (one: L, price: bigint) => readonly Share[];
  /** Changes of a listing by a bid, a trade, or the end of an auction without a bid. */
  readonly led: (one: L, end: number) => Partial<L>;
  readonly traded: (one: L, deal: Deal) => Partial<L>;
  readonly failed: (one: L) => Partial<L>;
  /** The goods in the payments text; undefined if it does not list them. */
  readonly tradeId: (one: L) => string | undefined;
}

function bidsOf(
  one: Pick<
    ModelListing,
    | "auction_start_price"
    | "auction_bidding_unit"
    | "auction_buynow_price"
    | "auction_current_price"
    | "auction_current_bidder"
  >,
): Pick<Lot, "start" | "step" | "buyNow" | "current" | "leader"> {
  return {
    start: BigInt(one.auction_start_price),
    step: BigInt(one.auction_bidding_unit),
    buyNow: BigInt(one.auction_buynow_price),
    current: BigInt(one.auction_current_price || "0"),
    leader: one.auction_current_bidder,
  };
}

/** Refuses terms beyond the limits of a buyer or bidder, and Bound goods. Source: mrc401 §2.6. */
function refusedTerms(terms: Terms | undefined, values: Fields): Code {
  if (terms === undefined) {
    return undefined;
  }
  const isAbove = (rate: string, guard: string): boolean =>
    has(values, guard) && Number(rate) > Number(values[guard]);
  const wanted = textOf(values, "transferable", terms.transferable);
  return (
    when(
      isAbove(terms.meltFee, "maxmeltfee") ||
        isAbove(terms.sellFee, "maxsellfee") ||
        wanted !== terms.transferable,
      "7112",
    ) ?? when(terms.transferable === "Bound", "7109")
  );
}

function notOpen({ side, state }: ModelListing, wanted: ModelListing["side"]): Code {
  return (
    when(side !== wanted, "7103") ??
    when(state === "cancelled", "7101") ??
    when(state !== "open", "7102")
  );
}

function creatorOf({ side, buyer, seller }: ModelListing): string {
  return side === "buy" ? buyer : seller;
}

function payTokenOf(one: ModelTokenListing): string {
  return one.side === "buy" ? one.buy_token : one.sell_token;
}

/** The platform's share of a payment. Source: tokens §8. */
function platformFee(
  payment: bigint,
  one: Pick<ModelListing, "platform_address" | "platform_commission">,
): bigint {
  return one.platform_address === "" ? 0n : part(payment, one.platform_commission);
}

function isUnitListing(id: string): boolean {
  return id.startsWith("DEX402_");
}

function idsOf(values: Values): readonly string[] {
  return JSON.parse(values.itemdata) as readonly string[];
}

function tokenGoods(m: LedgerModel): Goods<ModelTokenListing> {
  return {
    ...datedGoods<ModelTokenListing>("mrc010"),
    listed: () =>
      [...m.tokenListings.values()].map((one) => ({
        ...{ side: one.side, isOpen: one.state === "open", isGone: false },
        ...{ transferable: "", item: "" },
        lot: { ...datedLot(one, payTokenOf(one)), seller: creatorOf(one) },
      })),
    put: (one, change) => m.put(m.tokenListings, one.dexid, { ...one, ...change }),
    lot: (one) => datedLot(one, payTokenOf(one)),
    meant({ dexid }, taker, side) {
      const one = m.tokenListings.get(dexid) as ModelTokenListing;
      return when(creatorOf(one) === taker, "3004") ?? notOpen(one, side) ?? one;
    },
    taking: {
      form: ({ amount }) => integer(amount, "1107"),
      existence: ({ dexid, address }) =>
        when(!m.tokenListings.has(dexid), "6004") ??
        when(!m.addresses.includes(address as Address), "3090"),
      actor: ({ address }) => address,
    },
    finishing({ dexid }) {
      const one = m.tokenListings.get(dexid);
      return one === undefined ? "6004" : (notOpen(one, "auction") ?? one);
    },
    termsOf: () => undefined,
    forbidden: () => undefined,
    shares: (one, price) => [
      ["mrc010_recv_fee_platform", one.platform_address, platformFee(price, one)],
    ],
    traded(one, deal) {
      m.move(one.dexid, deal.to, one.mrc010, deal.amount);
      return { ...tradedPart(m, one, deal), buyer: deal.to };
    },
    failed(one) {
      m.move(one.dexid, one.seller, one.mrc010, BigInt(one.amount));
      return failedPart(m, "mrc010");
    },
    tradeId: ({ mrc010 }) => mrc010,
  };
}

/** Tokens and units have listings with ids of their own. */
function datedGoods<L extends ModelListing>(kind: Kind): Pick<Goods<L>, "kind" | "led"> {
  return {
    kind,
    led: (one, end) =>
      ({
        auction_bid_count: one.auction_bid_count + 1,
        auction_end_date: end,
        job_type: `${kind}_auctionbid`,
      }) as Partial<L>,
  };
}

function datedLot(one: ModelTokenListing | ModelUnitListing, token: string): Lot {
  return {
    ...{ id: one.dexid, seller: one.seller, token },
    price: BigInt(one.sell_price || ("buy_price" in one && one.buy_price) || "0"),
    unit: "min_trade_unit" in one ? BigInt(one.min_trade_unit) : 1n,
    remain: BigInt(one.remain_amount),
    units: BigInt(one.amount),
    ...{ sell_start: one.sell_start ?? 0, sell_end: one.sell_end ?? 0 },
    ...{ begins: one.auction_start_date, ends: one.auction_end_date },
    ...bidsOf(one),
  };
}

/** Changes of a listing by a trade: the remaining amount. Source: market §2.5. */
function tradedPart(m: LedgerModel, one: ModelListing, deal: Deal): Partial<ModelListing> {
  const left = BigInt(one.remain_amount) - deal.amount;
  return {
    remain_amount: String(left),
    job_type: deal.job,
    ...(left === 0n && { state: "sold", sell_date: m.time }),
    ...(one.side === "auction" && { auction_settle_date: m.time }),
  };
}

function failedPart(m: LedgerModel, kind: Kind): Partial<ModelListing> {
  return { state: "failed", auction_settle_date: m.time, job_type: `${kind}_auctionfailure` };
}

function itemTerms(one: ItemShown): Terms {
  const { meltint_fee: meltFee, sell_fee: sellFee, transferable } = one;
  return { meltFee, sellFee, transferable };
}

function itemGoods(m: LedgerModel): Goods<ItemShown> {
  const itemAt = (id: string): ItemShown => m.items.get(id) as ItemShown;
  const lot = (one: ItemShown): Lot => ({
    ...{ id: one.id, seller: one.holder, unit: 1n, remain: 1n, units: 1n },
    token: one.auction_date > 0 ? one.auction_token : one.sell_token,
    price: BigInt(one.sell_price),
    ...{ sell_start: one.sell_start, sell_end: one.sell_end },
    ...{ begins: 0, ends: one.auction_end, ...bidsOf(one) },
  });
  return {
    kind: "mrc401",
    listed: () =>
      [...m.items.values()].map((one) => ({
        ...{ side: one.auction_date > 0 ? "auction" : "sell", lot: lot(one), item: "" },
        isOpen: !["idle", "melted"].includes(phaseOf(one)),
        isGone: phaseOf(one) === "melted",
        transferable: one.transferable,
      })),
    put: (one, change) => m.putItem(one, change),
    lot,
    meant({ mrc401id }, taker, side) {
      const one = itemAt(mrc401id);
      const isListed = side === "sell" ? phaseOf(one) === "sale" : one.auction_date > 0;
      return (
        when(one.holder === taker, "3004") ??
        when(phaseOf(one) === "melted", "7110") ??
        when(!isListed, "7106") ??
        one
      );
    },
    taking: {
      form: (values, side) =>
        missing(values.mrc401id, ...(side === "auction" ? [values.amount] : [])) ??
        (side === "auction" ? undefined : addresses(values.buyer)) ??
        integers(values, 1n, "amount") ??
        integers(values, 0n, "price", "token") ??
        addresses(values.buyer),
      existence: ({ mrc401id, buyer }) =>
        when(!m.items.has(mrc401id), "6004") ??
        when(buyer !== "" && !m.addresses.includes(buyer as Address), "3090"),
      actor: ({ buyer }) => buyer,
    },
    finishing({ mrc401id }) {
      const one = m.items.get(mrc401id);
      return one === undefined ? "6004" : (when(one.auction_date === 0, "7106") ?? one);
    },
    termsOf: itemTerms,
    forbidden: (one, change) => m.itemForbidden(one, { from: one.holder, ...change }),
    shares: (one, price) => [
      [
        "mrc401_recv_fee",
        m.projectOf(one)?.owner ?? "",
        ownersShare(m, one, price, one.listing_fee),
      ],
    ],
    led: (_one, auction_end) => ({ auction_end }),
    traded: (one, { to, price, way }) => ({
      ...{ owner: to, holder: to, last_trade_date: m.time, last_trade_amount: String(price) },
      last_trade_token: lot(one).token,
      last_trade_type: way === "sell" ? "Sell" : "Auction",
      ...(way === "sell" ? NO_SALE : NO_AUCTION),
    }),
    failed: () => NO_AUCTION,
    tradeId: () => undefined,
  };
}

function unitGoods(m: LedgerModel): Goods<ModelUnitListing> {
  const itemOf = ({ mrc402 }: ModelUnitListing): ModelUnitItem =>
    m.unitItems.get(mrc402) as ModelUnitItem;
  const isThere = (id: string): boolean =>
    m.unitItems.has(isUnitListing(id) ? (m.unitListings.get(id)?.mrc402 ?? "") : id);
  return {
    ...datedGoods<ModelUnitListing>("mrc402"),
    listed: () =>
      [...m.unitListings.values()].map((one) => ({
        ...{ side: one.side, isOpen: one.state === "open", isGone: false, item: one.mrc402 },
        lot: datedLot(one, one.sell_token),
        transferable: itemOf(one).texts["transferable"] as string,
      })),
    put: (one, change) => m.put(m.unitListings, one.dexid, { ...one, ...change }),
    lot: (one) => datedLot(one, one.sell_token),
    /** Source: mrc402 §2.7. */
    meant({ id }, taker, side) {
      if (isUnitListing(id)) {
        const one = m.unitListings.get(id) as ModelUnitListing;
        return when(one.seller === taker, "3004") ?? notOpen(one, side) ?? one;
      }
      const open = m.open(id, side);
      const others = open.filter(({ seller }) => seller !== taker);
      return others.length === 0 && open.length > 0 ? "3004" : theOnly(others);
    },
    taking: {
      form: (values, side) =>
        side === "sell"
          ? (integers(values, 0n, "amount") ??
            when(values.amount === "0", "1107") ??
            when(isUnitListing(values.id) && values.amount === "", "1000"))
          : (missing(values.amount) ?? integers(values, 1n, "amount")),
      existence: ({ id, buyer }) =>
        when(!isThere(id), "6004") ??
        when(buyer !== "" && !m.addresses.includes(buyer as Address), "3090"),
      actor: ({ buyer }) => buyer,
    },
    finishing({ id }) {
      const [next] = m.open(id, "auction").sort((x, y) => x.auction_end_date - y.auction_end_date);
      const one = isUnitListing(id) ? m.unitListings.get(id) : next;
      return !isThere(id) ? "6004" : one === undefined ? "7106" : (notOpen(one, "auction") ?? one);
    },
    termsOf: (one) => unitTerms(itemOf(one)),
    forbidden: (one, change) => m.unitsForbidden(itemOf(one), { from: one.seller, ...change }),
    shares(one, price) {
      const item = itemOf(one);
      const owner = m.projectOf(item)?.owner ?? "";
      return [
        ["mrc402_recv_fee_owner", owner, owner === "" ? 0n : part(price, one.sell_fee)],
        ["mrc402_recv_fee_creator", item.creator, part(price, item.creatorcommission)],
        ["mrc402_recv_fee_platform", one.platform_address, platformFee(price, one)],
        ...item.shareholders.map(
          ([address, rate]): Share => ["mrc402_recv_fee_shareholder", address, part(price, rate)],
        ),
      ];
    },
    traded(one, deal) {
      const { to, amount, price, way } = deal;
      const type = way === "sell" ? "Sell" : "Auction";
      const item = itemOf(one);
      m.units(item.id, one.seller)[way === "sell" ? "sale" : "auction"] -= amount;
      m.units(item.id, to).balance += amount;
      item.hasMoved = true;
      item.trade = { date: m.time, amount: String(price), token: one.sell_token, type };
      return { ...tradedPart(m, one, deal), buyer: to };
    },
    failed(one) {
      giveUnitsBack(m, one);
      return failedPart(m, "mrc402");
    },
    tradeId: ({ mrc402 }) => mrc402,
  };
}

function unitTerms({ texts }: ModelUnitItem): Terms {
  const { melt_fee: meltFee = "", sell_fee: sellFee = "", transferable = "" } = texts;
  return { meltFee, sellFee, transferable };
}

function theOnly(all: readonly ModelUnitListing[]): ModelUnitListing | string {
  const [only] = all;
  return only === undefined ? "7106" : all.length > 1 ? "7107" : only;
}

function giveUnitsBack(m: LedgerModel, one: ModelUnitListing): void {
  const units = m.units(one.mrc402, one.seller);
  units[one.side === "sell" ? "sale" : "auction"] -= BigInt(one.remain_amount);
  units.balance += BigInt(one.remain_amount);
}

/** The traded goods, as traders see them. */
export function tradedGoods(m: LedgerModel): readonly ModelGoods[] {
  return [tokenGoods(m), itemGoods(m), unitGoods(m)];
}

/**
 * Hands goods over and distributes their price, which `from` holds. Returns the changes of the
 * listing. Source: tokens §8, mrc401 §2.4, mrc402 §2.6.
 */
function sellTo<L>(m: LedgerModel, goods: Goods<L>, one: L, deal: Deal, from: string): Partial<L> {
  const { kind } = goods;
  const { seller, token } = goods.lot(one);
  const trade_id = goods.tradeId(one);
  if (trade_id !== undefined) {
    const trade_amount = String(deal.amount);
    m.note({
      ...{ type: `${kind}_recv_item`, from_addr: from, to_addr: deal.to, trade_amount, trade_id },
    });
  }
  let rest = deal.price;
  for (const [type, payee, fee] of goods.shares(one, deal.price)) {
    m.pay(type, from, payee, token, fee);
    rest -= fee;
  }
  m.pay(`${kind}_recv_${deal.way}`, from, seller, token, rest);
  return goods.traded(one, deal);
}

function buyRule<L>(m: LedgerModel, goods: Goods<L>): ModelRule {
  const { kind } = goods;
  return {
    ...goods.taking,
    form: (values) => goods.taking.form(values, "sell"),
    apply(values, buyer) {
      const one = goods.meant(values, buyer, "sell");
      if (typeof one === "string") {
        return one;
      }
      const lot = goods.lot(one);
      const amount = BigInt(values.amount || 1);
      const price = (lot.price * amount) / lot.unit;
      const isOther = (given: string, wanted: string): boolean => ![wanted, ""].includes(given);
      const refused =
        refusedTerms(goods.termsOf(one), values) ??
        when(
          isOther(values.price, String(lot.price)) || isOther(values.token, lot.token),
          "7112",
        ) ??
        goods.forbidden(one, {
          ...{ way: "purchase", to: buyer, more: amount, at: m.time },
          ...{ prices: [lot.price], token: lot.token },
        }) ??
        outsideWindow(lot, m.time) ??
        when(amount % lot.unit !== 0n, "3005") ??
        when(amount > lot.remain, "3004") ??
        when(m.free(buyer, lot.token) < price, "5000");
      if (refused === undefined) {
        m.pay(`${kind}_buy`, buyer, lot.id, lot.token, price);
        const deal = { to: buyer, amount, price, way: "sell", job: `${kind}_buy` } as const;
        goods.put(one, sellTo(m, goods, one, deal, lot.id));
      }
      return refused;
    },
  };
}

/** Settles an auction that is over or was bought. Returns the changes of the listing. */
function settled<L>(m: LedgerModel, goods: Goods<L>, one: L, how: string): Partial<L> {
  const { id, units: amount, leader: to, current: price } = goods.lot(one);
  const job = `${goods.kind}_auction${how}`;
  return sellTo(m, goods, one, { to, amount, price, way: "auction", job }, id);
}

function bidRule<L>(m: LedgerModel, goods: Goods<L>): ModelRule {
  const { kind } = goods;
  return {
    ...goods.taking,
    form: (values) => goods.taking.form(values, "auction"),
    apply(values, bidder) {
      const one = goods.meant(values, bidder, "auction");
      if (typeof one === "string") {
        return one;
      }
      const lot = goods.lot(one);
      const { id, token, leader, start, step, buyNow, current } = lot;
      const amount = BigInt(values.amount);
      const isBuyNow = buyNow > 0n && amount === buyNow;
      const isStep = amount >= start && (amount - start) % step === 0n && amount > current;
      const leads = when(leader === bidder && !isBuyNow, "7105");
      const offTime = when(m.time < lot.begins, "7203") ?? when(m.time >= lot.ends, "7202");
      const refused =
        // For tokens the times are checked before the highest bidder. Source: market §3.3.
        (kind === "mrc010" ? offTime : refusedTerms(goods.termsOf(one), values)) ??
        leads ??
        goods.forbidden(one, {
          ...{ way: "bid", to: bidder, more: leader === bidder ? 0n : lot.units },
          at: isBuyNow ? m.time : lot.ends,
          ...{ prices: [amount], token, units: lot.units },
        }) ??
        offTime ??
        when(![token, ""].includes(values.token), "3004") ??
        when((buyNow > 0n && amount > buyNow) || (!isBuyNow && !isStep), "3004") ??
        when(m.free(bidder, token) + (leader === bidder ? current : 0n) < amount, "5000");
      if (refused === undefined) {
        m.pay(`${kind}_recv_refund`, id, leader, token, current);
        m.pay(`${kind}_bid`, bidder, id, token, amount);
        const led = {
          ...{ ...one, auction_current_price: String(amount), auction_current_bidder: bidder },
          ...goods.led(one, isBuyNow ? lot.ends : endAfterBid(m, one, lot)),
        };
        goods.put(led, isBuyNow ? settled(m, goods, led, "buynow") : {});
      }
      return refused;
    },
  };
}

/** A bid near the end moves it. Source: market §3.2. */
function endAfterBid(m: LedgerModel, one: unknown, { ends }: Lot): number {
  const { auction_extend: extend = 0, auction_latest_end: latest = 0 } = one as ModelListing;
  return ends - m.time < extend ? Math.max(ends, Math.min(m.time + extend, latest)) : ends;
}

function finishRule<L>(m: LedgerModel, goods: Goods<L>): ModelRule {
  return {
    form: () => undefined,
    existence: () => undefined,
    actor: () => "",
    apply(values) {
      const one = goods.finishing(values);
      if (typeof one === "string") {
        return one;
      }
      const { ends, leader } = goods.lot(one);
      const refused = when(m.time < ends, "7201");
      if (refused === undefined) {
        goods.put(one, leader === "" ? goods.failed(one) : settled(m, goods, one, "winning"));
      }
      return refused;
    },
  };
}

// Offers.

/** Goods of an offer, and the checks that an acceptance makes. */
interface Offered {
  readonly isEnded: boolean;
  readonly terms: Terms;
  readonly isHeldBy: (address: string) => boolean;
  readonly listed: (address: string, count: bigint) => Code;
  readonly missing: (address: string, count: bigint) => Code;
  readonly forbidden: (change: AskedChange) => Code;
  /** The price minus fees. */
  readonly rest: (offer: ModelOffer, price: bigint, seller: string) => bigint;
  readonly sell: (offer: ModelOffer, deal: Deal, seller: string) => void;
}

interface OfferKind<O extends ModelOffer> {
  readonly kind: "mrc401" | "mrc402";
  readonly offers: WatchedEntries<O>;
  /** Checks that the id in an offer exists. */
  readonly existence: (values: Values) => Code;
  readonly refused: (values: Values, buyer: string) => Code;
  /** Members that only one kind has, when it is made and after an acceptance. */
  readonly made: (values: Values) => Partial<O>;
  readonly accepted: (offer: O, values: Values, seller: string) => Partial<O>;
  readonly accepting: (values: Values) => Code;
  readonly offered: (offer: O, values: Values) => Offered;
  /** Whether the goods differ from those of the offer. */
  readonly isOther: (offer: O, values: Values) => boolean;
  readonly open: (offer: O) => bigint;
}

function offerRules<O extends ModelOffer & ModelEntry>(
  m: LedgerModel,
  it: OfferKind<O>,
): ModelRules {
  const { kind, offers } = it;
  const known = (one: string): Code =>
    when(one !== "" && !m.addresses.includes(one as Address), "3090");
  const offer = (id: string): Code => when(!offers.has(id), "6004");
  const offerAt = (id: string): O => offers.get(id) as O;
  const countOf = ({ amount }: Values): bigint => BigInt(amount || 1);
  const put = (one: O, change: object): void => m.put(offers, one.offerid, { ...one, ...change });
  const giveBack = (one: O, state: "withdrawn" | "ended"): void => {
    m.move(one.offerid, one.buyer, one.token, BigInt(one.held));
    put(one, { state, held: "0", close_date: m.time });
  };

  return {
    [`${kind}offer`]: {
      form: (values) =>
        missing(values.buyer, values.id, values.price, values.token, values.end) ??
        addresses(values.buyer) ??
        when(!isInteger(values.price, 1n) || !isInteger(values.token), "1101") ??
        when(!isInteger(values.end), "1102") ??
        when(values.amount === "0", "1107") ??
        when(values.groupid !== "" && values.id.includes("_", 7), "3005"),
      existence: it.existence,
      actor: ({ buyer }) => buyer,
      apply(values, buyer) {
        const { id, price, token, end, tkey } = values;
        const held = countOf(values) * BigInt(price);
        const refused =
          it.refused(values, buyer) ??
          offerEndRefused(end, m.time) ??
          when(m.free(buyer, token) < held, "5000");
        if (refused === undefined) {
          const offerid = derivedId(kind === "mrc401" ? "OFF401" : "OFF402", buyer, tkey);
          m.move(buyer, offerid, token, held);
          const made = {
            ...{ offerid, buyer, id, price, token, held: String(held), ...guardsIn(values) },
            ...{ createdate: m.time, end: Number(end), state: "open", close_date: 0 },
          };
          put(made as O, it.made(values));
        }
        return refused;
      },
    },

    [`${kind}acceptoffer`]: {
      form: (values) =>
        missing(values.offerid, values.seller) ??
        addresses(values.seller) ??
        when(values.atleast !== "" && !isInteger(values.atleast), "1101") ??
        when(values.amount === "0", "1107"),
      existence: (values) => offer(values.offerid) ?? it.accepting(values) ?? known(values.seller),
      actor: ({ seller }) => seller,
      apply(values, seller) {
        const one = offerAt(values.offerid);
        const { buyer, token } = one;
        const goods = it.offered(one, values);
        const count = countOf(values);
        const price = count * BigInt(one.price);
        const refused =
          when(!goods.isEnded && !goods.isHeldBy(seller), "7001") ??
          closedOfferRefused(one) ??
          when(buyer === seller, "3004") ??
          when(it.isOther(one, values), "3004") ??
          when(goods.isEnded, "7110") ??
          goods.listed(seller, count) ??
          when(goods.rest(one, price, seller) < BigInt(values.atleast || 0), "7112") ??
          refusedTerms(goods.terms, { ...one }) ??
          goods.forbidden({
            ...{ way: "offer", from: seller, to: buyer, more: count, at: m.time },
            ...{ prices: [BigInt(one.price)], token },
          }) ??
          when(m.time >= one.end, "7202") ??
          when(count > it.open(one), "3004") ??
          goods.missing(seller, count);
        if (refused === undefined) {
          const deal = { to: buyer, amount: count, price, way: "sell", job: "" } as const;
          goods.sell(one, deal, seller);
          const isAll = count === it.open(one);
          put(one, {
            held: String(BigInt(one.held) - price),
            ...(isAll && { state: "accepted", close_date: m.time }),
            ...it.accepted(one, values, seller),
          });
        }
        return refused;
      },
    },

    [`${kind}unoffer`]: {
      form: (values) => missing(values.offerid, values.buyer) ?? addresses(values.buyer),
      existence: ({ offerid, buyer }) => offer(offerid) ?? known(buyer),
      actor: ({ buyer }) => buyer,
      apply({ offerid }, buyer) {
        const one = offerAt(offerid);
        const refused = when(one.buyer !== buyer, "7001") ?? when(one.state !== "open", "7106");
        if (refused === undefined) {
          giveBack(one, "withdrawn");
        }
        return refused;
      },
    },

    [`${kind}offerfinish`]: {
      form: () => undefined,
      existence: ({ offerid }) => offer(offerid),
      actor: () => "",
      apply({ offerid }) {
        const one = offerAt(offerid);
        const refused = when(one.state !== "open", "7106") ?? when(m.time < one.end, "7201");
        if (refused === undefined) {
          giveBack(one, "ended");
        }
        return refused;
      },
    },
  };
}

/** The price minus fees. */
function restOf(shares: readonly Share[], price: bigint): bigint {
  return shares.reduce((left, [, , fee]) => left - fee, price);
}

function itemOffers(m: LedgerModel, goods: Goods<ItemShown>): OfferKind<ModelItemOffer> {
  const itemAt = (id: string): ItemShown => m.items.get(id) as ItemShown;
  const itemOf = ({ id }: ModelItemOffer, { mrc401id }: Values): ItemShown =>
    itemAt(mrc401id || id);
  /** An item on sale for an offer, with the fee of now. */
  const saleOf = (one: ItemShown, { token: sell_token }: ModelOffer): ItemShown => ({
    ...{ ...one, sell_token, listing_fee: one.sell_fee },
  });
  return {
    kind: "mrc401",
    offers: m.itemOffers,
    existence({ id, buyer, token }) {
      const one = m.items.get(id);
      const project = m.projects.get(one?.mrc400 ?? id);
      return (
        when(project === undefined, "6004") ??
        when(!m.addresses.includes(buyer as Address), "3090") ??
        when(!m.tokens.has(token), "4001") ??
        refusedToken(String(project?.allow_token), token, one?.face_token)
      );
    },
    refused({ id }, buyer) {
      const one = m.items.get(id);
      return one === undefined
        ? undefined
        : (when(one.holder === buyer, "3004") ??
            when(phaseOf(one) === "melted", "7110") ??
            when(one.transferable === "Bound", "7109"));
    },
    made: ({ groupid }) => ({ groupid, mrc401: "", seller: "" }),
    accepted: (offer, values, seller) => ({ mrc401: itemOf(offer, values).id, seller }),
    accepting({ offerid, mrc401id }) {
      const { id } = m.itemOffers.get(offerid) as ModelItemOffer;
      return (
        when(mrc401id === "" && m.projects.has(id), "1000") ??
        when(!m.items.has(mrc401id || id), "6004")
      );
    },
    offered(offer, values) {
      const one = itemOf(offer, values);
      return {
        isEnded: phaseOf(one) === "melted",
        terms: itemTerms(one),
        isHeldBy: (address) => one.holder === address,
        listed: () => when(one.auction_date > 0, "7108"),
        missing: () => undefined,
        forbidden: (change) => m.itemForbidden(one, change),
        rest: (given, price) => restOf(goods.shares(saleOf(one, given), price), price),
        sell: (given, deal) =>
          goods.put(one, sellTo(m, goods, saleOf(one, given), deal, given.offerid)),
      };
    },
    /** Items created before an offer for their project or group. Source: offers §3. */
    isOther({ id, groupid, createdate, ...offer }, values) {
      const one = itemOf({ id, groupid, createdate, ...offer }, values);
      const isOfGroup = groupid === "" || groupid === one.groupid;
      const groupedAt = groupid === "" ? 0 : (m.grouped.get(one.id) ?? 0);
      const isMeant =
        id === one.mrc400 && isOfGroup && Math.max(one.createdate, groupedAt) < createdate;
      return id !== one.id && !isMeant;
    },
    open: () => 1n,
  };
}

function unitOffers(m: LedgerModel, goods: Goods<ModelUnitListing>): OfferKind<ModelUnitOffer> {
  const itemAt = (id: string): ModelUnitItem => m.unitItems.get(id) as ModelUnitItem;
  /** Units on sale for an offer, on the item's own terms of now. */
  const saleOf = (offer: ModelOffer, seller: string): ModelUnitListing => {
    const item = itemAt(offer.id);
    return {
      ...{ ...BLANK_LISTING, ...platformIn(item), mrc402: item.id, agent: "", seller },
      ...{ sell_token: offer.token, sell_fee: canonicalRate(item.texts["sell_fee"] ?? "0") },
      ...{ remain_amount: "0", amount: "0" },
    };
  };
  return {
    kind: "mrc402",
    offers: m.unitOffers,
    existence: ({ id, buyer, token }) =>
      when(!m.unitItems.has(id), "6004") ??
      when(!m.addresses.includes(buyer as Address), "3090") ??
      when(!m.tokens.has(token), "4001") ??
      refusedToken(allowedOf(m, itemAt(id)), token, itemAt(id).face.token),
    refused: ({ id }) => when(hasEnded(itemAt(id)), "7110") ?? when(isBound(itemAt(id)), "7109"),
    made: ({ amount }) => ({ amount, remain_amount: amount }),
    accepted: (offer, { amount }) => ({
      remain_amount: String(BigInt(offer.remain_amount) - BigInt(amount)),
    }),
    accepting: () => undefined,
    offered({ id }) {
      const item = itemAt(id);
      return {
        isEnded: hasEnded(item),
        terms: unitTerms(item),
        isHeldBy: (address) => m.all(id, address) > 0n,
        listed: (address, count) => unitsListed(m, id, address, count),
        missing: (address, count) => unitsMissing(m, id, address, count),
        forbidden: (change) => m.unitsForbidden(item, change),
        rest: (given, price, seller) => restOf(goods.shares(saleOf(given, seller), price), price),
        sell(given, deal, seller) {
          const units = m.units(id, seller);
          units.balance -= deal.amount;
          units.sale += deal.amount;
          sellTo(m, goods, saleOf(given, seller), deal, given.offerid);
        },
      };
    },
    isOther: () => false,
    open: ({ remain_amount }) => BigInt(remain_amount),
  };
}

// Listings of tokens.

function tokenListings(m: LedgerModel): ModelRules {
  const address = (given: string): Code => when(!m.addresses.includes(given as Address), "3090");
  const token = (id: string): Code => when(!m.tokens.has(id), "4001");
  const listingAt = (dexid: string): ModelTokenListing =>
    m.tokenListings.get(dexid) as ModelTokenListing;
  const listing = (dexid: string): Code => when(!m.tokenListings.has(dexid), "6004");
  const paymentOf = ({ price, amount, min_trade_unit }: Values): bigint =>
    (BigInt(price) * BigInt(amount)) / BigInt(min_trade_unit);

  /** The part that checks 1 of tokens §9 and §12 share. */
  const formOf = ({ mrc010id, token: y, platform_commission: commission }: Values): Code => {
    const isRate = /^(0|[1-9][0-9]?)(\.[0-9]{1,2})?$/.test(commission) && Number(commission) <= 10;
    return when(mrc010id === y || !isRate, "3005");
  };
  const offerForm = (values: Values): Code =>
    integer(values.amount, "1107") ??
    integer(values.price, "1104") ??
    formOf(values) ??
    when(BigInt(values.amount) % BigInt(values.min_trade_unit) !== 0n, "3005");
  const auctionForm = (values: Values): Code => {
    const { auction_start_price: start, auction_buynow_price: buyNow, extend } = values;
    return (
      integer(values.amount, "1107") ??
      integer(start, "1104") ??
      integer(values.auction_bidding_unit, "1104") ??
      integer(buyNow) ??
      integer(values.auction_start_date) ??
      integer(values.auction_end_date) ??
      when(!isInteger(extend) || BigInt(extend) > 3600n, "1101") ??
      when(buyNow !== "0" && BigInt(buyNow) <= BigInt(start), "3005") ??
      formOf(values)
    );
  };

  /** Makes the listing if its creator has the amount that goes into escrow. */
  const lister = (
    form: (values: Values) => Code,
    job: string,
    terms: (values: Values) => Partial<ModelTokenListing> | string,
    escrow: (one: ModelTokenListing) => readonly [token: string, amount: bigint],
  ): ModelRule => ({
    defaults: {
      ...{ auction_bidding_unit: "1", auction_buynow_price: "0", auction_end_date: "0" },
      ...{ auction_start_date: "0", min_trade_unit: "1", platform_commission: "0" },
      ...{ sell_start: "0", sell_end: "0", extend: "0" },
    },
    form,
    existence: (values) =>
      address(values.address) ??
      token(values.mrc010id) ??
      token(values.token) ??
      (values.platform_address === "" ? undefined : address(values.platform_address)),
    actor: (values) => values.address,
    apply(values, creator) {
      const own = terms(values);
      if (typeof own === "string") {
        return own;
      }
      const { mrc010id: mrc010, amount, min_trade_unit, tkey } = values;
      const one: ModelTokenListing = {
        ...{ ...BLANK_LISTING, sell_price: "", buy_price: "", buy_price_total: "", buy_token: "" },
        ...{ dexid: derivedId("DEX010", creator, tkey), mrc010, min_trade_unit },
        ...{ amount, remain_amount: amount, ...platformOf(values) },
        ...{ regdate: m.time, job_type: job, ...own },
      };
      const [of, all] = escrow(one);
      if (m.free(creator, of) < all) {
        return "5000";
      }
      m.move(creator, one.dexid, of, all);
      m.put(m.tokenListings, one.dexid, one);
      return undefined;
    },
  });

  /** Unsell, unreqsell and unauction. */
  const cancel = (
    side: ModelListing["side"],
    job_type: string,
    more: (one: ModelTokenListing) => Code = () => undefined,
  ): ModelRule => ({
    form: () => undefined,
    existence: ({ dexid }) => listing(dexid),
    actor: ({ dexid }) => creatorOf(listingAt(dexid)),
    apply({ dexid }) {
      const one = listingAt(dexid);
      const refused = notOpen(one, side) ?? more(one);
      if (refused === undefined) {
        const held = side === "buy" ? one.buy_token : one.mrc010;
        m.move(dexid, creatorOf(one), held, m.held(dexid, held));
        const escrowed = side === "buy" ? { buy_price_total: "0" } : {};
        const closed = { state: "cancelled", cancel_date: m.time, job_type } as const;
        m.put(m.tokenListings, dexid, { ...one, ...escrowed, ...closed });
      }
      return refused;
    },
  });

  const goods = tokenGoods(m);
  const ofAmount = ({ mrc010, amount }: ModelTokenListing) => [mrc010, BigInt(amount)] as const;
  return {
    mrc010sell: lister(
      (values) =>
        offerForm(values) ??
        when(paymentOf(values) > MOST, "1101") ??
        first([values.sell_start, values.sell_end], (date) => when(!isInteger(date), "1102")),
      "mrc010_sell",
      (values) => {
        const { address: seller, token: sell_token, price: sell_price } = values;
        const [start, end] = [Number(values.sell_start), Number(values.sell_end)];
        return (
          windowRefused(start, end, m.time) ?? {
            ...{ seller, sell_token, sell_price, ...windowOf(values) },
          }
        );
      },
      ofAmount,
    ),

    mrc010reqsell: lister(
      (values) =>
        offerForm(values) ??
        when(paymentOf(values) + platformFee(paymentOf(values), values) > MOST, "1101"),
      "mrc010_reqsell",
      (values) => {
        const { address: buyer, token: buy_token, price: buy_price } = values;
        const total = paymentOf(values) + platformFee(paymentOf(values), values);
        return { buyer, buy_token, buy_price, buy_price_total: String(total), side: "buy" };
      },
      (one) => [one.buy_token, BigInt(one.buy_price_total)],
    ),

    mrc010auction: lister(
      auctionForm,
      "mrc010_auction",
      (values) => {
        const dates = signedDates(m.time, values);
        const { auction_start_price, auction_bidding_unit, auction_buynow_price } = values;
        return dates === undefined
          ? "1102"
          : {
              ...{ side: "auction", seller: values.address, sell_token: values.token },
              ...{ auction_start_price, auction_bidding_unit, auction_buynow_price },
              ...{ auction_start_date: dates[0], auction_end_date: dates[1] },
              ...softClose(Number(values.extend), dates),
            };
      },
      ofAmount,
    ),

    mrc010unsell: cancel("sell", "mrc010_unsell"),
    mrc010unreqsell: cancel("buy", "mrc010_unreqsell"),
    mrc010unauction: cancel(
      "auction",
      "mrc010_unauction",
      (one) =>
        when(one.auction_current_bidder !== "", "7104") ??
        when(m.time >= one.auction_end_date, "7202"),
    ),

    mrc010acceptreqsell: {
      ...goods.taking,
      form: (values) => goods.taking.form(values, "sell"),
      apply(values, seller) {
        const one = goods.meant(values, seller, "buy");
        if (typeof one === "string") {
          return one;
        }
        const { dexid, buyer, mrc010: x, buy_token: y } = one;
        const amount = BigInt(values.amount);
        const payment = (BigInt(one.buy_price) * amount) / BigInt(one.min_trade_unit);
        const refused =
          when(amount % BigInt(one.min_trade_unit) !== 0n, "3005") ??
          when(amount > BigInt(one.remain_amount), "3004") ??
          when(m.free(seller, x) < amount, "5000");
        if (refused === undefined) {
          const job = "mrc010_acceptreqsell";
          const after = tradedPart(m, one, { to: buyer, amount, price: payment, way: "sell", job });
          const given = { trade_amount: String(amount), trade_id: x };
          m.move(seller, dexid, x, amount);
          m.note({ type: "mrc010_sell", from_addr: seller, to_addr: dexid, ...given });
          m.pay("mrc010_send_item", dexid, seller, y, payment);
          const fee = platformFee(payment, one);
          m.pay("mrc010_recv_fee_platform", dexid, one.platform_address, y, fee);
          m.move(dexid, buyer, x, amount);
          m.note({ type: "mrc010_recv_buy", from_addr: dexid, to_addr: buyer, ...given });
          if (after.state === "sold") {
            m.pay("mrc010_recv_fee_remain", dexid, buyer, y, m.held(dexid, y));
          }
          const buy_price_total = String(m.held(dexid, y));
          m.put(m.tokenListings, dexid, { ...one, ...after, seller, buy_price_total });
        }
        return refused;
      },
    },
  };
}

const [AUCTION_MIN, AUCTION_MAX] = [3600, 1_814_400];

/** Begin and end of an auction that are signed; undefined if they are out of bounds. */
function signedDates(now: number, values: Values): readonly [number, number] | undefined {
  const start = Number(values.auction_start_date) || now;
  const end = Number(values.auction_end_date) || start + 86_400;
  const isGood =
    start >= now &&
    start <= now + AUCTION_MAX &&
    end >= start + AUCTION_MIN &&
    end <= start + AUCTION_MAX;
  return isGood ? [start, end] : undefined;
}

/** Latest end to which bids move an auction. Source: market §3.2, policies §6. */
function softClose(
  extend: number,
  [start, end]: readonly [number, number],
  closes = 0,
): Partial<ModelListing> {
  const latest = Math.min(start + AUCTION_MAX, end + 86_400);
  return extend === 0
    ? {}
    : {
        auction_extend: extend,
        auction_latest_end: closes === 0 ? latest : Math.min(latest, closes),
      };
}

// Listings of items.

function auctionTerms(element: Fields): Fields {
  return {
    auction_start_price: textOf(element, "start"),
    auction_token: textOf(element, "token"),
    auction_bidding_unit: textOf(element, "bidding"),
    auction_buynow_price: textOf(element, "buynow", textOf(element, "bnynow")),
    auction_end: textOf(element, "end"),
    auction_extend: textOf(element, "extend"),
  };
}

function saleTerms(element: Fields): Fields {
  return {
    sell_price: textOf(element, "price", textOf(element, "amount")),
    sell_token: textOf(element, "token"),
    sell_start: textOf(element, "sell_start"),
    sell_end: textOf(element, "sell_end"),
  };
}

function itemListings(m: LedgerModel): ModelRules {
  const itemAt = (id: string): ItemShown => m.items.get(id) as ItemShown;
  const mayList = (one: ItemShown, actor: string): boolean =>
    one.holder === actor ||
    (one.owner === "" && ["partner", "seller"].includes(m.projectOf(one)?.partner[actor] ?? ""));
  /** Sell, unsell, auction and unauction; `change` returns the changed item. */
  const lister = (options: {
    form(values: Values): Code;
    entries(values: Values): readonly Fields[];
    readonly isListing: boolean;
    check(one: ItemShown): Code;
    bounds?(one: ItemShown, entry: Fields): Code;
    window?(entry: Fields): Code;
    change(entry: Fields, one: ItemShown): Partial<ItemShown>;
  }): ModelRule => ({
    form: (values) => missing(values.itemdata) ?? addresses(values.seller) ?? options.form(values),
    existence(values) {
      const { mrc400id, seller } = values;
      const entries = options.entries(values);
      const itemOf = (entry: Fields): ItemShown => itemAt(String(entry["id"]));
      const listed = options.isListing ? entries : [];
      return (
        when(mrc400id !== "" && !m.projects.has(mrc400id), "6004") ??
        first(entries, ({ id }) => when(!m.items.has(String(id)), "6004")) ??
        first(entries, (entry) =>
          when(mrc400id !== "" && itemOf(entry).mrc400 !== mrc400id, "3005"),
        ) ??
        when(seller !== "" && !m.addresses.includes(seller as Address), "3090") ??
        first(listed, (entry) => when(!m.tokens.has(textOf(entry, "token")), "4001")) ??
        first(listed, (entry) => {
          const one = itemOf(entry);
          const only = String(m.projectOf(one)?.allow_token);
          return refusedToken(only, textOf(entry, "token"), one.face_token);
        })
      );
    },
    actor: ({ seller }) => seller,
    apply(values, actor) {
      const entries = options.entries(values);
      const items = entries.map(({ id }) => itemAt(String(id)));
      const refused =
        first(items, (one) => when(phaseOf(one) !== "melted" && !mayList(one, actor), "7001")) ??
        first(items, options.check) ??
        first(entries, (entry, index) => options.bounds?.(items[index] as ItemShown, entry)) ??
        first(entries, (entry) => options.window?.(entry));
      if (refused === undefined) {
        m.notified = [...new Set(items.map(({ holder }) => holder).filter((one) => one !== actor))];
        for (const [index, entry] of entries.entries()) {
          const one = items[index] as ItemShown;
          m.putItem(one, options.change(entry, one));
        }
      }
      return refused;
    },
  });
  const listingUp = (form: (element: Fields) => Code, terms: (element: Fields) => Fields) =>
    lister({
      form: (values) =>
        list(values.itemdata, isObject) ??
        first(
          elementsOf(values),
          (element) =>
            missing(textOf(element, "id"), textOf(element, "token")) ??
            integers(element, 0n, "token") ??
            form(element),
        ) ??
        twice(elementsOf(values).map(({ id }) => String(id))),
      entries: elementsOf,
      isListing: true,
      check: (one) => itemListed(one, m.time) ?? when(one.transferable === "Bound", "7109"),
      bounds: (one, element) => itemListable(m, one, terms(element)),
      window: (element) => saleWindow(terms(element), m.time),
      change(element, one) {
        const isOfIssuer = one.holder === m.projectOf(one)?.owner;
        const policy = isOfIssuer ? {} : m.policyOf(one.mrc400, one.policy_number);
        const { closes = Number.MAX_SAFE_INTEGER } = policy;
        return { ...NO_SALE, ...itemListing(m.time, terms(element), one.sell_fee, closes) };
      },
    });
  const takingOff = (check: (one: ItemShown) => Code, change: Partial<ItemShown>): ModelRule =>
    lister({
      form: (values) =>
        list(values.itemdata, (id) => typeof id === "string") ?? twice(idsOf(values)),
      entries: (values) => idsOf(values).map((id) => ({ id })),
      isListing: false,
      check,
      change: () => change,
    });
  return {
    mrc401sell: listingUp(
      (element) =>
        when(has(element, "amount") && has(element, "price"), "1005") ??
        missing(textOf(element, "price", textOf(element, "amount"))) ??
        integers(element, 1n, "price", "amount") ??
        elementForm({ sell_start: element["sell_start"], sell_end: element["sell_end"] }, ""),
      saleTerms,
    ),
    mrc401auction: listingUp(
      (element) =>
        missing(textOf(element, "start")) ??
        integers(element, 1n, "start") ??
        elementForm(auctionTerms(element), ""),
      auctionTerms,
    ),
    mrc401unsell: takingOff((one) => when(phaseOf(one) !== "sale", "7106"), NO_SALE),
    mrc401unauction: takingOff(
      (one) =>
        when(!["open", "bid"].includes(phaseOf(one)), "7106") ??
        when(phaseOf(one) === "bid", "7104"),
      NO_AUCTION,
    ),
  };
}

// Listings of units.

/** The token that units of an item may be traded for, `0` if any. */
export function allowedOf(
  m: LedgerModel,
  { mrc400, allow_token }: Pick<ModelUnitItem, "mrc400" | "allow_token">,
): string {
  const project = m.projects.get(mrc400);
  return project === undefined ? allow_token : String(project.allow_token);
}

const PLATFORM = ["platform_name", "platform_url", "platform_address", "platform_commission"];

function unitListings(m: LedgerModel): ModelRules {
  const known = (one: string): Code =>
    when(one !== "" && !m.addresses.includes(one as Address), "3090");
  const itemAt = (id: string): ModelUnitItem => m.unitItems.get(id) as ModelUnitItem;
  /** The item of an id, which is its own or that of one of its listings. */
  const itemOf = (id: string): ModelUnitItem | undefined =>
    m.unitItems.get(isUnitListing(id) ? (m.unitListings.get(id)?.mrc402 ?? "") : id);
  const inProject = ({ itemdata }: Values): boolean => itemdata !== "";
  /** An element of `itemdata`, or the parameters of the quantity form under its names. */
  const entriesOf = (values: Values): readonly Fields[] => {
    const { auction_start_price: start, auction_bidding_unit: bidding } = values;
    return inProject(values)
      ? memberOf(values, "itemdata", [])
      : [{ ...values, start, bidding, buynow: values.auction_buynow_price }];
  };
  const countOf = (entry: Fields): bigint => BigInt(textOf(entry, "amount", "1"));
  const platformFor = (entry: Fields) =>
    PLATFORM.some((name) => textOf(entry, name) !== "")
      ? platformOf(entry)
      : platformIn(itemAt(textOf(entry, "id")));

  const lister = (side: "sell" | "auction"): ModelRule => {
    /** Begin and end of an auction, or undefined if they are out of bounds. Source: mrc402 §14. */
    const datesOf = (values: Values, entry: Fields): readonly [number, number] | undefined => {
      const { time } = m;
      if (inProject(values)) {
        const end = numberIn(entry, "end") || time + AUCTION_MIN;
        return [time, Math.min(Math.max(end, time + AUCTION_MIN), time + AUCTION_MAX)];
      }
      return signedDates(time, values);
    };
    const datesRefused = (values: Values, entry: Fields): Code =>
      side === "sell"
        ? unitSaleRefused(entry, m.time)
        : when(datesOf(values, entry) === undefined, "1102");
    /** The input of the policy's check of a listing. */
    const changeOf = (values: Values, entry: Fields, from: string): AskedChange => {
      const price = (name: string): bigint => BigInt(textOf(entry, name, "0"));
      const asked = { from, to: "", more: 0n, token: textOf(entry, "token") };
      const [, end = 0] = side === "auction" ? (datesOf(values, entry) ?? []) : [];
      return side === "sell"
        ? { ...asked, way: "sale", at: m.time, prices: [price("price")] }
        : {
            ...{ ...asked, way: "auction", at: end, units: countOf(entry) },
            prices: [price("start"), price("buynow")],
          };
    };
    const termsOf = (values: Values, entry: Fields, seller: string): Partial<ModelListing> => {
      if (side === "sell") {
        return { sell_price: textOf(entry, "price"), ...windowOf(entry) };
      }
      const dates = datesOf(values, entry) ?? ([0, 0] as const);
      const item = itemAt(textOf(entry, "id"));
      const { closes = 0 } = m.policyOf(item.mrc400, item.policyNumber);
      const isFree = m.issuersOf(item).includes(seller);
      return {
        auction_start_price: textOf(entry, "start"),
        auction_bidding_unit: textOf(entry, "bidding", "1"),
        auction_buynow_price: textOf(entry, "buynow", "0"),
        ...{ auction_start_date: dates[0], auction_end_date: dates[1] },
        ...softClose(numberIn(entry, "extend"), dates, isFree ? 0 : closes),
      };
    };
    return {
      actor: ({ seller }) => seller,
      form: (values) =>
        twice(entriesOf(values).map((entry) => textOf(entry, "id"))) ??
        first(
          entriesOf(values),
          (entry) =>
            when(textOf(entry, "amount") === "0", side === "sell" ? "1107" : "1108") ??
            when(
              textOf(entry, "buynow", "0") !== "0" &&
                BigInt(textOf(entry, "buynow")) <= BigInt(textOf(entry, "start")),
              "3005",
            ),
        ),
      existence(values) {
        const entries = entriesOf(values);
        const path = inProject(values) ? values.id : "";
        return (
          first(entries, (entry) => when(!m.unitItems.has(textOf(entry, "id")), "6004")) ??
          known(values.seller) ??
          first(entries, (entry) => known(textOf(entry, "platform_address"))) ??
          first(entries, (entry) => when(!m.tokens.has(textOf(entry, "token")), "4001")) ??
          first(entries, (entry) => {
            const item = itemAt(textOf(entry, "id"));
            return (
              when(path !== "" && path !== item.id && path !== item.mrc400, "3005") ??
              refusedToken(allowedOf(m, item), textOf(entry, "token"), item.face.token) ??
              when(exceeds(item, item.texts["sell_fee"] ?? "0", platformFor(entry)), "3005")
            );
          })
        );
      },
      apply(values, actor) {
        const entries = entriesOf(values);
        const sellerOf = (entry: Fields): string =>
          m.all(textOf(entry, "id"), actor) > 0n ? actor : itemAt(textOf(entry, "id")).creator;
        const refused =
          first(entries, (entry) => {
            const item = itemAt(textOf(entry, "id"));
            const may = m.all(item.id, actor) > 0n || m.isAgent(item, actor);
            return when(!hasEnded(item) && !may, "7001");
          }) ??
          first(entries, (entry) => {
            const item = itemAt(textOf(entry, "id"));
            return (
              when(hasEnded(item), "7110") ??
              when(isBound(item), "7109") ??
              (datesRefused(values, entry) === undefined
                ? m.unitsForbidden(item, changeOf(values, entry, sellerOf(entry)))
                : undefined) ??
              unitsListed(m, item.id, sellerOf(entry), countOf(entry))
            );
          }) ??
          first(entries, (entry) => datesRefused(values, entry)) ??
          first(entries, (entry) =>
            unitsMissing(m, textOf(entry, "id"), sellerOf(entry), countOf(entry)),
          );
        if (refused !== undefined) {
          return refused;
        }
        m.notified = entries.map(sellerOf).filter((seller) => seller !== actor);
        for (const [place, entry] of entries.entries()) {
          const { tkey } = values;
          const id = textOf(entry, "id");
          listUnits(m, side, { id, actor, tkey, place }, countOf(entry), {
            ...{ ...platformFor(entry), ...termsOf(values, entry, sellerOf(entry)) },
            sell_token: textOf(entry, "token"),
          });
        }
        return undefined;
      },
    };
  };

  const canceller = (side: "sell" | "auction"): ModelRule => {
    const namedIn = (values: Values): readonly string[] =>
      inProject(values) ? memberOf(values, "itemdata", []) : [values.id];
    const mayCancel = (id: string, actor: string): boolean => {
      const item = itemOf(id) as ModelUnitItem;
      const listing = m.unitListings.get(id);
      const isAgent = m.isAgent(item, actor);
      return listing === undefined
        ? m.all(id, actor) > 0n || isAgent
        : listing.seller === actor || (listing.seller === item.creator && isAgent);
    };
    const targetOf = (id: string, actor: string): ModelUnitListing | string => {
      const seller = isUnitListing(id) || m.all(id, actor) > 0n ? actor : itemAt(id).creator;
      const listing = m.unitListings.get(id);
      return listing ?? theOnly(m.open(id, side).filter((one) => one.seller === seller));
    };
    return {
      actor: ({ seller }) => seller,
      form: (values) => twice(namedIn(values)),
      existence: (values) =>
        when(!inProject(values) && !isUnitListing(values.id), "6004") ??
        first(namedIn(values), (id) => when(itemOf(id) === undefined, "6004")) ??
        known(values.seller),
      apply(values, actor) {
        const ids = namedIn(values);
        const targets = ids.map((id) => targetOf(id, actor));
        const refused =
          first(ids, (id) => when(!mayCancel(id, actor), "7001")) ??
          first(targets, (target) =>
            typeof target === "string"
              ? target
              : (notOpen(target, side) ?? when(target.auction_current_bidder !== "", "7104")),
          ) ??
          twice(targets.map((target) => (target as ModelUnitListing).dexid));
        if (refused !== undefined) {
          return refused;
        }
        for (const target of targets as ModelUnitListing[]) {
          giveUnitsBack(m, target);
          const job_type = side === "sell" ? "mrc402_unsell" : "mrc402_unauction";
          const closed = { state: "cancelled", cancel_date: m.time, job_type } as const;
          m.put(m.unitListings, target.dexid, { ...target, ...closed });
        }
        const sellers = (targets as ModelUnitListing[]).map(({ seller }) => seller);
        m.notified = sellers.filter((seller) => seller !== actor);
        return undefined;
      },
    };
  };

  return {
    mrc402sell: lister("sell"),
    mrc402unsell: canceller("sell"),
    mrc402auction: lister("auction"),
    mrc402unauction: canceller("auction"),
  };
}

export function tradeRules(m: LedgerModel): ModelRules {
  const [tokens, items, units] = [tokenGoods(m), itemGoods(m), unitGoods(m)];
  return {
    ...tokenListings(m),
    ...itemListings(m),
    ...unitListings(m),
    ...{ mrc010buy: buyRule(m, tokens), mrc401buy: buyRule(m, items) },
    ...{ mrc402buy: buyRule(m, units), mrc010bid: bidRule(m, tokens) },
    ...{ mrc401bid: bidRule(m, items), mrc402bid: bidRule(m, units) },
    mrc010auctionfinish: finishRule(m, tokens),
    mrc401auctionfinish: finishRule(m, items),
    mrc402auctionfinish: finishRule(m, units),
    ...offerRules(m, itemOffers(m, items)),
    ...offerRules(m, unitOffers(m, units)),
  };
}
