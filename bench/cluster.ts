// `npm run bench -- --cluster N`: one to N nodes over one PostgreSQL, compared with the local log.
import { join } from "node:path";
import { PostgresServer } from "../packages/node/testing/postgres/postgres-server.ts";
import { type Latency, type Load, type LoadOptions, load, type Requests } from "./load.ts";
import type { ClusterSettings } from "./measurement.ts";
import { type Population, populate } from "./population.ts";
import { processTreeMicroseconds } from "./process-tree.ts";
import { report } from "./progress.ts";
import type { Scenario } from "./scenarios.ts";
import { Service } from "./service.ts";
import { type ThreadUsage, threadsDuring, watchOthers } from "./usage.ts";

/** Where blocks are stored, and by how many nodes. */
interface Setup {
  readonly log: "local" | "engine" | "engine and standby";
  readonly nodes: number;
}

/** What a cluster reaches in a scenario of transfers. CPU is per write. */
export interface ClusterFigures extends Setup {
  readonly scenario: string;
  readonly operations: number;
  readonly perSecond: number;
  /** The rate over that of one node with the local log in this run. */
  readonly ofLocal: number;
  readonly latency: Latency;
  /** At half of the rate, in an open loop. */
  readonly halfRateLatency: Latency;
  /** Threads of all nodes together. */
  readonly threads: readonly ThreadUsage[];
  readonly engineMicroseconds: number;
  readonly standbyMicroseconds: number;
  readonly generatorMicroseconds: number;
  readonly blocksPerSecond: number;
  readonly operationsPerBlock: number;
  /** Messages to the engine that wait for an answer, of all nodes; undefined for the local log. */
  readonly roundTripsPerBlock: number | undefined;
  /** Write-ahead log of the engine for each write; undefined for the local log. */
  readonly engineBytesPerOperation: number | undefined;
  readonly othersCores: number;
  readonly failures: number;
  readonly firstFailure: string | undefined;
}

/** A running setup, with addresses of its own. */
interface Cluster {
  readonly services: readonly Service[];
  readonly engine: PostgresServer | undefined;
  readonly standby: PostgresServer | undefined;
  readonly population: Population;
}

/** Measures the scenarios on the local log, on an engine without standby, and on 1 to N nodes with one. */
export async function runCluster(
  nodesMax: number,
  scenarios: readonly Scenario[],
  settings: ClusterSettings,
): Promise<readonly ClusterFigures[]> {
  const setups: Setup[] = [
    { log: "local", nodes: 1 },
    { log: "engine", nodes: 1 },
    ...Array.from({ length: nodesMax }, (_, more) => ({
      log: "engine and standby" as const,
      nodes: more + 1,
    })),
  ];
  const all: ClusterFigures[] = [];
  for (const setup of setups) {
    const measured = await measureSetup(setup, scenarios, settings);
    all.push(
      ...measured.map((figures) => ({
        ...figures,
        ofLocal:
          figures.perSecond /
          (all.find(({ scenario }) => scenario === figures.scenario) ?? figures).perSecond,
      })),
    );
  }
  return all;
}

async function measureSetup(
  setup: Setup,
  scenarios: readonly Scenario[],
  settings: ClusterSettings,
): Promise<readonly ClusterFigures[]> {
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
    // One after the other: the first one has the treasury, which funds the payers.
    services.push(started.use(await Service.start({ main: settings.main, data, more })));
  }
  report(`${name}: creating and funding addresses`);
  const curves = new Set(scenarios.flatMap(({ curve }) => curve ?? []));
  const size = { ...settings.size, needs: new Set<never>() };
  const population = await populate((services[0] as Service).port, curves, size);
  const cluster = { services, engine, standby, population };
  const figures: ClusterFigures[] = [];
  for (const scenario of scenarios) {
    figures.push({ ...setup, ...(await measureScenario(name, cluster, scenario, settings)) });
  }
  return figures;
}

/** How often every key signs at every node first: the first signature of each is verified twice. */
const WARM_UP_ROUNDS = 4;

/** Room for what the bench stores; the rest as the server comes. */
const ENGINE = { settings: { shared_buffers: "128MB", max_wal_size: "1GB" } };

