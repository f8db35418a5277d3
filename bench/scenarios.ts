import { mapInBatches } from "./batches.ts";
import { callOf } from "./callers.ts";
import type { Curve } from "./curves.ts";
import { prepareItems, TRADE_SHARE } from "./items.ts";
import { chunkOf } from "./line-stream.ts";
import { answers, type Requests } from "./load.ts";
import { BUY_SHARE, prepareMarket } from "./market.ts";
import { ACCEPTED_SHARE, prepareOffers } from "./offers.ts";
import { prepareOrders, REQUEST_SHARE } from "./orders.ts";
import { type Need, type Population, type Turn, takeTurns } from "./population.ts";
import { below, pick } from "./random.ts";
import {
  batchOf,
  bundledPayments,
  bundleOf,
  getBalance,
  getTemporaryKey,
  multitransfer,
  type Payment,
  payAround,
  type Side,
  transfer,
  transferText,
} from "./requests.ts";
import { prepareUnitItems, UNITS_MOVED_SHARE } from "./unit-items.ts";
import { get, type Payer } from "./wire.ts";

export interface Scenario {
  readonly name: string;
  /**
   * What is signed with, and so what the machine's raw rate is measured with; reads verify nothing.
   */
  readonly curve?: Curve;
  readonly signed: number;
  readonly recipients: number;
  /** Connections instead of so many; as many if it is not there. */
  readonly connectionsOf?: (connections: number) => number;
  /**
   * More operations per second than we expect: how many requests the warm-up needs before anything
   * is known.
   */
  readonly perSecondMax: number;
  /** Whether latency is measured at half of the top rate too. */
  readonly hasHalfRate: boolean;
  /** What the population has to have beside those who pay and are paid. */
  readonly needs?: Need;
  /** Event streams that are open meanwhile, each on the address of one payee. */
  readonly streams?: number;
  /** The scenario of which the rate is to be compared with this one's. */
  readonly comparedWith?: string;
  /** Makes `count` requests or a few more, each of which serves once. */
  readonly prepare: (population: Population, port: number, count: number) => Promise<Requests>;
}

const BATCH = 100;
const CALLERS = 256;
/** Streams of operations, as many as one client may have. */
const STREAMS = 4;

export const transfersP256: Scenario = transfers("p256", {
  perSecondMax: 20_000,
  hasHalfRate: true,
});

export const SCENARIOS: readonly Scenario[] = [
  transfersP256,
  {
    ...transfersP256,
    name: "streams",
    hasHalfRate: false,
    comparedWith: transfersP256.name,
    streams: 2_000,
    // To those only whose streams are open, so that every transfer is told of.
    prepare: (population, port, count) =>
      transfersP256.prepare(
        { ...population, payees: population.payees.slice(0, 2_000) },
        port,
        count,
      ),
  },
  trade("market", { recipients: BUY_SHARE, needs: "tokens", prepare: prepareMarket }),
  trade("orders", { recipients: REQUEST_SHARE, needs: "tokens", prepare: prepareOrders }),
  trade("items", { recipients: TRADE_SHARE, needs: "projects", prepare: prepareItems }),
  trade("offers", { recipients: ACCEPTED_SHARE, needs: "projects", prepare: prepareOffers }),
  trade("mrc402", { recipients: UNITS_MOVED_SHARE, prepare: prepareUnitItems }),
  transfers("p384", { perSecondMax: 4_000, hasHalfRate: true }),
  transfers("p521", { perSecondMax: 2_000, hasHalfRate: false }),
  batches("p256", 20_000),
  batches("p384", 4_000),
  bundles("p256"),
  bundles("p384"),
  {
    ...transfersP256,
    name: "pipeline",
    signed: 1 / CALLERS,
    connectionsOf: () => CALLERS,
    perSecondMax: 40_000,
    hasHalfRate: false,
    comparedWith: transfersP256.name,
    // One program with one address, which can pay the least amount only that often.
    prepare: async ({ payers, payees }, _port, count) => ({
      requests: Array.from({ length: count }, () => callOf({ address: pick(payees), amount: 1 })),
      payer: payers.p256[0] as Payer,
    }),
  },
  {
    ...transfersP256,
    name: "batch-stream",
    hasHalfRate: false,
    comparedWith: transfersP256.name,
    prepare: async (population, port, count) => ({
      requests: (await transferTexts("p256", population, port, count)).map(chunkOf),
      streams: STREAMS,
    }),
  },
  {
    ...transfersP256,
    name: "group-swap",
    hasHalfRate: false,
    comparedWith: transfersP256.name,
    prepare: prepareSwaps,
  },
  {
    name: "multitransfer",
    curve: "p256",
    signed: 1,
    recipients: 100,
    perSecondMax: 1_500,
    hasHalfRate: false,
    prepare: async (population, port, count) => ({
      requests: await mapInBatches(
        await takeTurns(port, population.payers.p256, count),
        async (turn) => await payMany(turn, population, 100),
      ),
    }),
  },
  reads("nonce", getTemporaryKey),
  reads("balance", getBalance),
];

/** Whether a scenario writes, and needs nothing that only a single node is given. */
export function runsOnCluster({ signed, needs, streams }: Scenario): boolean {
  return signed > 0 && needs === undefined && streams === undefined;
}

