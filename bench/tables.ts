// The figures as text, for people.
import type { ClusterFigures } from "./cluster.ts";
import type { Comparison } from "./comparison.ts";
import type { Figures } from "./measurement.ts";
import type { Pages } from "./pages.ts";
import type { WorstFigures } from "./worst.ts";

export function figureTables(all: readonly Figures[]): string {
  const halves = all.flatMap(({ scenario, halfRate }) =>
    halfRate ? [{ scenario, ...halfRate }] : [],
  );
  return [
    "Throughput and latency, closed loop",
    table(
      [
        "scenario",
        "op/s",
        "recipients/s",
        "raw verify/s",
        "ratio",
        "native verify/s",
        "ratio",
        "p50 ms",
        "p99 ms",
        "p99.9 ms",
        "others' cores",
      ],
      all.map((figures) => {
        const { perSecond, recipientsPerSecond, verify, nativeVerify } = figures;
        return [
          figures.scenario,
          whole(perSecond),
          recipientsPerSecond === 0 ? "" : whole(recipientsPerSecond),
          verify ? `${whole(verify.before.perSecond)}, ${whole(verify.after.perSecond)}` : "",
          verify ? verify.ratio.toFixed(2) : "",
          nativeVerify ? whole(nativeVerify.raw.perSecond) : "",
          nativeVerify ? nativeVerify.ratio.toFixed(2) : "",
          ...milliseconds(figures.latency),
          figures.othersCoresMax.toFixed(2),
        ];
      }),
    ),
    "What an operation costs",
    table(
      [
        "scenario",
        "service CPU µs",
        "generator CPU µs",
        "disk bytes",
        "RSS MB before",
        "after",
        "peak",
      ],
      all.map(({ scenario, usage, diskBytesPerOperation }) => [
        scenario,
        usage.threads.reduce((sum, { microseconds }) => sum + microseconds, 0).toFixed(1),
        usage.generatorMicroseconds.toFixed(1),
        whole(diskBytesPerOperation),
        megabytes(usage.memory.beforeBytes),
        megabytes(usage.memory.afterBytes),
        megabytes(usage.memory.peakBytes),
      ]),
    ),
    "The service's CPU by thread: µs per operation (part of one core)",
    threadTable(all),
    ...(halves.length === 0
      ? []
      : [
          "Open loop at half of the top rate",
          table(
            ["scenario", "op/s", "p50 ms", "p99 ms", "p99.9 ms", "others' cores"],
            halves.map(({ scenario, perSecond, latency, usage }) => [
              scenario,
              whole(perSecond),
              ...milliseconds(latency),
              usage.othersCores.toFixed(2),
            ]),
          ),
        ]),
  ].join("\n");
}

export function comparisonTable(comparisons: readonly Comparison[]): string {
  return [
    "Compared with another scenario of this run",
    table(
      ["scenario", "compared with", "of its rate", "of its ratio"],
      comparisons.map(({ scenario, comparedWith, ofRate, ofRatio }) => [
        scenario,
        comparedWith,
        ofRate.toFixed(2),
        ofRatio?.toFixed(2) ?? "",
      ]),
    ),
  ].join("\n");
}

export function clusterTables(all: readonly ClusterFigures[]): string {
  const titleOf = ({ nodes, log, scenario }: ClusterFigures): string =>
    `${scenario}, ${nodes} × ${log}`;
  return [
    "Clusters: throughput in a closed loop, latency at half of it in an open one",
    table(
      [
        "scenario, nodes × log",
        "op/s",
        "of local",
        "p50 ms",
        "p99 ms",
        "half: p50 ms",
        "p99 ms",
        "blocks/s",
        "op a block",
        "round trips a block",
        "engine bytes an op",
        "others' cores",
      ],
      all.map((figures) => [
        titleOf(figures),
        whole(figures.perSecond),
        figures.ofLocal.toFixed(2),
        ...milliseconds(figures.latency).slice(0, 2),
        ...milliseconds(figures.halfRateLatency).slice(0, 2),
        figures.blocksPerSecond.toFixed(1),
        figures.operationsPerBlock.toFixed(1),
        figures.roundTripsPerBlock?.toFixed(1) ?? "",
        figures.engineBytesPerOperation === undefined ? "" : whole(figures.engineBytesPerOperation),
        figures.othersCores.toFixed(2),
      ]),
    ),
    "CPU in µs per operation, of all nodes together",
    table(
      ["scenario, nodes × log", "nodes", "threads", "engine", "standby", "generator"],
      all.map((figures) => {
        const sum = figures.threads.reduce((total, { microseconds }) => total + microseconds, 0);
        return [
          titleOf(figures),
          sum.toFixed(0),
          figures.threads
            .filter(({ microseconds }) => microseconds > sum / 50)
            .map(({ name, microseconds }) => `${name} ${microseconds.toFixed(0)}`)
            .join(", "),
          figures.engineMicroseconds.toFixed(0),
          figures.standbyMicroseconds.toFixed(0),
          figures.generatorMicroseconds.toFixed(0),
        ];
      }),
    ),
  ].join("\n");
}

