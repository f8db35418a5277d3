import { randomBytes } from "node:crypto";
import { derivedId } from "@moneta/ledger";
import { mapInBatches } from "./batches.ts";
import type { Requests } from "./load.ts";
import { type Need, type Population, type Turn, takeTurns } from "./population.ts";
import { ledgerIdOf, operation, type Payer } from "./requests.ts";

interface Round {
  readonly seller: Payer;
  readonly token: string;
  readonly project: string;
  readonly platform: string;
  readonly keys: readonly string[];
  readonly buyers: readonly Turn[];
}

interface Step {
  /** Step of the round whose response must come first, -1 if none. */
  readonly after: number;
  readonly operation: string;
  readonly by: Turn;
  readonly params: Readonly<Record<string, string>>;
  readonly isFull?: boolean;
}

export interface Trade {
  readonly needs?: Need;
  readonly keys: number;
  readonly buyers: number;
  readonly stepsOf: (round: Round) => readonly Step[];
}

const PART = "10";
const PRICE = "10";
const URL_TEXT = "https://bench.example/";

const platformOf = ({ platform }: Round): Readonly<Record<string, string>> => ({
  ...{ platform_name: "Bench", platform_url: URL_TEXT },
  ...{ platform_commission: "2.5", platform_address: platform },
});

const BUYS = 6;

export const MARKET: Trade = {
  ...{ needs: "tokens", keys: 2, buyers: BUYS },
  stepsOf(round) {
    const { seller, token, keys, buyers } = round;
    const dexid = derivedId("DEX010", seller.address, keys[0] as string);
    const listing = { mrc010id: token, amount: String((BUYS + 1) * Number(PART)), price: PRICE };
    return [
      step(-1, "mrc010sell", own(round, 0), { ...listing, token: "0", ...platformOf(round) }),
      ...buyers.map((by, n) => step(n, "mrc010buy", by, { dexid, amount: PART })),
      step(BUYS, "mrc010unsell", own(round, 1), { dexid }),
    ];
  },
};

export const UNIT_ITEMS: Trade = {
  ...{ keys: 4, buyers: BUYS + 1 },
  stepsOf(round) {
    const { seller, platform, keys, buyers } = round;
    const [melter, ...others] = buyers as [Turn, ...Turn[]];
    const [createKey = "", sellKey = ""] = keys;
    const mrc402id = derivedId("MRC402", seller.address, createKey);
    const id = derivedId("DEX402", seller.address, sellKey, "0");
    const given = { mrc402id, toAddr: melter.payer.address, amount: PART };
    return [
      step(-1, "mrc402create", own(round, 0), {
        ...{ name: "Bench", url: URL_TEXT, imageurl: `${URL_TEXT}item.png`, data: "{}" },
        ...{ totalsupply: "100", creatorcommission: "2.5" },
        shareholder: JSON.stringify({ [platform]: "1" }),
        initialreserve: JSON.stringify({ 0: "1" }),
      }),
      step(0, "mrc402sell", own(round, 1), {
        ...{ id: mrc402id, amount: String(BUYS * Number(PART)), price: PRICE, token: "0" },
        ...platformOf(round),
      }),
      step(0, "mrc402transfer", own(round, 2), given),
      step(0, "mrc402mint", own(round, 3), { mrc402id, amount: PART }),
      step(2, "mrc402melt", melter, { mrc402id, amount: PART }),
      ...others.map((by) => step(1, "mrc402buy", by, { id, amount: PART })),
    ];
  },
};

const SOLD = 80;
const AUCTIONED = 20;
const TOGETHER = 10;
const BIDS = ["100", "110", "200"];

export const ITEMS: Trade = {
  needs: "projects",
  keys: 1 + (SOLD + AUCTIONED) / TOGETHER,
  buyers: SOLD + BIDS.length * AUCTIONED,
  stepsOf(round) {
    const { project, keys, buyers } = round;
    const items = numbersOf(SOLD + AUCTIONED).map((item_id) => ({
      ...{ item_id, groupid: "sword", sell_fee: "2.5", melt_fee: "2.5" },
      ...{ initial_reserve: "1", initial_token: "0" },
    }));
    const ids = items.map(({ item_id }) => `${project}_${item_id}`);
    const [start = "", , buynow = ""] = BIDS;
    const listings = keys.slice(1).map((_, batch) => {
      const isSale = batch < SOLD / TOGETHER;
      const terms = isSale ? { price: "100" } : { start, bidding: "10", buynow };
      const elements = ids
        .slice(batch * TOGETHER, (batch + 1) * TOGETHER)
        .map((id) => ({ id, ...terms, token: "0" }));
      const itemdata = JSON.stringify(elements);
      return step(0, isSale ? "mrc401sell" : "mrc401auction", own(round, 1 + batch), { itemdata });
    });
    const listingOf = (item: number): number => 1 + Math.floor(item / TOGETHER);
    const buys = ids
      .slice(0, SOLD)
      .map((mrc401id, n) => step(listingOf(n), "mrc401buy", buyers[n] as Turn, { mrc401id }));
    const bids = BIDS.flatMap((amount, turn) =>
      ids.slice(SOLD).map((mrc401id, n) => {
        const place = turn * AUCTIONED + n;
        const after =
          turn === 0 ? listingOf(SOLD + n) : 1 + listings.length + SOLD + place - AUCTIONED;
        const bid = { mrc401id, amount, token: "0" };
        return step(after, "mrc401bid", buyers[SOLD + place] as Turn, bid);
      }),
    );
    return [create(round, items), ...listings, ...buys, ...bids];
  },
};