async function measureScenario(
  setup: string,
  cluster: Cluster,
  scenario: Scenario,
  settings: ClusterSettings,
): Promise<Omit<ClusterFigures, keyof Setup>> {
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
  const others = watchOthers();
  const own = process.cpuUsage();
  const { result: top, threads } = await threadsDuring(pids, () =>
    loadAll(cluster, requests, { connections, secondsMax: seconds }),
  );
  const generator = process.cpuUsage(own);
  const after = await costSoFar(cluster);
  const used = {
    engine: after.engineMicroseconds - before.engineMicroseconds,
    standby: after.standbyMicroseconds - before.standbyMicroseconds,
  };
  const nodesMicroseconds = threads.reduce((sum, { microseconds }) => sum + microseconds, 0);
  const othersCores = others(nodesMicroseconds + used.engine + used.standby);

  const perSecond = top.perSecond / 2;
  const evenly = await prepare(cluster, scenario, perSecond * seconds);
  report(`${title}: measuring at half of the rate`);
  const half = await loadAll(cluster, evenly, { connections, perSecond });

  const perOperation = (amount: number): number => amount / top.operations;
  const blocks = after.height - before.height;
  const failed = [warmUp, top, half].find(({ failures }) => failures > 0);
  return {
    scenario: scenario.name,
    operations: top.operations,
    perSecond: top.perSecond,
    ofLocal: 1,
    latency: top.latency,
    halfRateLatency: half.latency,
    threads: threads.map((thread) => ({
      ...thread,
      microseconds: perOperation(thread.microseconds),
    })),
    engineMicroseconds: perOperation(used.engine),
    standbyMicroseconds: perOperation(used.standby),
    generatorMicroseconds: perOperation(generator.user + generator.system),
    blocksPerSecond: blocks / top.seconds,
    operationsPerBlock: top.operations / blocks,
    roundTripsPerBlock:
      cluster.engine &&
      (after.transactions - before.transactions + after.turns - before.turns) / blocks,
    engineBytesPerOperation: cluster.engine && perOperation(after.walBytes - before.walBytes),
    othersCores,
    failures: warmUp.failures + top.failures + half.failures,
    firstFailure: failed?.firstFailure,
  };
}

/** An equal part of the requests for each node, signed with temporary keys that it issued. */
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

/** Loads all nodes at once. Latencies are the worst node's. */
async function loadAll(
  { services }: Cluster,
  parts: readonly Requests[],
  options: Pick<LoadOptions, "connections" | "secondsMax" | "perSecond">,
): Promise<Load> {
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

/** What has been used since the start. */
interface Cost {
  readonly height: number;
  readonly engineMicroseconds: number;
  readonly standbyMicroseconds: number;
  /** Transactions of the engine, a round trip each but for turns, which have two. */
  readonly transactions: number;
  readonly turns: number;
  readonly walBytes: number;
}

async function costSoFar({ services, engine, standby }: Cluster): Promise<Cost> {
  const metrics = await Promise.all(
    services.map(async ({ port }) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  );
  const heights = metrics.map((text) => valueIn(text, /^moneta_height (\d+)$/gm));
  const turns = metrics.map((text) => valueIn(text, /^moneta_log_turn_seconds_count.* (\d+)$/gm));
  const [row] =
    (await engine?.sql(
      `SELECT xact_commit::float8 AS transactions, (pg_current_wal_lsn() - '0/0')::float8 AS wal
         FROM pg_stat_database WHERE datname = 'postgres'`,
    )) ?? [];
  return {
    height: Math.max(...heights),
    turns: turns.reduce((sum, each) => sum + each, 0),
    transactions: row?.["transactions"] ?? 0,
    walBytes: row?.["wal"] ?? 0,
    engineMicroseconds: engine === undefined ? 0 : processTreeMicroseconds(engine.pid),
    standbyMicroseconds: standby === undefined ? 0 : processTreeMicroseconds(standby.pid),
  };
}

/** The sum of the numbers that a pattern finds. */
function valueIn(metrics: string, pattern: RegExp): number {
  return [...metrics.matchAll(pattern)].reduce((sum, [, value]) => sum + Number(value), 0);
}