export function pagesTable({ smallSize, largeSize, addresses, figures }: Pages): string {
  return [
    `A page of each list on ${whole(smallSize)} transactions and on ${whole(largeSize)} with ${whole(addresses)} addresses`,
    table(
      ["list", "p50 ms, small", "p50 ms, large", "ratio", "entries, small", "entries, large"],
      figures.map(({ list, smallMs, largeMs, ratio, entries, smallEntries }) => [
        list,
        smallMs.toFixed(2),
        largeMs.toFixed(2),
        ratio.toFixed(2),
        smallEntries.toFixed(1),
        entries.toFixed(1),
      ]),
    ),
  ].join("\n");
}

export function worstTable(all: readonly WorstFigures[]): string {
  const wait = (of: WorstFigures["block"]): string[] =>
    of === undefined
      ? ["", "", "no answer"]
      : [of.p50Ms, of.p99Ms, of.maxMs].map((ms) => ms.toFixed(1));
  return [
    "What a bystander waits while costly requests are sent, from when its own were due",
    table(
      [
        "costly requests",
        "each s",
        "statuses",
        "block p50 ms",
        "p99",
        "max",
        "transfer p50 ms",
        "p99",
        "max",
        "refused",
        "main thread ms",
        "turn CPU ms",
        "ledger thread ms",
        "main CPU ms",
        "ledger CPU ms",
        "peak MB",
      ],
      all.map((figures) => [
        figures.name,
        figures.perSecond.toFixed(1),
        Object.entries(figures.answers)
          .map(([status, count]) => `${status} ×${count}`)
          .join(", "),
        ...wait(figures.block),
        ...wait(figures.transfer),
        whole((figures.block?.failures ?? 0) + (figures.transfer?.failures ?? 0)),
        figures.mainThreadHoldMs?.toFixed(0) ?? "",
        figures.longestTurnMs?.toFixed(0) ?? "",
        figures.ledgerThreadHoldMs === undefined ? "" : `<${figures.ledgerThreadHoldMs}`,
        figures.mainThreadCpuMs?.toFixed(1) ?? "",
        figures.ledgerThreadCpuMs?.toFixed(1) ?? "",
        figures.peakBytes === undefined ? "" : megabytes(figures.peakBytes),
      ]),
    ),
  ].join("\n");
}

/** A column for every thread that uses more than 1% of what its service uses, anywhere. */
function threadTable(all: readonly Figures[]): string {
  const names = new Set(
    all.flatMap(({ usage: { threads } }) => {
      const total = threads.reduce((sum, { microseconds }) => sum + microseconds, 0);
      return threads
        .filter(({ microseconds }) => microseconds > total / 100)
        .map(({ name }) => name);
    }),
  );
  return table(
    ["scenario", ...names],
    all.map(({ scenario, perSecond, usage: { threads } }) => [
      scenario,
      ...[...names].map((name) => {
        const thread = threads.find((one) => one.name === name);
        if (thread === undefined) {
          return "";
        }
        const cores = (thread.microseconds * perSecond) / 1e6;
        const count = thread.threads === 1 ? "" : ` ×${thread.threads}`;
        return `${thread.microseconds.toFixed(1)} (${cores.toFixed(2)})${count}`;
      }),
    ]),
  );
}

/** The first column is aligned to the left, the others to the right. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, n) =>
    Math.max(title.length, ...rows.map((row) => (row[n] ?? "").length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0)))
      .join("  ");
  const rule = widths.map((width) => "-".repeat(width));
  return `${[header, rule, ...rows].map(line).join("\n")}\n`;
}

function milliseconds({ p50Ms, p99Ms, p999Ms }: Figures["latency"]): string[] {
  return [p50Ms, p99Ms, p999Ms].map((ms) => ms.toFixed(1));
}

function megabytes(bytes: number): string {
  return whole(bytes / 1e6);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en-GB");
}
