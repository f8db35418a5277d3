import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { PostgresServer } from "../packages/node/testing/postgres/postgres-server.ts";
import { makeKeyPair } from "./curves.ts";
import { answers, type Latency, type Load, type LoadOptions, load, type Requests } from "./load.ts";
import type { ClusterSettings } from "./measurement.ts";
import { type Population, populate } from "./population.ts";
import { note, report } from "./progress.ts";
import { createAddress } from "./requests.ts";
import type { Scenario } from "./scenarios.ts";
import { Service } from "./service.ts";
import { perOperation, processTreeMicroseconds, type ThreadUsage, usageDuring } from "./usage.ts";

interface Setup {
  readonly log: "local" | "engine" | "engine and standby";
  readonly nodes: number;
}

export interface ClusterFigures extends Setup {
  readonly scenario: string;
  readonly operations: number;
  readonly perSecond: number;
  readonly ofLocal: number;
  readonly latency: Latency;
  /** At half of the rate, in an open loop. */
  readonly halfRateLatency: Latency;
  readonly threads: readonly ThreadUsage[];
  readonly engineMicroseconds: number;
  readonly standbyMicroseconds: number;
  readonly generatorMicroseconds: number;
  readonly blocksPerSecond: number;
  readonly operationsPerBlock: number;
  /** Of all nodes; undefined for the local log. */
  readonly roundTripsPerBlock: number | undefined;
  /** Write-ahead log of the engine for each write. */
  readonly engineBytesPerOperation: number | undefined;
  readonly othersCores: number;
  readonly failures: number;
  readonly firstFailure: string | undefined;
}

type Measured = Omit<ClusterFigures, keyof Setup | "ofLocal">;

interface Cluster {
  readonly services: readonly Service[];
  readonly engine: PostgresServer | undefined;
  readonly standby: PostgresServer | undefined;
  readonly population: Population;
}

export async function* runCluster(
  nodesMax: number,
  scenarios: readonly Scenario[],
  settings: ClusterSettings,
): AsyncGenerator<ClusterFigures> {
  const setups: Setup[] = [
    { log: "local", nodes: 1 },
    { log: "engine", nodes: 1 },
    ...Array.from({ length: nodesMax }, (_, more) => ({
      log: "engine and standby" as const,
      nodes: more + 1,
    })),
  ];
  const localPerSecond = new Map<string, number>();
  for (const setup of setups) {
    for await (const figures of measureSetup(setup, scenarios, settings)) {
      const { scenario, perSecond } = figures;
      const local = localPerSecond.getOrInsert(scenario, perSecond);
      yield { ...setup, ...figures, ofLocal: perSecond / local };
    }
  }
}

async function* measureSetup(
  setup: Setup,
  scenarios: readonly Scenario[],
  settings: ClusterSettings,
): AsyncGenerator<Measured> {
  const name = `${setup.nodes} × ${setup.log}`;
  await using started = new AsyncDisposableStack();
  report(`${name}: starting`);
  const engine =
    setup.log === "local" ? undefined : started.use(await PostgresServer.start(ENGINE));
  const standby =
    setup.log === "engine and standby" && engine !== undefined
      ? started.use(await engine.standby())
      : undefined;
  const services: Service[] = [];
  for (let node = 1; node <= setup.nodes; node += 1) {
    const data = join(settings.directory, `${name}-${node}`);
    const more = engine === undefined ? [] : ["--log", engine.url];
    services.push(started.use(await Service.start({ main: settings.main, data, more })));
  }
  report(`${name}: creating and funding addresses`);
  const curves = new Set(scenarios.flatMap(({ curve }) => curve ?? []));
  const size = { ...settings.size, needs: new Set<never>() };
  const population = await populate((services[0] as Service).port, curves, size);
  const cluster = { services, engine, standby, population };
  for (const scenario of scenarios) {
    yield await measureScenario(name, cluster, scenario, settings);
  }
}

const WARM_UP_ROUNDS = 4;

const ENGINE = { settings: { shared_buffers: "128MB", max_wal_size: "1GB" } };

