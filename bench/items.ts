import { randomBytes } from "node:crypto";
import type { Requests } from "./load.ts";
import { type Population, type Turn, takeTurns } from "./population.ts";
import { interleave, type Step, takeKeys } from "./rounds.ts";
import { operation, type Payer } from "./wire.ts";

/** Items of a round, all made by one request, and how many are put up by one. */
const SOLD = 80;
const AUCTIONED = 20;
const BATCH = 10;
const SELLS: number = SOLD / BATCH;
const AUCTIONS: number = AUCTIONED / BATCH;

const PRICE = 100;
/** The lowest bid, one above it, and the one that ends the auction. */
const BIDS = { first: 100, second: 110, buyNow: 200 };

interface Round {
  readonly owner: Payer;
  readonly project: string;
  readonly createKey: string;
  /** For every batch, those for sale first. */
  readonly listKeys: readonly string[];
  readonly numbers: readonly string[];
  readonly buys: readonly Turn[];
  readonly auctions: readonly Auction[];
}

/** Two bid for an item, and the first one has it in the end. */
interface Auction {
  readonly winner: Payer;
  readonly firstKey: string;
  readonly lastKey: string;
  readonly other: Turn;
}

const CREATE = 0;
const FIRST_LISTING: number = CREATE + 1;
const FIRST_BUY: number = FIRST_LISTING + SELLS + AUCTIONS;
const FIRST_BID: number = FIRST_BUY + SOLD;

const STEPS: readonly Step<Round>[] = [
  { after: -1, request: create },
  ...Array.from({ length: SELLS + AUCTIONS }, (_, batch) => ({
    after: CREATE,
    request: (round: Round) => list(round, batch),
  })),
  ...Array.from({ length: SOLD }, (_, n) => ({
    after: FIRST_LISTING + Math.floor(n / BATCH),
    request: (round: Round) => {
      const { payer, temporaryKey } = round.buys[n] as Turn;
      const mrc401id = itemId(round, n);
      return operation("mrc401buy", payer, temporaryKey, { mrc401id });
    },
  })),
  ...bids((n) => FIRST_LISTING + SELLS + Math.floor(n / BATCH), BIDS.first, firstBid),
  ...bids(
    (n) => FIRST_BID + n,
    BIDS.second,
    ({ other }) => other,
  ),
  ...bids((n) => FIRST_BID + AUCTIONED + n, BIDS.buyNow, lastBid),
];

/** The part of the requests that make an item change hands. */
export const TRADE_SHARE: number = (SOLD + AUCTIONED) / STEPS.length;

/**
 * At least `count` requests that make items of projects, sell and auction them, buy them and bid
 * for them.
 */
export async function prepareItems(
  population: Population,
  port: number,
  count: number,
): Promise<Requests> {
  return await interleave(
    await takeRounds(port, population, Math.ceil(count / STEPS.length)),
    STEPS,
  );
}

async function takeRounds(
  port: number,
  { traders: { sellers, buyers }, projects }: Population,
  count: number,
): Promise<Round[]> {
  const keys = await takeKeys(port, sellers, count, 1 + SELLS + AUCTIONS);
  const buys = await takeTurns(port, buyers, count * SOLD);
  const auctions = await takeAuctions(port, buyers, count * AUCTIONED);
  return keys.map(([createKey, ...listKeys], n) => ({
    owner: sellers[n % sellers.length] as Payer,
    project: projects[n % sellers.length] as string,
    createKey: createKey as string,
    listKeys,
    numbers: Array.from({ length: SOLD + AUCTIONED }, () => randomBytes(20).toString("hex")),
    buys: buys.slice(n * SOLD, (n + 1) * SOLD),
    auctions: auctions.slice(n * AUCTIONED, (n + 1) * AUCTIONED),
  }));
}

async function takeAuctions(
  port: number,
  bidders: readonly Payer[],
  count: number,
): Promise<Auction[]> {
  const keys = await takeKeys(port, bidders, count, 2);
  const others = await takeTurns(port, [...bidders.slice(1), ...bidders.slice(0, 1)], count);
  return keys.map(([firstKey, lastKey], n) => ({
    winner: bidders[n % bidders.length] as Payer,
    firstKey: firstKey as string,
    lastKey: lastKey as string,
    other: others[n] as Turn,
  }));
}

function create({ owner, project, createKey, numbers }: Round): Promise<Buffer> {
  const items = numbers.map((number) => ({
    item_id: number,
    groupid: "sword",
    initial_reserve: "1",
    initial_token: "0",
    sell_fee: "2.5",
    melt_fee: "2.5",
  }));
  const itemdata = JSON.stringify(items);
  return operation("mrc401create", owner, createKey, { mrc400id: project, itemdata });
}

function list(round: Round, batch: number): Promise<Buffer> {
  const { owner, listKeys } = round;
  const ids = Array.from({ length: BATCH }, (_, n) => itemId(round, batch * BATCH + n));
  const key = listKeys[batch] as string;
  if (batch < SELLS) {
    const items = ids.map((id) => ({ id, price: `${PRICE}`, token: "0" }));
    return operation("mrc401sell", owner, key, { itemdata: JSON.stringify(items) });
  }
  const items = ids.map((id) => ({
    id,
    start: `${BIDS.first}`,
    bidding: `${BIDS.second - BIDS.first}`,
    buynow: `${BIDS.buyNow}`,
    token: "0",
  }));
  return operation("mrc401auction", owner, key, { itemdata: JSON.stringify(items) });
}

function bids(
  after: (n: number) => number,
  amount: number,
  turn: (auction: Auction) => Turn,
): Step<Round>[] {
  return Array.from({ length: AUCTIONED }, (_, n) => ({
    after: after(n),
    request: (round) => {
      const { payer, temporaryKey } = turn(round.auctions[n] as Auction);
      const bid = { mrc401id: itemId(round, SOLD + n), amount: `${amount}`, token: "0" };
      return operation("mrc401bid", payer, temporaryKey, bid);
    },
  }));
}

function firstBid({ winner, firstKey }: Auction): Turn {
  return { payer: winner, temporaryKey: firstKey };
}

function lastBid({ winner, lastKey }: Auction): Turn {
  return { payer: winner, temporaryKey: lastKey };
}

function itemId({ project, numbers }: Round, n: number): string {
  return `${project}_${numbers[n]}`;
}
