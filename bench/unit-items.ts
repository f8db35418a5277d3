import type { Requests } from "./load.ts";
import { type Population, type Turn, takeTurns } from "./population.ts";
import { interleave, type Step, takeKeys } from "./rounds.ts";
import {
  buyUnits,
  createUnits,
  meltUnits,
  mintUnits,
  sellUnits,
  transferUnits,
  unitItemId,
  unitListingId,
} from "./unit-item-requests.ts";
import type { Payer } from "./wire.ts";

const BUYS = 6;
/** Units that are bought, transferred or minted at once, and the price of one. */
const PART = 10;
const PRICE = 10;
/** Units of a new item, and what each has of the native coin in it. */
const UNITS = 100;
const RESERVE = 1;

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
      createUnits(creator, createKey, { units: UNITS, reserve: RESERVE, shareholder: platform }),
  },
  {
    after: CREATE,
    request: (round) =>
      sellUnits(round.creator, round.sellKey, {
        item: itemOf(round),
        amount: BUYS * PART,
        price: PRICE,
        platform: round.platform,
      }),
  },
  {
    after: CREATE,
    request: (round) => {
      const to = { address: round.melt.payer.address, amount: PART };
      return transferUnits(round.creator, round.transferKey, itemOf(round), to);
    },
  },
  {
    after: CREATE,
    request: (round) => mintUnits(round.creator, round.mintKey, itemOf(round), PART),
  },
  {
    after: TRANSFER,
    request: (round) => {
      const { payer, temporaryKey } = round.melt;
      return meltUnits(payer, temporaryKey, itemOf(round), PART);
    },
  },
  ...Array.from({ length: BUYS }, (_, n) => ({
    after: SELL,
    request: ({ creator, sellKey, buys }: Round) => {
      const { payer, temporaryKey } = buys[n] as Turn;
      return buyUnits(payer, temporaryKey, unitListingId(creator, sellKey), PART);
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
  return unitItemId(creator, createKey);
}
