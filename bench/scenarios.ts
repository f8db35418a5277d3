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
  readonly curve?: Curve;
  /** As many as the setting if absent. */
  readonly connectionsOf?: (connections: number) => number;
  readonly perSecondMax: number;
  readonly hasHalfRate: boolean;
  readonly needs?: Need;
  readonly streams?: number;
  readonly comparedWith?: string;
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
    // One address can pay the least amount only that often.
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
 * A key's first verdict by the native verifier is compared with the platform's, a cost only once.
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

function batches(curve: Curve, perSecondMax: number): Scenario {
  return {
    name: `batch-${curve}`,
    curve,
    perSecondMax,
    // A node has 64 operations of each connection under way; more would leave only two rounds.
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

/** `path` gets a random payee, and the number and the time of an earlier block. */
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
