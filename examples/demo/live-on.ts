import { setTimeout as delay } from "node:timers/promises";
import { type Actor, ProblemError } from "@moneta/sdk";
import type { World } from "./fill-world.ts";
import { WARES } from "./game.ts";
import { buyFromMenu, payEachOther } from "./payments.ts";
import { COLOURS, picture } from "./pictures.ts";
import { POINT } from "./tokens.ts";
import { ledgerTime, pickTwo } from "./town.ts";

/** Writes in the first twenty minutes, two or three a second; after that, one in five seconds. */
export const QUICK_WRITES = 3_000;
/** The most that `liveOn` writes, which takes about a day. */
export const WRITES_MAX = 20_000;
const QUICK_PAUSE_MS = 400;
const SLOW_PAUSE_MS = 5_000;

export interface LiveOptions {
  /** Ends the life of the world. */
  readonly signal: AbortSignal;
  /** At most this number of writes. */
  readonly writesMax?: number;
  /** The pause before each write, by the number of writes so far. */
  readonly pauseMs?: (written: number) => number;
}

/**
 * People buy, bid, pay and list again, one write after another, until the signal or the largest
 * number of writes. Returns the number of writes. What the ledger refuses is not tried again.
 */
export async function liveOn(
  world: World,
  { signal, writesMax = WRITES_MAX, pauseMs = usualPauseMs }: LiveOptions,
): Promise<number> {
  const deeds = deedsOf(world);
  let written = 0;
  while (!signal.aborted && written < writesMax) {
    await delay(pauseMs(written), undefined, { signal }).catch(() => {});
    if (signal.aborted) {
      break;
    }
    try {
      const done = await world.random.pick(deeds)();
      written += done === undefined ? 0 : 1;
    } catch (error) {
      // An auction that has just ended, or somebody who cannot pay: the next deed is another one.
      if (!(error instanceof ProblemError)) {
        throw error;
      }
    }
  }
  return written;
}

function usualPauseMs(written: number): number {
  return written < QUICK_WRITES ? QUICK_PAUSE_MS : SLOW_PAUSE_MS;
}

/** One write, or undefined if there is nothing of this kind to do. */
type Deed = () => Promise<unknown>;

