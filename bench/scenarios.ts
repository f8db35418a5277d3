import { mapInBatches } from "./batches.ts";
import { callOf } from "./callers.ts";
import type { Curve } from "./curves.ts";
import { answers, type Requests } from "./load.ts";
import { type Need, type Population, type Turn, takeTurns } from "./population.ts";
import { below, pick } from "./random.ts";
import {
  batchOf,
  bundledPayments,
  bundleOf,
  get,
  ledgerIdOf,
  multitransfer,
  type Payer,
  type Payment,
  transfer,
  transferText,
} from "./requests.ts";
import { ITEMS, MARKET, OFFERS, prepareTrade, type Trade, UNIT_ITEMS } from "./rounds.ts";

export interface Scenario {
  readonly name: string;
  /** The curve of the signatures; absent from reads. */
  readonly curve?: Curve;
  /** Connections instead of so many; as many if it is not there. */
  readonly connectionsOf?: (connections: number) => number;
  /** More operations per second than expected: the number of requests for the warm-up. */
  readonly perSecondMax: number;
  /** Whether latency is measured at half of the top rate too. */
  readonly hasHalfRate: boolean;
  /** Requirements besides payers and payees. */
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
    // Only to payees with open streams, so that every transfer is sent to one.
    prepare: (population, port, count) =>
      transfersP256.prepare(
        { ...population, payees: population.payees.slice(0, 2_000) },
        port,
        count,
      ),
  },
  trade("market", MARKET),
  trade("items", ITEMS),
  trade("offers", OFFERS),
  trade("mrc402", UNIT_ITEMS),
  transfers("p384", { perSecondMax: 4_000, hasHalfRate: true }),
  transfers("p521", { perSecondMax: 2_000, hasHalfRate: false }),
  batches("p256", 20_000),
  batches("p384", 4_000),
  bundles("p256"),
  bundles("p384"),
  {
    ...transfersP256,
    name: "pipeline",
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
    name: "multitransfer",
    perSecondMax: 60_000,
    hasHalfRate: false,
    prepare: async (population, port, count) => ({
      ...(await eachTurn("p256", population, port, Math.ceil(count / BATCH), (turn) =>
        multitransfer(turn.payer, turn.temporaryKey, somePayments(population)),
      )),
      operationsEach: BATCH,
    }),
  },
  reads("nonce", (address) => `/nonce/${address}`),
  reads("balance", (address) => `/balance/${address}`),
  reads("balance-height", (address, { height }) => `/balance/${address}?height=${height}`),
  reads("balance-time", (address, { time }) => `/balance/${address}?at=${time}`),
  reads("history", (address) => `/address/${address}/transactions`),
];

/** Whether a scenario writes, and needs nothing that only a single node is given. */
export function runsOnCluster({ curve, needs, streams }: Scenario): boolean {
  return curve !== undefined && needs === undefined && streams === undefined;
}

function transfers(
  curve: Curve,
  expected: Pick<Scenario, "perSecondMax" | "hasHalfRate">,
): Scenario {
  return {
    name: `transfer-${curve}`,
    curve,
    ...expected,
    prepare: (population, port, count) =>
      eachTurn(curve, population, port, count, ({ payer, temporaryKey }) =>
        transfer(payer, temporaryKey, somePayment(population.payees)),
      ),
  };
}

/** A request for each of `count` turns of the payers of a curve. */
async function eachTurn(
  curve: Curve,
  { payers }: Population,
  port: number,
  count: number,
  request: Parameters<typeof mapInBatches<Turn, Buffer>>[1],
): Promise<Requests> {
  const turns = await takeTurns(port, payers[curve], count);
  return { requests: await mapInBatches(turns, request) };
}

/**
 * Has each payer of a curve sign once: the native verifier's first verdict on a key is compared
 * with the platform's, a cost that later ones do not have. Returns the number of transfers.
 */
export async function signOnce(
  { curve }: Pick<Scenario, "curve">,
  population: Population,
  port: number,
): Promise<number> {
  if (curve === undefined) {
    return 0;
  }
  const count = population.payers[curve].length;
  const { requests } = await transfers(curve, { perSecondMax: 0, hasHalfRate: false }).prepare(
    population,
    port,
    count,
  );
  await answers(port, requests);
  return count;
}

/** Transfers in batches, or as many more as make the last one whole. */
function batches(curve: Curve, perSecondMax: number): Scenario {
  return {
    name: `batch-${curve}`,
    curve,
    perSecondMax,
    // A node has 64 operations of each under way: with as many as for single requests there would
    // be 25,600 transfers, and a measurement would see two rounds of them.
    connectionsOf: (connections) => Math.max(4, Math.ceil(connections / 32)),
    hasHalfRate: false,
    comparedWith: `transfer-${curve}`,
    prepare: async (population, port, count) => {
      const whole = Math.ceil(count / BATCH) * BATCH;
      const turns = await takeTurns(port, population.payers[curve], whole);
      const texts = await mapInBatches(turns, ({ payer, temporaryKey }) =>
        transferText(payer, temporaryKey, somePayment(population.payees)),
      );
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
    prepare: async (population, port, count) => {
      const ledgerId = await ledgerIdOf(port);
      const turns = await takeTurns(port, population.payers[curve], Math.ceil(count / BATCH));
      const requests = await mapInBatches(turns, async ({ payer, temporaryKey }) => {
        const operations = bundledPayments(payer, somePayments(population));
        return await bundleOf(payer, temporaryKey, operations, ledgerId);
      });
      return { requests, operationsEach: BATCH };
    },
  };
}

function trade(name: string, terms: Trade): Scenario {
  return {
    ...{ name, curve: "p256", perSecondMax: 20_000, hasHalfRate: false },
    comparedWith: transfersP256.name,
    ...(terms.needs && { needs: terms.needs }),
    prepare: (population, port, count) => prepareTrade(terms, population, port, count),
  };
}

/** `path` gets a random payee, and the number and the time of a block of the past. */
function reads(
  name: string,
  path: (address: string, past: { readonly height: number; readonly time: number }) => string,
): Scenario {
  return {
    ...{ name, perSecondMax: 30_000, hasHalfRate: false },
    prepare: async ({ payees, height: first }, port, count) => {
      const [newest] = await answers(port, [get("/block")]);
      const blocks = await answers(port, [get(`/block/${first}`), get(`/block/${newest}`)]);
      const [since = 0, until = 0] = blocks.map((text) => JSON.parse(text).timestamp as number);
      const past = () => ({
        height: first + below(Number(newest) - first + 1),
        time: since + below(until - since + 1),
      });
      return {
        requests: Array.from({ length: count }, () => get(path(pick(payees), past()))),
      };
    },
  };
}

function somePayment(payees: readonly string[]): Payment {
  return { address: pick(payees), amount: 1 + below(999) };
}

function somePayments({ payees }: Population): readonly Payment[] {
  return Array.from({ length: BATCH }, () => somePayment(payees));
}
