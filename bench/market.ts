import type { Requests } from "./load.ts";
import { type Population, type Turn, takeTurns } from "./population.ts";
import { buy, listingId, sell, unsell } from "./requests.ts";
import { interleave, type Step, takeKeys } from "./rounds.ts";
import type { Payer } from "./wire.ts";

const BUYS = 6;
/** Units of a token that are bought at once, and the price of one. */
const PART = 10;
const PRICE = 10;

/** A listing to be: who sells and who buys. */
interface Sale {
  readonly seller: Payer;
  readonly token: string;
  readonly platform: string;
  readonly sellKey: string;
  readonly unsellKey: string;
  readonly buys: readonly Turn[];
}

/**
 * What becomes of a listing: it is put up, parts of it are bought, and the last part is taken back.
 */
const STEPS: readonly Step<Sale>[] = [
  {
    after: -1,
    request: ({ seller, token, platform, sellKey }) =>
      sell(seller, sellKey, { token, amount: (BUYS + 1) * PART, price: PRICE, platform }),
  },
  ...Array.from({ length: BUYS }, (_, n) => ({
    after: n,
    request: ({ seller, sellKey, buys }: Sale) => {
      const { payer, temporaryKey } = buys[n] as Turn;
      return buy(payer, temporaryKey, listingId(seller, sellKey), PART);
    },
  })),
  {
    after: BUYS,
    request: ({ seller, sellKey, unsellKey }) =>
      unsell(seller, unsellKey, listingId(seller, sellKey)),
  },
];

export const BUY_SHARE: number = BUYS / STEPS.length;

/**
 * At least `count` requests that put tokens up for sale, buy parts of them, and take the rest back.
 */
export async function prepareMarket(
  population: Population,
  port: number,
  count: number,
): Promise<Requests> {
  return await interleave(
    await takeSales(port, population, Math.ceil(count / STEPS.length)),
    STEPS,
  );
}

async function takeSales(
  port: number,
  { traders: { sellers, buyers, platform }, tokens }: Population,
  count: number,
): Promise<Sale[]> {
  const keys = await takeKeys(port, sellers, count, 2);
  const buys = await takeTurns(port, buyers, count * BUYS);
  return keys.map(([sellKey, unsellKey], n) => ({
    seller: sellers[n % sellers.length] as Payer,
    token: tokens[n % sellers.length] as string,
    platform,
    sellKey: sellKey as string,
    unsellKey: unsellKey as string,
    buys: buys.slice(n * BUYS, (n + 1) * BUYS),
  }));
}