/** What may happen next. What stands here several times happens more often. */
function deedsOf(world: World): readonly Deed[] {
  const { moneta, cast, people, random, coins, tokens, projects, units } = world;
  const someAmount = (min: number, max: number) => coins(String(random.integer({ min, max })));
  const coffee: Deed = () => buyFromMenu(world);
  const pay: Deed = () => payEachOther(world);

  const points: Deed = () => {
    const amount = BigInt(random.integer({ min: 2, max: 20 })) * POINT;
    const { address: to } = random.pick(people);
    return cast.shop.transfer({ to, token: tokens.points, amount, memo: "Points for a coffee" });
  };

  // The richest business pays wages, so that the coins go round.
  const wages: Deed = async () => {
    const businesses = [cast.shop, cast.hall, cast.studio, cast.market, cast.artist];
    const balances = await Promise.all(
      businesses.map(async (payer) => ({ payer, free: await freeCoins(payer) })),
    );
    const [richest] = balances.sort((a, b) => (a.free < b.free ? 1 : -1));
    const share = (richest?.free ?? 0n) / 8n;
    if (richest === undefined || share < coins("10")) {
      return undefined;
    }
    const transferlist = pickTwo(random, people).map(({ address }) => ({
      address,
      amount: share,
      unlockdate: 0,
      memo: "Wages",
    }));
    return richest.payer.multitransfer({ token: 0, transferlist });
  };
  const freeCoins = async ({ address }: Actor): Promise<bigint> => {
    const entries = await moneta.balanceOfToken({ address, token: 0 });
    return entries.find(({ unlockdate }) => unlockdate === 0)?.balance ?? 0n;
  };

  const lock: Deed = async () => {
    const [from, { address: to }] = pickTwo(random, people);
    const unlockdate = (await ledgerTime(moneta)) + random.integer({ min: 60, max: 7200 });
    const payment = { to, token: 0, amount: someAmount(1, 5), unlockdate, memo: "Pocket money" };
    return from.transfer(payment);
  };

  const mint: Deed = async () => {
    const { items } = await moneta.mrc401Items({ mrc400id: projects.game, state: "sale" });
    if (items.length > 12) {
      return undefined;
    }
    const [groupid, shape] = random.pick(WARES);
    const ware = {
      groupid,
      item_image_url: picture(shape, random.pick(COLOURS)),
      initial_reserve: coins("2"),
      sell_fee: "2.5",
      melt_fee: "10",
      sell_price: someAmount(8, 40),
    };
    return cast.studio.mrc401create({ mrc400id: projects.game, itemdata: [ware] });
  };

  const buyItem: Deed = async () => {
    const { items } = await moneta.mrc401Items({ mrc400id: projects.game, state: "sale" });
    const buyer = random.pick(people);
    const others = items.filter(({ holder }) => holder !== buyer.address);
    if (others.length < 4) {
      return undefined;
    }
    const { id: mrc401id, sell_price: price, sell_token: token } = random.pick(others);
    return buyer.mrc401buy({ mrc401id, price, token });
  };

  /** An item that a customer holds and has not listed. */
  const idleItem = async () => {
    const owner = random.pick(people);
    const query = { mrc400id: projects.game, owner: owner.address, state: "idle" } as const;
    const { items } = await moneta.mrc401Items(query);
    const free = items.filter(({ transferable }) => transferable !== "Bound");
    return free.length === 0 ? undefined : { owner, id: random.pick(free).id, count: free.length };
  };
  const sellItem: Deed = async () => {
    const idle = await idleItem();
    const price = someAmount(10, 70);
    return idle?.owner.mrc401sell({ itemdata: [{ id: idle.id, price, token: 0 }] });
  };
  const auctionItem: Deed = async () => {
    const idle = await idleItem();
    const end = (await ledgerTime(moneta)) + random.integer({ min: 120, max: 300 });
    const terms = { token: 0, start: someAmount(5, 20), bidding: coins("1"), end };
    return idle?.owner.mrc401auction({ itemdata: [{ id: idle.id, ...terms }] });
  };
  const meltItem: Deed = async () => {
    const idle = await idleItem();
    return idle !== undefined && idle.count > 3
      ? idle.owner.mrc401melt({ mrc401id: idle.id })
      : undefined;
  };

  /** A bid by somebody who is neither the seller nor the highest bidder. */
  const bidder = (...without: readonly string[]): Actor =>
    random.pick(people.filter(({ address }) => !without.includes(address)));
  const nextBid = (start: bigint, unit: bigint, current = 0n): bigint =>
    current === 0n ? start : current + unit * BigInt(random.integer({ min: 1, max: 3 }));

  const bidForItem: Deed = async () => {
    const { items } = await moneta.mrc401Items({ mrc400id: projects.game, state: "auction" });
    if (items.length === 0) {
      return undefined;
    }
    const item = random.pick(items);
    return bidder(item.holder, item.auction_current_bidder).mrc401bid({
      mrc401id: item.id,
      amount: nextBid(
        item.auction_start_price,
        item.auction_bidding_unit,
        item.auction_current_price,
      ),
      token: item.auction_token,
    });
  };

  const buyUnits: Deed = async () => {
    const { items } = await moneta.mrc402Listings({ side: "sell" });
    const buyer = random.pick(people);
    const others = items.filter(({ seller }) => seller !== buyer.address);
    return others.length === 0
      ? undefined
      : buyer.mrc402buy({ id: random.pick(others).dexid, amount: 1n });
  };

  /** Units that a customer holds and has not listed. */
  const freeUnits = async () => {
    const owner = random.pick(people);
    const { items } = await moneta.mrc402Holdings({ address: owner.address });
    const free = items.filter(({ balance }) => balance > 0n);
    return free.length === 0 ? undefined : { owner, id: random.pick(free).mrc402 };
  };
  const sellUnits: Deed = async () => {
    const free = await freeUnits();
    const terms = { amount: 1n, price: someAmount(2, 25), token: 0 };
    return free?.owner.mrc402sell({ id: free.id, ...terms });
  };
  const auctionUnits: Deed = async () => {
    const free = await freeUnits();
    const auction_end_date = (await ledgerTime(moneta)) + random.integer({ min: 120, max: 300 });
    const terms = { amount: 1n, token: 0, auction_start_price: coins("2") };
    const auction_bidding_unit = coins("0.5");
    return free?.owner.mrc402auction({
      id: free.id,
      ...terms,
      auction_bidding_unit,
      auction_end_date,
    });
  };
  const bidForUnits: Deed = async () => {
    const { items } = await moneta.mrc402Listings({ side: "auction" });
    if (items.length === 0) {
      return undefined;
    }
    const lot = random.pick(items);
    return bidder(lot.seller, lot.auction_current_bidder).mrc402bid({
      id: lot.dexid,
      amount: nextBid(lot.auction_start_price, lot.auction_bidding_unit, lot.auction_current_price),
    });
  };
  const drink: Deed = () => random.pick(people).mrc402melt({ mrc402id: units.potion });

  const offerPoints =
    (side: "mrc010sell" | "mrc010reqsell"): Deed =>
    async () => {
      const owner = random.pick(people);
      const price = coins(`0.${random.integer({ min: 40, max: 69 })}`);
      const amount = BigInt(random.integer({ min: 5, max: 30 })) * POINT;
      const terms = { mrc010id: tokens.points, token: 0, min_trade_unit: "100" } as const;
      const open = await moneta.tokenListings({ address: owner.address });
      return open.items.length > 1 ? undefined : owner[side]({ ...terms, amount, price });
    };
  const tradePoints: Deed = async () => {
    const { items } = await moneta.tokenListings({ token: tokens.points, paytoken: 0 });
    const open = items.filter(({ side }) => side !== "auction");
    if (open.length === 0) {
      return undefined;
    }
    const { dexid, side, seller, buyer, remain_amount } = random.pick(open);
    const some = BigInt(random.integer({ min: 1, max: 6 })) * POINT;
    const amount = remain_amount < some ? remain_amount : some;
    return side === "sell"
      ? bidder(seller).mrc010buy({ dexid, amount })
      : bidder(buyer).mrc010acceptreqsell({ dexid, amount });
  };

  return [
    ...[coffee, coffee, coffee, coffee, pay, pay, points, wages, wages, lock],
    ...[mint, mint, buyItem, buyItem, sellItem, auctionItem, meltItem, bidForItem, bidForItem],
    ...[buyUnits, buyUnits, sellUnits, auctionUnits, bidForUnits, bidForUnits, drink],
    ...[offerPoints("mrc010sell"), offerPoints("mrc010reqsell"), tradePoints, tradePoints],
  ];
}
