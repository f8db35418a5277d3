import type { ClusterFigures } from "./cluster.ts";
import type { Latency } from "./load.ts";
import type { Figures } from "./measurement.ts";
import type { PageFigures, Pages } from "./pages.ts";
import { sumOf } from "./usage.ts";
import type { WorstFigures } from "./worst.ts";

type Column<F> = readonly [
  title: string,
  cell: (figures: F) => string | number | undefined,
  digits?: number,
];

export function figureTables(all: readonly Figures[]): string {
  const halves = all.flatMap((figures) =>
    figures.halfRate ? [{ ...figures, ...figures.halfRate }] : [],
  );
  const compared = ({ comparedWith, service, perSecond }: Figures): number | undefined => {
    const other = all.find((one) => one.scenario === comparedWith && one.service === service);
    return other && perSecond / other.perSecond;
  };
  const ofFirst =
    (measured: (figures: Figures) => number) =>
    (figures: Figures): number | undefined => {
      const { scenario, service } = figures;
      const first = all.find((one) => one.scenario === scenario && one.service === 1);
      return first && service > 1 ? measured(figures) / measured(first) : undefined;
    };
  const title: Column<Figures> = [
    "scenario",
    ({ scenario, service }) =>
      all.some((one) => one.service > 1) ? `${scenario}, service ${service}` : scenario,
  ];
  return [
    table<Figures>("Throughput and latency, closed loop", all, [
      title,
      ["op/s", ({ perSecond }) => perSecond],
      ["of service 1's", ofFirst(({ perSecond }) => perSecond), 3],
      ["of a transfer's", compared, 2],
      ...latencies<Figures>(({ latency }) => latency),
      ["others' cores", ({ othersCoresMax }) => othersCoresMax, 2],
    ]),
    table<Figures>("What an operation costs", all, [
      title,
      ["service CPU µs", ({ usage: { threads } }) => sumOf(threads), 1],
      ["of service 1's", ofFirst(({ usage }) => sumOf(usage.threads)), 3],
      ["generator CPU µs", ({ usage }) => usage.generatorMicroseconds, 1],
      ["bytes written", ({ usage }) => usage.writtenBytes],
      ["kept", ({ diskBytesPerOperation }) => diskBytesPerOperation],
      ["restart ms", ({ restartMs }) => restartMs],
      ["RSS MB before", ({ usage: { memory } }) => memory.beforeBytes / 1e6],
      ["after", ({ usage: { memory } }) => memory.afterBytes / 1e6],
      ["peak", ({ usage: { memory } }) => memory.peakBytes / 1e6],
    ]),
    threadTable(all, title),
    table("Open loop at half of the top rate", halves, [
      title,
      ["op/s", ({ perSecond }) => perSecond],
      ...latencies<Figures>(({ latency }) => latency),
      ["others' cores", ({ usage }) => usage.othersCores, 2],
    ]),
  ].join("\n");
}

export function clusterTables(all: readonly ClusterFigures[]): string {
  const title: Column<ClusterFigures> = [
    "scenario, nodes × log",
    ({ nodes, log, scenario }) => `${scenario}, ${nodes} × ${log}`,
  ];
  return [
    table("Clusters: throughput in a closed loop, latency at half of it in an open one", all, [
      title,
      ["op/s", ({ perSecond }) => perSecond],
      ["of local", ({ ofLocal }) => ofLocal, 2],
      ...latencies<ClusterFigures>(({ latency }) => latency).slice(0, 2),
      ["half: p50 ms", ({ halfRateLatency }) => halfRateLatency.p50Ms, 1],
      ["p99 ms", ({ halfRateLatency }) => halfRateLatency.p99Ms, 1],
      ["blocks/s", ({ blocksPerSecond }) => blocksPerSecond, 1],
      ["op a block", ({ operationsPerBlock }) => operationsPerBlock, 1],
      ["round trips a block", ({ roundTripsPerBlock }) => roundTripsPerBlock, 1],
      ["engine bytes an op", ({ engineBytesPerOperation }) => engineBytesPerOperation],
      ["others' cores", ({ othersCores }) => othersCores, 2],
    ]),
    table("CPU in µs per operation, of all nodes together", all, [
      title,
      ["nodes", ({ threads }) => sumOf(threads)],
      [
        "threads",
        ({ threads }) =>
          threads
            .filter(({ microseconds }) => microseconds > sumOf(threads) / 50)
            .map(({ name, microseconds }) => `${name} ${microseconds.toFixed(0)}`)
            .join(", "),
      ],
      ["engine", ({ engineMicroseconds }) => engineMicroseconds],
      ["standby", ({ standbyMicroseconds }) => standbyMicroseconds],
      ["generator", ({ generatorMicroseconds }) => generatorMicroseconds],
    ]),
  ].join("\n");
}

