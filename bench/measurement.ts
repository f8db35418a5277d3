import { setTimeout as delay } from "node:timers/promises";
import { type Load, type LoadOptions, load } from "./load.ts";
import { OpenStreams } from "./open-streams.ts";
import type { Population, PopulationSize } from "./population.ts";
import { report } from "./progress.ts";
import { type Scenario, signOnce } from "./scenarios.ts";
import { Service, type ServiceOptions } from "./service.ts";
import { folderBytes, perOperation, sumOf, type Usage, usageDuring } from "./usage.ts";

/** Logged blocks wait for a flush then. */
const KILLED_AFTER_SECONDS = 0.5;

export interface Settings extends ServiceOptions {
  readonly service: number;
  readonly population: Population;
  readonly connections: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

export interface ClusterSettings extends Pick<Settings, "main" | "connections" | "seconds"> {
  readonly directory: string;
  readonly size: Pick<PopulationSize, "payersPerCurve" | "payees">;
}

export interface MeasuredLoad extends Load {
  readonly usage: Usage;
}

export interface Figures extends MeasuredLoad {
  readonly scenario: string;
  readonly service: number;
  readonly comparedWith: string | undefined;
  readonly othersCoresMax: number;
  readonly halfRate: MeasuredLoad | undefined;
  /** Growth of the data directory between two stops of the node, over all operations. */
  readonly diskBytesPerOperation: number;
  /** From the start of a killed node until it listens. */
  readonly restartMs: number;
}

export async function measure(scenario: Scenario, settings: Settings): Promise<Figures> {
  const { data } = settings;
  const bytesBefore = folderBytes(data);
  const { uncounted, warmUp, top, half, restartMs } = await loadService(scenario, settings);
  const bytesAfter = folderBytes(data);

  const all = half === undefined ? [warmUp, top] : [warmUp, top, half];
  const operations = all.reduce((sum, each) => sum + each.operations, uncounted);
  return {
    scenario: scenario.name,
    service: settings.service,
    comparedWith: scenario.comparedWith,
    ...top,
    othersCoresMax: Math.max(top.usage.othersCores, half?.usage.othersCores ?? 0),
    halfRate: half,
    diskBytesPerOperation: (bytesAfter - bytesBefore) / operations,
    restartMs,
    failures: all.reduce((sum, { failures }) => sum + failures, 0),
    firstFailure: all.find(({ failures }) => failures > 0)?.firstFailure,
  };
}

interface Loads {
  /** Operations of no load. */
  readonly uncounted: number;
  readonly warmUp: Load;
  readonly top: MeasuredLoad;
  readonly half: MeasuredLoad | undefined;
  readonly restartMs: number;
}

async function loadService(scenario: Scenario, settings: Settings): Promise<Loads> {
  const { population, seconds, warmUpSeconds } = settings;
  const connections = scenario.connectionsOf?.(settings.connections) ?? settings.connections;
  const { streams: streamCount = 0 } = scenario;
  const forStreams = streamCount === 0 ? [] : ["--event-streams-max", String(streamCount)];
  const more = [...(settings.more ?? []), ...forStreams];
  await using service = await Service.start({ ...settings, more });
  const { port, pid } = service;
  report(`${scenario.name}: every payer signs once`);
  const signedOnce = await signOnce(scenario, population, port);
  report(`${scenario.name}: opening ${streamCount} streams`);
  const addresses = Array.from(
    { length: streamCount },
    (_, n) => population.payees[n % population.payees.length] as string,
  );
  await using streams = streamCount === 0 ? undefined : await OpenStreams.open({ port, addresses });
  const prepare = async (perSecond: number, forSeconds: number) => {
    const count = Math.ceil(perSecond * forSeconds);
    report(`${scenario.name}: preparing ${count} requests`);
    return await scenario.prepare(population, port, count);
  };

  const first = await prepare(scenario.perSecondMax, warmUpSeconds);
  report(`${scenario.name}: warming up`);
  const warmUp = await load({ port, connections, ...first, secondsMax: warmUpSeconds });

  const requests = await prepare(warmUp.perSecond * 1.4, seconds);
  report(`${scenario.name}: measuring`);
  const top = await measuredLoad(pid, { port, connections, ...requests, secondsMax: seconds });

  let half: MeasuredLoad | undefined;
  if (scenario.hasHalfRate) {
    const perSecond = top.perSecond / 2;
    const evenly = await prepare(perSecond, seconds);
    report(`${scenario.name}: measuring at half of the rate`);
    half = await measuredLoad(pid, { port, connections, ...evenly, perSecond });
  }
  const operations = [warmUp, top, half].reduce((sum, part) => sum + (part?.operations ?? 0), 0);
  const each = Math.max(1, streamCount / population.payees.length);
  await streams?.sees(operations * each);
  const last = await prepare(top.perSecond, 2 * KILLED_AFTER_SECONDS);
  report(`${scenario.name}: killing the node under load`);
  const { operationsEach = 1 } = last;
  let signedLast = 0;
  const onAnswer = (): void => {
    signedLast += operationsEach;
  };
  const cutOff = load({ port, connections, ...last, onAnswer }).catch(() => undefined);
  await delay(KILLED_AFTER_SECONDS * 1000);
  await service.kill();
  await cutOff;
  const killedMs = performance.now();
  await using _again = await Service.start({ ...settings, more });
  const restartMs = performance.now() - killedMs;
  return { uncounted: signedOnce + signedLast, warmUp, top, half, restartMs };
}

async function measuredLoad(pid: number, options: LoadOptions): Promise<MeasuredLoad> {
  const { result, usage } = await usageDuring([pid], () => load(options));
  return { ...result, usage: perOperation(usage, result.operations) };
}

export function medianRounds(all: readonly Figures[]): readonly Figures[] {
  const rounds = Map.groupBy(all, ({ scenario, service }) => `${scenario} ${service}`);
  return [...rounds.values()].map((each) => {
    const sorted = each.toSorted((a, b) => sumOf(a.usage.threads) - sumOf(b.usage.threads));
    return sorted[(sorted.length - 1) >> 1] as Figures;
  });
}
