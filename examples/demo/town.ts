import { setTimeout as delay } from "node:timers/promises";
import { type Actor, type Moneta, ProblemError, parseDecimal, SigningKey } from "@moneta/sdk";
import { SeededRandom } from "../../packages/node/testing/seeded-random.ts";

/** The inhabitants. Each name is the memo of an address. */
export const NAMES = {
  shop: "Bean & Leaf, coffee and tea",
  hall: "Lantern Hall, concerts",
  studio: "Northlight Games",
  market: "Harbour Market",
  artist: "Iris Vale, illustrator",
  partner: "Osman Kaya, level design",
  ada: "Ada Brooks",
  ben: "Ben Okafor",
  chiara: "Chiara Rossi",
  daeun: "김다은",
  emre: "Emre Aydın",
  fatima: "فاطمة الزهراء",
  goran: "Goran Petrović",
  hana: "佐藤 花",
} as const;

export type Cast = Readonly<Record<keyof typeof NAMES, Actor>>;

export interface Town {
  readonly moneta: Moneta;
  readonly cast: Cast;
  /** The customers among the cast. */
  readonly people: readonly Actor[];
  /** Chooses actors and actions; a seed repeats the choices. */
  readonly random: SeededRandom;
  readonly tell: (line: string) => void;
  /** Converts whole coins to the smallest unit: `coins("1.5")`. */
  readonly coins: (text: string) => bigint;
  /** The shortest auction that this ledger allows, seconds. */
  readonly auctionMin: number;
  /** How long auctions last that end soon: time enough for a few bids on this machine. */
  readonly soonSeconds: number;
  /** How long auctions last that run when the world is shown. */
  readonly runningSeconds: number;
}

/** Creates everybody's address and gets coins from the faucet. Refuses a production deployment. */
export async function openTown(
  moneta: Moneta,
  { seed, tell }: { readonly seed: number; readonly tell: Town["tell"] },
): Promise<Town> {
  const { deployment, coin } = await moneta.service();
  if (deployment !== "test") {
    throw new Error(
      `${moneta.url} is a ${deployment} deployment: the demonstration writes to test deployments only`,
    );
  }
  const coins = (text: string): bigint => parseDecimal(text, coin.decimal);
  const begunMs = performance.now();
  const entries = await Promise.all(
    Object.entries(NAMES).map(async ([role, addinfo]) => {
      const actor = await moneta.createAddress(await SigningKey.generate(), { addinfo });
      await moneta.faucet({ address: actor.address, amount: coins("1000") });
      return [role, actor] as const;
    }),
  );
  const openedSeconds = Math.ceil((performance.now() - begunMs) / 1000);
  const cast = Object.fromEntries(entries) as Cast;
  const { ada, ben, chiara, daeun, emre, fatima, goran, hana } = cast;
  const { operations } = await moneta.blockRaw({ block: "0" });
  const auctionMin = Number(operations[0]?.params["auctionMin"]);
  const soonSeconds = Math.max(auctionMin, SOON_SECONDS, AUCTION_TIMES_OPENING * openedSeconds);
  tell(`${entries.length} addresses with coins from the faucet`);
  return {
    moneta,
    cast,
    tell,
    people: [ada, ben, chiara, daeun, emre, fatima, goran, hana],
    random: new SeededRandom(seed),
    coins,
    auctionMin,
    soonSeconds,
    runningSeconds: soonSeconds + HALF_AN_HOUR,
  };
}

/** The time of the newest block, Unix seconds: a node's clock may differ from ours. */
export async function ledgerTime(moneta: Moneta): Promise<number> {
  const { items } = await moneta.blocks({ limit: 1 });
  return items[0]?.timestamp ?? 0;
}

/** How long the shortest auctions of the town last, unless the machine is too busy for that. */
export const SOON_SECONDS = 6;
const HALF_AN_HOUR = 1800;
/** An auction with its bids takes hardly longer than opening the town, on any machine. */
const AUCTION_TIMES_OPENING = 3;

/** An end that is no longer ahead, and an auction that is over, settled or gone. */
const TOO_LATE: ReadonlySet<string> = new Set(["1102", "7202", "7102", "7106"]);
/** The longest that a reader waits for an end. */
const SOON_SECONDS_MAX = 96;

/**
 * Does something that ends `soonSeconds` of the ledger later. On a busy machine it may be over
 * before it is done: then all of it is done anew, with twice the time.
 */
export async function endingSoon<T>(
  { moneta, soonSeconds }: Pick<Town, "moneta" | "soonSeconds">,
  act: (end: number) => Promise<T>,
): Promise<T> {
  for (let seconds = soonSeconds; ; seconds *= 2) {
    try {
      return await act((await ledgerTime(moneta)) + seconds);
    } catch (error) {
      const isTooLate = error instanceof ProblemError && TOO_LATE.has(error.code);
      if (!isTooLate || seconds >= SOON_SECONDS_MAX) {
        throw error;
      }
    }
  }
}

export function pickTwo<T>(random: SeededRandom, all: readonly T[]): [T, T] {
  const first = random.pick(all);
  return [first, random.pick(all.filter((one) => one !== first))];
}

const CLOSE_WITHIN_MS = 300_000;
const CLOSE_RETRY_MS = 250;

/** Closes an auction, or opens a sealed text, once it is due, unless another actor has done so. */
export async function onceDue(act: () => Promise<unknown>): Promise<void> {
  for (let waited = 0; waited < CLOSE_WITHIN_MS; waited += CLOSE_RETRY_MS) {
    try {
      await act();
      return;
    } catch (error) {
      if (!(error instanceof ProblemError)) {
        throw error;
      }
      if (error.code !== "7201" && error.code !== "7205") {
        return; // it is done already: 7102, 7106 or 7113
      }
    }
    await delay(CLOSE_RETRY_MS);
  }
  throw new Error(`it is still too early after ${CLOSE_WITHIN_MS / 1000} s`);
}
