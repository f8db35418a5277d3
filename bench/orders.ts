import type { Requests } from "./load.ts";
import { type Population, type Turn, takeTurns } from "./population.ts";
import { interleave, type Step, takeKeys } from "./rounds.ts";
import { operation, type Payer } from "./wire.ts";

const REQUESTS = 6;
/** Units of a token that are bought at once, and the price of one. */
const PART = 10;
const PRICE = 10;

/** An order to be: who sells and who buys. */
interface Round {
  readonly seller: Payer;
  readonly token: string;
  readonly orderKey: string;
  readonly requests: readonly Turn[];
}

/**
 * A sale that waits, and purchases of as much in all: each takes the first order in line, so that
 * none finds too little.
 */
const STEPS: readonly Step<Round>[] = [
  {
    after: -1,
    request: ({ seller, token, orderKey }) =>
      operation("mrc040create", seller, orderKey, {
        ...{ side: "SELL", basetoken: "0", targettoken: token },
        ...{ price: `${PRICE}`, qtt: `${REQUESTS * PART}` },
      }),
  },
  ...Array.from({ length: REQUESTS }, (_, n) => ({
    after: n,
    request: ({ token, requests }: Round) => {
      const { payer, temporaryKey } = requests[n] as Turn;
      return operation("mrc040request", payer, temporaryKey, {
        ...{ side: "BUY", basetoken: "0", targettoken: token },
        ...{ price: `${PRICE}`, qtt: `${PART}`, minqtt: "1" },
      });
    },
  })),
];

export const REQUEST_SHARE: number = REQUESTS / STEPS.length;

/** At least `count` requests that register orders for coins, and trade with them. */
export async function prepareOrders(
  { traders: { sellers, buyers }, tokens }: Population,
  port: number,
  count: number,
): Promise<Requests> {
  const rounds = Math.ceil(count / STEPS.length);
  const keys = await takeKeys(port, sellers, rounds, 1);
  const turns = await takeTurns(port, buyers, rounds * REQUESTS);
  const all = keys.map(([orderKey], n) => ({
    seller: sellers[n % sellers.length] as Payer,
    token: tokens[n % sellers.length] as string,
    orderKey: orderKey as string,
    requests: turns.slice(n * REQUESTS, (n + 1) * REQUESTS),
  }));
  return await interleave(all, STEPS);
}
