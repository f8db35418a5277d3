import { derivedId } from "@moneta/ledger";
import type { Requests } from "./load.ts";
import { type Population, type Turn, takeTurns } from "./population.ts";
import { interleave, type Step, takeKeys } from "./rounds.ts";
import { operation, type Payer } from "./wire.ts";

const BUYS = 6;
/** Units of a token that are bought at once, and the price of one. */
const PART = 10;
const PRICE = 10;

/** What every sale says of the platform that gets a part of what is paid. */
export const PLATFORM = {
  platform_name: "Bench",
  platform_url: "https://bench.example/",
  platform_commission: "2.5",
} as const;

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
      operation("mrc010sell", seller, sellKey, {
        ...{ mrc010id: token, amount: `${(BUYS + 1) * PART}`, price: `${PRICE}`, token: "0" },
        ...PLATFORM,
        platform_address: platform,
      }),
  },
  ...Array.from({ length: BUYS }, (_, n) => ({
    after: n,
    request: ({ seller, sellKey, buys }: Sale) => {
      const { payer, temporaryKey } = buys[n] as Turn;
      const dexid = derivedId("DEX010", seller.address, sellKey);
      return operation("mrc010buy", payer, temporaryKey, { dexid, amount: `${PART}` });
    },
  })),
  {
    after: BUYS,
    request: ({ seller, sellKey, unsellKey }) =>
      operation("mrc010unsell", seller, unsellKey, {
        dexid: derivedId("DEX010", seller.address, sellKey),
      }),
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