async function measureScenario(
  setup: string,
  cluster: Cluster,
  scenario: Scenario,
  settings: ClusterSettings,
): Promise<Measured> {
  const { seconds, size } = settings;
  const connections = scenario.connectionsOf?.(settings.connections) ?? settings.connections;
  const title = `${setup}, ${scenario.name}`;
  report(`${title}: warming up`);
  const count = WARM_UP_ROUNDS * size.payersPerCurve * cluster.services.length;
  const warmUp = await loadAll(cluster, await prepare(cluster, scenario, count), { connections });

  report(`${title}: preparing requests`);
  const requests = await prepare(cluster, scenario, warmUp.perSecond * 1.4 * seconds);
  report(`${title}: measuring`);
  const before = await costSoFar(cluster);
  const pids = cluster.services.map(({ pid }) => pid);
  const { result: top, usage } = await usageDuring(pids, () =>
    loadAll(cluster, requests, { connections, secondsMax: seconds }),
  );
  if (top.fullSeconds < seconds) {
    const ended = top.fullSeconds.toFixed(1);
    note(`${title}: the requests for a node ran out after ${ended} of ${seconds} s`);
  }
  const after = await costSoFar(cluster);

  const perSecond = top.perSecond / 2;
  const evenly = await prepare(cluster, scenario, perSecond * seconds);
  report(`${title}: measuring at half of the rate`);
  const half = await loadAll(cluster, evenly, { connections, perSecond });

  const each = (name: keyof Cost): number => (after[name] - before[name]) / top.operations;
  const { threads, generatorMicroseconds, othersCores } = perOperation(usage, top.operations);
  const engineMicroseconds = each("engineMicroseconds");
  const standbyMicroseconds = each("standbyMicroseconds");
  const servers = ((engineMicroseconds + standbyMicroseconds) * top.perSecond) / 1e6;
  const blocks = after.height - before.height;
  const failed = [warmUp, top, half].find(({ failures }) => failures > 0);
  return {
    scenario: scenario.name,
    ...{ operations: top.operations, perSecond: top.perSecond },
    ...{ latency: top.latency, halfRateLatency: half.latency },
    ...{ threads, generatorMicroseconds, engineMicroseconds, standbyMicroseconds },
    blocksPerSecond: blocks / top.seconds,
    operationsPerBlock: top.operations / blocks,
    roundTripsPerBlock:
      cluster.engine &&
      (after.transactions - before.transactions + after.turns - before.turns) / blocks,
    engineBytesPerOperation: cluster.engine && each("walBytes"),
    othersCores: Math.max(0, othersCores - servers),
    failures: warmUp.failures + top.failures + half.failures,
    firstFailure: failed?.firstFailure,
  };
}

async function prepare(
  { services, population }: Cluster,
  scenario: Scenario,
  count: number,
): Promise<readonly Requests[]> {
  const parts: Requests[] = [];
  for (const { port } of services) {
    parts.push(await scenario.prepare(population, port, Math.ceil(count / services.length)));
  }
  return parts;
}

/** Latencies are the worst node's. For `fullSeconds` all of them had requests. */
async function loadAll(
  { services }: Cluster,
  parts: readonly Requests[],
  options: Pick<LoadOptions, "connections" | "secondsMax" | "perSecond">,
): Promise<Load & { readonly fullSeconds: number }> {
  const { connections, perSecond, ...more } = options;
  const count = services.length;
  const loads = await Promise.all(
    services.map(({ port }, node) =>
      load({
        ...(parts[node] as Requests),
        ...{ port, ...more, connections: Math.ceil(connections / count) },
        ...(perSecond === undefined ? {} : { perSecond: perSecond / count }),
      }),
    ),
  );
  const operations = loads.reduce((sum, part) => sum + part.operations, 0);
  const seconds = Math.max(...loads.map((part) => part.seconds));
  const worst = (name: keyof Latency): number =>
    Math.max(...loads.map(({ latency }) => latency[name]));
  return {
    ...{ operations, seconds, perSecond: operations / seconds },
    fullSeconds: Math.min(...loads.map((part) => part.seconds)),
    latency: {
      p50Ms: worst("p50Ms"),
      p99Ms: worst("p99Ms"),
      p999Ms: worst("p999Ms"),
      maxMs: worst("maxMs"),
    },
    failures: loads.reduce((sum, { failures }) => sum + failures, 0),
    firstFailure: loads.find(({ failures }) => failures > 0)?.firstFailure,
  };
}

interface Cost {
  readonly height: number;
  readonly engineMicroseconds: number;
  readonly standbyMicroseconds: number;
  /** A round trip each, except turns, which have two. */
  readonly transactions: number;
  readonly turns: number;
  readonly walBytes: number;
}

async function costSoFar({ services, engine, standby }: Cluster): Promise<Cost> {
  const engineMicroseconds = engine === undefined ? 0 : processTreeMicroseconds(engine.pid);
  const standbyMicroseconds = standby === undefined ? 0 : processTreeMicroseconds(standby.pid);
  const metrics = await Promise.all(
    services.map(async ({ port }) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  );
  const heights = metrics.map((text) => valueIn(text, /^moneta_height (\d+)$/gm));
  const turns = metrics.map((text) => valueIn(text, /^moneta_log_turn_seconds_count.* (\d+)$/gm));
  const counted = engine && (await countedBy(engine, services));
  return {
    height: Math.max(...heights),
    turns: turns.reduce((sum, each) => sum + each, 0),
    transactions: counted?.["transactions"] ?? 0,
    walBytes: counted?.["wal"] ?? 0,
    ...{ engineMicroseconds, standbyMicroseconds },
  };
}

const REPORTED_AFTER_MS = 1100;

/**
 * A session reports at most once a second, at a transaction's end: each node must write once more.
 */
async function countedBy(engine: PostgresServer, services: readonly Service[]) {
  await setTimeout(REPORTED_AFTER_MS);
  const address = createAddress(makeKeyPair("p256"));
  await Promise.all(services.map(({ port }) => answers(port, [address])));
  const [row] = await engine.sql(
    `SELECT xact_commit::float8 AS transactions, (pg_current_wal_lsn() - '0/0')::float8 AS wal
       FROM pg_stat_database WHERE datname = 'postgres'`,
  );
  return row;
}

function valueIn(metrics: string, pattern: RegExp): number {
  return [...metrics.matchAll(pattern)].reduce((sum, [, value]) => sum + Number(value), 0);
}