const OFFERED = 50;

export const OFFERS: Trade = {
  ...{ needs: "projects", keys: 1 + OFFERED, buyers: OFFERED },
  stepsOf(round) {
    const { project, buyers } = round;
    const items = numbersOf(OFFERED).map((item_id) => ({
      ...{ item_id, groupid: "sword", sell_fee: "2.5" },
    }));
    const end = String(Math.floor(Date.now() / 1000) + 86_400);
    const offers = items.map(({ item_id }, n) => {
      const terms = { id: `${project}_${item_id}`, price: "100", token: "0", end };
      return { ...step(0, "mrc401offer", buyers[n] as Turn, terms), isFull: true };
    });
    const acceptances = buyers.map(({ payer, temporaryKey }, n) => {
      const offerid = derivedId("OFF401", payer.address, temporaryKey);
      const by = own(round, 1 + n);
      return { ...step(1 + n, "mrc401acceptoffer", by, { offerid }), isFull: true };
    });
    return [create(round, items), ...offers, ...acceptances];
  },
};

function step(after: number, operation: string, by: Turn, params: Step["params"]): Step {
  return { after, operation, by, params };
}

function own({ seller, keys }: Round, key: number): Turn {
  return { payer: seller, temporaryKey: keys[key] as string };
}

function create(round: Round, items: readonly object[]): Step {
  const params = { mrc400id: round.project, itemdata: JSON.stringify(items) };
  return step(-1, "mrc401create", own(round, 0), params);
}

function numbersOf(count: number): readonly string[] {
  return Array.from({ length: count }, () => randomBytes(20).toString("hex"));
}

export async function prepareTrade(
  { keys: keyCount, buyers: buyerCount, stepsOf }: Trade,
  { traders: { sellers, buyers, platform }, tokens, projects }: Population,
  port: number,
  count: number,
): Promise<Requests> {
  const ledgerId = await ledgerIdOf(port);
  const roundOf = (n: number, keys: readonly string[], turns: readonly Turn[]): Round => ({
    seller: sellers[n % sellers.length] as Payer,
    token: tokens[n % sellers.length] ?? "",
    project: projects[n % sellers.length] ?? "",
    ...{ platform, keys, buyers: turns },
  });
  const unsigned = { payer: sellers[0] as Payer, temporaryKey: "" };
  const some = roundOf(0, Array(keyCount).fill(""), Array(buyerCount).fill(unsigned));
  const rounds = Math.ceil(count / stepsOf(some).length);
  const own = await takeTurns(
    port,
    sellers,
    Math.ceil(rounds / sellers.length) * sellers.length * keyCount,
  );
  const turns = await takeTurns(port, buyers, rounds * buyerCount);
  const all = Array.from({ length: rounds }, (_, n) => {
    const first = Math.floor(n / sellers.length) * keyCount * sellers.length + (n % sellers.length);
    const keys = Array.from(
      { length: keyCount },
      (_each, key) => own[first + key * sellers.length]?.temporaryKey as string,
    );
    return roundOf(n, keys, turns.slice(n * buyerCount, (n + 1) * buyerCount));
  });
  return await interleave(
    all.map((round) => stepsOf(round)),
    ledgerId,
  );
}

/** Least distance of a request from its predecessor: connections do not wait for each other. */
const APART = 512;

async function interleave(
  rounds: readonly (readonly Step[])[],
  ledgerId: string,
): Promise<Requests> {
  const abreast = Math.ceil(APART / (rounds[0]?.length ?? 1));
  const order = rounds
    .flatMap((steps, n) => {
      const depths: number[] = [];
      return steps.map((one, index) => {
        const depth = one.after === -1 ? 0 : (depths[one.after] as number) + 1;
        depths.push(depth);
        const first = n * steps.length;
        return { one, depth, wave: Math.floor(n / abreast) + depth, first, index };
      });
    })
    .sort((a, b) => a.wave - b.wave || a.depth - b.depth);
  const places: number[] = [];
  for (const [place, { first, index }] of order.entries()) {
    places[first + index] = place;
  }
  return {
    requests: await mapInBatches(order, ({ one: { operation: name, by, params, isFull } }) =>
      operation(name, by.payer, by.temporaryKey, params, isFull ? { ledgerId } : {}),
    ),
    after: order.map(({ one: { after }, first }) =>
      after === -1 ? -1 : (places[first + after] as number),
    ),
  };
}
