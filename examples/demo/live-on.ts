import { setTimeout as delay } from "node:timers/promises";
import { type Actor, ProblemError, UnansweredError } from "@moneta/sdk";
import type { World } from "./fill-world.ts";
import { WARES } from "./game.ts";
import { buyFromMenu, payEachOther } from "./payments.ts";
import { COLOURS, picture } from "./pictures.ts";
import { POINT } from "./tokens.ts";
import { ledgerTime, pickTwo } from "./town.ts";

/** Writes in the first twenty minutes, two or three a second; after that, one in five seconds. */
const QUICK_WRITES = 3_000;
/** The most that `liveOn` writes, which takes about a day. */
const WRITES_MAX = 20_000;
const QUICK_PAUSE_MS = 400;
const SLOW_PAUSE_MS = 5_000;

/** The number of items that the game keeps on sale. */
const ON_SALE_MIN = 4;
const ON_SALE_MAX = 12;

export interface LiveOptions {
  /** Ends the life of the world. */
  readonly signal: AbortSignal;
  /** At most this number of writes. */
  readonly writesMax?: number;
  readonly pauseMs?: (written: number) => number;
}

/**
 * Customers buy, bid, pay and list, one write after another, until the signal or the largest number
 * of writes. Returns the number of writes. Refused writes are not repeated.
 */
export async function liveOn(
  world: World,
  { signal, writesMax = WRITES_MAX, pauseMs = usualPauseMs }: LiveOptions,
): Promise<number> {
  const deeds = [
    ...paymentsOf(world),
    ...tradesOfItems(world),
    ...tradesOfUnits(world),
    ...tradesOfPoints(world),
  ];
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
      // An auction that has just ended, a customer with too few coins, or a killed node: the next
      // deed is another one.
      if (!(error instanceof ProblemError || error instanceof UnansweredError)) {
        throw error;
      }
    }
  }
  return written;
}

function usualPauseMs(written: number): number {
  return written < QUICK_WRITES ? QUICK_PAUSE_MS : SLOW_PAUSE_MS;
}

/**
 * One write, or undefined if none of this kind is possible. In the lists below, a deed that occurs
 * several times happens more often.
 */
type Deed = () => Promise<unknown>;

function paymentsOf(world: World): readonly Deed[] {
  const { moneta, cast, people, random, coins, tokens } = world;
  const coffee: Deed = () => buyFromMenu(world);
  const pay: Deed = () => payEachOther(world);

  const points: Deed = () => {
    const amount = BigInt(random.integer({ min: 2, max: 20 })) * POINT;
    const { address: to } = random.pick(people);
    return cast.shop.transfer({ to, token: tokens.points, amount, memo: "Points for a coffee" });
  };

  const freeCoins = async ({ address }: Actor): Promise<bigint> => {
    const entries = await moneta.balanceOfToken({ address, token: 0 });
    return entries.find(({ unlockdate }) => unlockdate === 0)?.balance ?? 0n;
  };
  // Spent coins return to the customers, who would soon have none otherwise.
  const wages: Deed = async () => {
    const payer = random.pick([cast.shop, cast.hall, cast.studio, cast.market, cast.artist]);
    const amount = (await freeCoins(payer)) / 8n;
    const terms = { amount, unlockdate: 0, memo: "Wages" };
    const transferlist = pickTwo(random, people).map(({ address }) => ({ address, ...terms }));
    return amount < coins("10") ? undefined : payer.multitransfer({ token: 0, transferlist });
  };

  const lock: Deed = async () => {
    const [from, { address: to }] = pickTwo(random, people);
    const unlockdate = (await ledgerTime(moneta)) + random.integer({ min: 60, max: 7200 });
    const amount = someCoins(world, { min: 1, max: 5 });
    return from.transfer({ to, token: 0, amount, unlockdate, memo: "Pocket money" });
  };
  return [coffee, coffee, coffee, coffee, pay, pay, points, wages, wages, wages, lock];
}

