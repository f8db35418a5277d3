import { derivedId } from "@moneta/ledger";
import type { Requests } from "./load.ts";
import { PLATFORM } from "./market.ts";
import { type Population, type Turn, takeTurns } from "./population.ts";
import { interleave, type Step, takeKeys } from "./rounds.ts";
import { operation, type Payer } from "./wire.ts";

const BUYS = 6;
/** Units that are bought, transferred or minted at once, and the price of one. */
const PART = 10;
const PRICE = 10;
/** Units of a new item, and what each has of the native coin in it. */
const UNITS = 100;
const RESERVE = 1;
const URL_TEXT = "https://bench.example/";

/** An item to be: who makes it, who buys, and who is given some of it and melts them. */
interface Round {
  readonly creator: Payer;
  readonly platform: string;
  readonly createKey: string;
  readonly sellKey: string;
  readonly transferKey: string;
  readonly mintKey: string;
  readonly buys: readonly Turn[];
  readonly melt: Turn;
}

const CREATE = 0;
const SELL = 1;
const TRANSFER = 2;

const STEPS: readonly Step<Round>[] = [
  {
    after: -1,
    request: ({ creator, platform, createKey }) =>
      operation("mrc402create", creator, createKey, {
        ...{ name: "Bench", url: URL_TEXT, imageurl: `${URL_TEXT}item.png`, data: "{}" },
        ...{ totalsupply: `${UNITS}`, creatorcommission: "2.5" },
        shareholder: JSON.stringify({ [platform]: "1" }),
        initialreserve: JSON.stringify({ 0: `${RESERVE}` }),
      }),
  },
  {
    after: CREATE,
    request: (round) =>
      operation("mrc402sell", round.creator, round.sellKey, {
        ...{ id: itemOf(round), amount: `${BUYS * PART}`, price: `${PRICE}`, token: "0" },
        ...PLATFORM,
        platform_address: round.platform,
      }),
  },
  {
    after: CREATE,
    request: (round) => {
      const given = {
        mrc402id: itemOf(round),
        toAddr: round.melt.payer.address,
        amount: `${PART}`,
      };
      return operation("mrc402transfer", round.creator, round.transferKey, given);
    },
  },
  {
    after: CREATE,
    request: (round) =>
      operation("mrc402mint", round.creator, round.mintKey, {
        mrc402id: itemOf(round),
        amount: `${PART}`,
      }),
  },
  {
    after: TRANSFER,
    request: (round) => {
      const { payer, temporaryKey } = round.melt;
      const melted = { mrc402id: itemOf(round), amount: `${PART}` };
      return operation("mrc402melt", payer, temporaryKey, melted);
    },
  },
  ...Array.from({ length: BUYS }, (_, n) => ({
    after: SELL,
    request: ({ creator, sellKey, buys }: Round) => {
      const { payer, temporaryKey } = buys[n] as Turn;
      const id = derivedId("DEX402", creator.address, sellKey, "0");
      return operation("mrc402buy", payer, temporaryKey, { id, amount: `${PART}` });
    },
  })),
];

export const UNITS_MOVED_SHARE: number = (BUYS + 1) / STEPS.length;

/**
 * At least `count` requests that make items of many units, sell, buy, transfer, mint and melt them.
 */
export async function prepareUnitItems(
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
  { traders: { sellers, buyers, platform } }: Population,
  count: number,
): Promise<Round[]> {
  const keys = await takeKeys(port, sellers, count, 4);
  const buys = await takeTurns(port, buyers, count * BUYS);
  const melts = await takeTurns(port, buyers, count);
  return keys.map(([createKey, sellKey, transferKey, mintKey], n) => ({
    creator: sellers[n % sellers.length] as Payer,
    platform,
    createKey: createKey as string,
    sellKey: sellKey as string,
    transferKey: transferKey as string,
    mintKey: mintKey as string,
    buys: buys.slice(n * BUYS, (n + 1) * BUYS),
    melt: melts[n] as Turn,
  }));
}

function itemOf({ creator, createKey }: Round): string {
  return derivedId("MRC402", creator.address, createKey);
}