function transfers(
  curve: Curve,
  expected: Pick<Scenario, "perSecondMax" | "hasHalfRate">,
): Scenario {
  return {
    name: `transfer-${curve}`,
    curve,
    signed: 1,
    recipients: 1,
    ...expected,
    prepare: async (population, port, count) => ({
      requests: await mapInBatches(
        await takeTurns(port, population.payers[curve], count),
        async (turn) => await payOne(turn, population),
      ),
    }),
  };
}

/**
 * Has each payer of a curve sign once: the native verifier's first verdict on a key is compared with
 * the platform's, which is no part of what a key costs later. Returns how many transfers that took.
 */
export async function signOnce(
  { curve }: Pick<Scenario, "curve">,
  population: Population,
  port: number,
): Promise<number> {
  const payers = curve === undefined ? [] : population.payers[curve];
  const turns = await takeTurns(port, payers, payers.length);
  await answers(port, await mapInBatches(turns, async (turn) => await payOne(turn, population)));
  return turns.length;
}

/** Transfers in batches, or as many more as make the last one whole. */
function batches(curve: Curve, perSecondMax: number): Scenario {
  return {
    name: `batch-${curve}`,
    curve,
    signed: 1,
    recipients: 1,
    perSecondMax,
    // A node has 64 operations of each under way: with as many as for single requests there would
    // be 25,600 transfers, and a measurement would see two rounds of them.
    connectionsOf: (connections) => Math.max(4, Math.ceil(connections / 32)),
    hasHalfRate: false,
    comparedWith: `transfer-${curve}`,
    prepare: async (population, port, count) => {
      const whole = Math.ceil(count / BATCH) * BATCH;
      const texts = await transferTexts(curve, population, port, whole);
      const requests = Array.from({ length: whole / BATCH }, (_, n) =>
        batchOf(texts.slice(n * BATCH, (n + 1) * BATCH)),
      );
      return { requests, operationsEach: BATCH };
    },
  };
}

/** Transfers in bundles of one payer each, or as many more as make the last one whole. */
function bundles(curve: Curve): Scenario {
  return {
    ...batches(curve, 60_000),
    name: `bundle-${curve}`,
    signed: 1 / BATCH,
    prepare: async (population, port, count) => {
      const ledgerId = await ledgerIdOf(port);
      const turns = await takeTurns(port, population.payers[curve], Math.ceil(count / BATCH));
      const requests = await mapInBatches(turns, async ({ payer, temporaryKey }) => {
        const payments = Array.from({ length: BATCH }, () => somePayment(population.payees));
        const operations = bundledPayments(payer, payments);
        return await bundleOf(payer, temporaryKey, operations, ledgerId);
      });
      return { requests, operationsEach: BATCH };
    },
  };
}

/** Payments in pairs of two payers who swap, so that figures are of a payment. */
async function prepareSwaps(
  { payers }: Population,
  port: number,
  count: number,
): Promise<Requests> {
  const ledgerId = await ledgerIdOf(port);
  const turns = await takeTurns(port, payers.p256, 2 * Math.ceil(count / 2));
  const sides = turns.map((turn) => ({ ...turn, amount: someAmount() }));
  const pairs = sides.flatMap((one, n) =>
    n % 2 === 0 ? [[one, sides[n + 1] as Side] as const] : [],
  );
  return {
    requests: await mapInBatches(pairs, async (pair) => await payAround(pair, { ledgerId })),
    operationsEach: 2,
  };
}

export async function ledgerIdOf(port: number): Promise<string> {
  const [body] = await answers(port, [get("/")]);
  return (JSON.parse(body as string) as { readonly ledger_id: string }).ledger_id;
}

async function transferTexts(
  curve: Curve,
  population: Population,
  port: number,
  count: number,
): Promise<readonly string[]> {
  const turns = await takeTurns(port, population.payers[curve], count);
  return await mapInBatches(turns, async ({ payer, temporaryKey }) =>
    transferText(payer, temporaryKey, somePayment(population.payees)),
  );
}

function trade(
  name: string,
  particulars: Pick<Scenario, "recipients" | "needs" | "prepare">,
): Scenario {
  return {
    name,
    curve: "p256",
    signed: 1,
    perSecondMax: 20_000,
    hasHalfRate: false,
    comparedWith: transfersP256.name,
    ...particulars,
  };
}

function reads(name: string, request: (address: string) => Buffer): Scenario {
  return {
    name,
    signed: 0,
    recipients: 0,
    perSecondMax: 30_000,
    hasHalfRate: false,
    prepare: async ({ payees }, _, count) => ({
      requests: Array.from({ length: count }, () => request(pick(payees))),
    }),
  };
}

async function payOne({ payer, temporaryKey }: Turn, { payees }: Population): Promise<Buffer> {
  return await transfer(payer, temporaryKey, somePayment(payees));
}

async function payMany(
  { payer, temporaryKey }: Turn,
  { payees }: Population,
  recipients: number,
): Promise<Buffer> {
  const payments = Array.from({ length: recipients }, () => somePayment(payees));
  return await multitransfer(payer, temporaryKey, payments);
}

function somePayment(payees: readonly string[]): Payment {
  return { address: pick(payees), amount: someAmount() };
}

function someAmount(): number {
  return 1 + below(999);
}