function tradesOfItems(world: World): readonly Deed[] {
  const { moneta, cast, people, random, coins, projects } = world;
  const { game: mrc400id } = projects;

  const mint: Deed = async () => {
    const { items } = await moneta.mrc401Items({ mrc400id, state: "sale" });
    if (items.length >= ON_SALE_MAX) {
      return undefined;
    }
    const [groupid, shape] = random.pick(WARES);
    const ware = {
      groupid,
      item_image_url: picture(shape, random.pick(COLOURS)),
      initial_reserve: coins("2"),
      sell_fee: "2.5",
      melt_fee: "10",
      sell_price: someCoins(world, { min: 8, max: 40 }),
    };
    return cast.studio.mrc401create({ mrc400id, itemdata: [ware] });
  };

  const buy: Deed = async () => {
    const { items } = await moneta.mrc401Items({ mrc400id, state: "sale" });
    const buyer = random.pick(people);
    const others = items.filter(({ holder }) => holder !== buyer.address);
    if (others.length < ON_SALE_MIN) {
      return undefined;
    }
    const { id: mrc401id, sell_price: price, sell_token: token } = random.pick(others);
    return buyer.mrc401buy({ mrc401id, price, token });
  };

  /** An item that a customer holds and has not listed. */
  const idleItem = async () => {
    const owner = random.pick(people);
    const query = { mrc400id, owner: owner.address, state: "idle" } as const;
    const { items } = await moneta.mrc401Items(query);
    const free = items.filter(({ transferable }) => transferable !== "Bound");
    return free.length === 0 ? undefined : { owner, id: random.pick(free).id, count: free.length };
  };
  const sell: Deed = async () => {
    const idle = await idleItem();
    const price = someCoins(world, { min: 10, max: 70 });
    return idle?.owner.mrc401sell({ itemdata: [{ id: idle.id, price, token: 0 }] });
  };
  const auction: Deed = async () => {
    const idle = await idleItem();
    const start = someCoins(world, { min: 5, max: 20 });
    const terms = { token: 0, start, bidding: coins("1"), end: await auctionEnd(world) };
    return idle?.owner.mrc401auction({ itemdata: [{ id: idle.id, ...terms }] });
  };
  const melt: Deed = async () => {
    const idle = await idleItem();
    const isCollector = idle !== undefined && idle.count > 3;
    return isCollector ? idle.owner.mrc401melt({ mrc401id: idle.id }) : undefined;
  };

  const bid: Deed = async () => {
    const { items } = await moneta.mrc401Items({ mrc400id, state: "auction" });
    if (items.length === 0) {
      return undefined;
    }
    const item = random.pick(items);
    const bidder = somebodyBut(world, item.holder, item.auction_current_bidder);
    return bidder.mrc401bid({ mrc401id: item.id, amount: nextBid(world, item) });
  };
  return [mint, mint, buy, buy, sell, auction, melt, bid, bid];
}

function tradesOfUnits(world: World): readonly Deed[] {
  const { moneta, people, random, coins, units } = world;

  const buy: Deed = async () => {
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
  const sell: Deed = async () => {
    const free = await freeUnits();
    const price = someCoins(world, { min: 2, max: 25 });
    return free?.owner.mrc402sell({ id: free.id, amount: 1n, price, token: 0 });
  };
  const auction: Deed = async () => {
    const free = await freeUnits();
    return free?.owner.mrc402auction({
      id: free.id,
      amount: 1n,
      token: 0,
      auction_start_price: coins("2"),
      auction_bidding_unit: coins("0.5"),
      auction_end_date: await auctionEnd(world),
    });
  };
  const bid: Deed = async () => {
    const { items } = await moneta.mrc402Listings({ side: "auction" });
    if (items.length === 0) {
      return undefined;
    }
    const lot = random.pick(items);
    const bidder = somebodyBut(world, lot.seller, lot.auction_current_bidder);
    return bidder.mrc402bid({ id: lot.dexid, amount: nextBid(world, lot) });
  };
  const drink: Deed = () => random.pick(people).mrc402melt({ mrc402id: units.potion });
  return [buy, buy, sell, auction, bid, bid, drink];
}

function tradesOfPoints(world: World): readonly Deed[] {
  const { moneta, people, random, coins, tokens } = world;

  const list =
    (side: "mrc010sell" | "mrc010reqsell"): Deed =>
    async () => {
      const owner = random.pick(people);
      const { items } = await moneta.tokenListings({ address: owner.address });
      const price = coins(`0.${random.integer({ min: 40, max: 69 })}`);
      const amount = BigInt(random.integer({ min: 5, max: 30 })) * POINT;
      const terms = { mrc010id: tokens.points, token: 0, min_trade_unit: "100" } as const;
      return items.length > 1 ? undefined : owner[side]({ ...terms, amount, price });
    };

  const trade: Deed = async () => {
    const { items } = await moneta.tokenListings({ token: tokens.points, paytoken: 0 });
    const open = items.filter(({ side }) => side !== "auction");
    if (open.length === 0) {
      return undefined;
    }
    const { dexid, side, seller, buyer, remain_amount } = random.pick(open);
    const some = BigInt(random.integer({ min: 1, max: 6 })) * POINT;
    const amount = remain_amount < some ? remain_amount : some;
    return side === "sell"
      ? somebodyBut(world, seller).mrc010buy({ dexid, amount })
      : somebodyBut(world, buyer).mrc010acceptreqsell({ dexid, amount });
  };
  return [list("mrc010sell"), list("mrc010reqsell"), trade, trade];
}

function someCoins({ random, coins }: World, range: { min: number; max: number }): bigint {
  return coins(String(random.integer(range)));
}

/** In two to five minutes, or as soon as the ledger allows. */
async function auctionEnd({ moneta, random, auctionMin }: World): Promise<number> {
  const seconds = random.integer({ min: 120, max: 300 });
  return (await ledgerTime(moneta)) + Math.max(seconds, auctionMin + 60);
}

/** A customer other than these, such as a seller and the highest bidder. */
function somebodyBut({ people, random }: World, ...addresses: readonly string[]): Actor {
  return random.pick(people.filter(({ address }) => !addresses.includes(address)));
}

/** The start price, or one to three steps above the highest bid. */
function nextBid({ random }: World, auction: RunningAuction): bigint {
  const { auction_start_price, auction_bidding_unit, auction_current_price = 0n } = auction;
  const steps = BigInt(random.integer({ min: 1, max: 3 }));
  return auction_current_price === 0n
    ? auction_start_price
    : auction_current_price + auction_bidding_unit * steps;
}

interface RunningAuction {
  readonly auction_start_price: bigint;
  readonly auction_bidding_unit: bigint;
  readonly auction_current_price: bigint | undefined;
}
