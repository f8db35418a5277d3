import { cpSync, rmSync } from "node:fs";
import { Attack } from "./attack.ts";
import { mapInBatches } from "./batches.ts";
import { load } from "./load.ts";
import { type Population, takeTurns } from "./population.ts";
import { report } from "./progress.ts";
import { get, transfer } from "./requests.ts";
import { Service } from "./service.ts";
import { type Usage, watchUsage } from "./usage.ts";
import type { WorstCase } from "./worst-cases.ts";

export interface WorstFigures {
  readonly name: string;
  readonly perSecond: number;
  readonly answers: Readonly<Record<string, number>>;
  readonly firstAnswer: string;
  /** Requests due at even intervals, from the due time; undefined without a response for 30 s. */
  readonly block: Wait | undefined;
  readonly transfer: Wait | undefined;
  /** The longest delay of an event of the main thread, other processes included. */
  readonly mainThreadHoldMs: number | undefined;
  readonly longestTurnMs: number | undefined;
  /** Upper bound of the ledger thread's time for a block without its sync. */
  readonly ledgerThreadHoldMs: number | undefined;
  /** Undefined if the node has ended. */
  readonly peakBytes: number | undefined;
}

interface Wait {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly failures: number;
}

const BLOCKS_PER_SECOND = 50;
const TRANSFERS_PER_SECOND = 20;
const CONNECTIONS = 32;
/** The node's step of delay measurements; a step without delay counts as one. */
const DELAY_STEP_MS = 10;

const NOTHING: WorstCase = { name: "(nothing else)", prepare: async () => [] };

export async function* runWorst(
  cases: readonly WorstCase[],
  options: {
    readonly main: string;
    readonly data: string;
    readonly population: Population;
    readonly seconds: number;
  },
): AsyncGenerator<WorstFigures> {
  for (const worst of [NOTHING, ...cases]) {
    const data = `${options.data}-worst`;
    cpSync(options.data, data, { recursive: true });
    try {
      yield await measureWorst(worst, { ...options, data });
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  }
}

async function measureWorst(
  { name, isSentOnce = false, grow, prepare }: WorstCase,
  options: Parameters<typeof runWorst>[1],
): Promise<WorstFigures> {
  const { data, population, seconds } = options;
  report(`${name}: preparing`);
  await grow?.({ data, population });
  const service = await Service.start({ ...options, watchesTurns: true });
  try {
    const { port, pid } = service;
    const requests = await prepare({ port, population, seconds });
    const blocks = Array.from({ length: BLOCKS_PER_SECOND * seconds }, () => get("/block"));
    const turns = await takeTurns(port, population.payers.p256, TRANSFERS_PER_SECOND * seconds);
    const transfers = await mapInBatches(turns, ({ payer, temporaryKey }) =>
      transfer(payer, temporaryKey, { address: population.payees[0] as string, amount: 1 }),
    );
    // Warms up, so that nothing is done for the first time while it is measured.
    await load({ port, connections: CONNECTIONS, requests: [...blocks.slice(0, 100)] });
    const before = await metricsOf(port);
    await service.longestTurnMs();

    report(`${name}: measuring`);
    const usageSince = watchUsage([pid]);
    const attack = await Attack.begin({ port, requests, isSentOnce });
    const started = performance.now();
    const [block, transferred] = await Promise.all([
      wait(port, blocks, BLOCKS_PER_SECOND),
      wait(port, transfers, TRANSFERS_PER_SECOND),
    ]);
    const usage = unlessEnded(usageSince);
    const { answers, first } = await attack.end();
    const measuredSeconds = (performance.now() - started) / 1000;
    const isDown = usage === undefined || block === undefined || transferred === undefined;
    const longestTurnMs = isDown ? undefined : await service.longestTurnMs();
    const after = isDown ? undefined : await metricsOf(port);
    const count = Object.values(answers).reduce((sum, each) => sum + each, 0);
    return {
      name,
      perSecond: count / measuredSeconds,
      answers,
      firstAnswer: first.slice(0, 500),
      block,
      transfer: transferred,
      mainThreadHoldMs: after && Math.max(0, after.delayMaxMs - DELAY_STEP_MS),
      longestTurnMs,
      ledgerThreadHoldMs: after && longest(before.blocksWithin, after.blocksWithin),
      peakBytes: usage?.memory.peakBytes,
    };
  } finally {
    await service.end();
  }
}

function unlessEnded(usageSince: () => Usage): Usage | undefined {
  try {
    return usageSince();
  } catch {
    return undefined;
  }
}

async function wait(
  port: number,
  requests: readonly Buffer[],
  perSecond: number,
): Promise<Wait | undefined> {
  try {
    const { latency, failures } = await load({
      port,
      connections: CONNECTIONS,
      requests,
      perSecond,
    });
    const { p50Ms, p99Ms, maxMs } = latency;
    return { p50Ms, p99Ms, maxMs, failures };
  } catch {
    return undefined;
  }
}

interface NodeMetrics {
  readonly delayMaxMs: number;
  readonly blocksWithin: ReadonlyMap<number, number>;
}

async function metricsOf(port: number): Promise<NodeMetrics> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const delay = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1];
  const buckets = text.matchAll(/^moneta_block_execute_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm);
  return {
    delayMaxMs: Number(delay) * 1000,
    blocksWithin: new Map(
      [...buckets].map(([, seconds = "", count]) => [
        Number(seconds.replace("+Inf", "Infinity")),
        Number(count),
      ]),
    ),
  };
}

/** Least of the bounds that all blocks between two polls kept, ms. */
function longest(before: NodeMetrics["blocksWithin"], after: NodeMetrics["blocksWithin"]): number {
  const made = (seconds: number): number => (after.get(seconds) ?? 0) - (before.get(seconds) ?? 0);
  const all = made(Number.POSITIVE_INFINITY);
  return 1000 * Math.min(...[...after.keys()].filter((seconds) => made(seconds) === all));
}