export function pagesTable({ smallSize, largeSize, addresses, figures }: Pages): string {
  const title = `A page of each list on ${smallSize} transactions and on ${largeSize} with ${addresses} addresses`;
  return table<PageFigures>(title, figures, [
    ["list", ({ list }) => list],
    ["p50 ms, small", ({ smallMs }) => smallMs, 2],
    ["p50 ms, large", ({ largeMs }) => largeMs, 2],
    ["ratio", ({ ratio }) => ratio, 2],
    ["entries, small", ({ smallEntries }) => smallEntries, 1],
    ["entries, large", ({ entries }) => entries, 1],
  ]);
}

export function worstTable(all: readonly WorstFigures[]): string {
  const waits = (name: "block" | "transfer"): Column<WorstFigures>[] => [
    [`${name} p50 ms`, (figures) => figures[name]?.p50Ms, 1],
    ["p99", (figures) => figures[name]?.p99Ms, 1],
    ["max", (figures) => figures[name]?.maxMs ?? "no answer", 1],
  ];
  return table("What a bystander waits while costly requests are sent", all, [
    ["costly requests", ({ name }) => name],
    ["each s", ({ perSecond }) => perSecond, 1],
    [
      "statuses",
      ({ answers }) =>
        Object.entries(answers)
          .map(([status, count]) => `${status} ×${count}`)
          .join(", "),
    ],
    ...waits("block"),
    ...waits("transfer"),
    ["refused", ({ block, transfer }) => (block?.failures ?? 0) + (transfer?.failures ?? 0)],
    ["main thread ms", ({ mainThreadHoldMs }) => mainThreadHoldMs],
    ["turn CPU ms", ({ longestTurnMs }) => longestTurnMs],
    ["ledger thread ms, below", ({ ledgerThreadHoldMs }) => ledgerThreadHoldMs],
    ["peak MB", ({ peakBytes }) => peakBytes && peakBytes / 1e6],
  ]);
}

function threadTable(all: readonly Figures[], title: Column<Figures>): string {
  const names = new Set(
    all.flatMap(({ usage: { threads } }) =>
      threads
        .filter(({ microseconds }) => microseconds > sumOf(threads) / 100)
        .map(({ name }) => name),
    ),
  );
  return table("The service's CPU by thread: µs per operation (part of one core)", all, [
    title,
    ...[...names].map(
      (name): Column<Figures> => [
        name,
        ({ perSecond, usage }) => {
          const thread = usage.threads.find((one) => one.name === name);
          if (thread === undefined) {
            return undefined;
          }
          const cores = (thread.microseconds * perSecond) / 1e6;
          const count = thread.threads === 1 ? "" : ` ×${thread.threads}`;
          return `${thread.microseconds.toFixed(1)} (${cores.toFixed(2)})${count}`;
        },
      ],
    ),
  ]);
}

function latencies<F>(latencyOf: (figures: F) => Latency): Column<F>[] {
  return [
    ["p50 ms", (figures) => latencyOf(figures).p50Ms, 1],
    ["p99 ms", (figures) => latencyOf(figures).p99Ms, 1],
    ["p99.9 ms", (figures) => latencyOf(figures).p999Ms, 1],
  ];
}

function table<F>(title: string, all: readonly F[], columns: readonly Column<F>[]): string {
  if (all.length === 0) {
    return "";
  }
  const cellOf = (figures: F, [, cell, digits = 0]: Column<F>): string => {
    const value = cell(figures) ?? "";
    const fixed = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return typeof value === "string" ? value : value.toLocaleString("en-GB", fixed);
  };
  const rows = all.map((figures) => columns.map((column) => cellOf(figures, column)));
  const header = columns.map(([name]) => name);
  const widths = header.map((name, n) =>
    Math.max(name.length, ...rows.map((row) => row[n]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0)))
      .join("  ");
  const rule = widths.map((width) => "-".repeat(width));
  return `${title}\n${[header, rule, ...rows].map(line).join("\n")}\n`;
}
