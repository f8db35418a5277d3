import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { TemporaryDirectory } from "../packages/node/testing/temporary-directory.ts";
import { type ClusterFigures, runCluster } from "./cluster.ts";
import { grow, growAddresses } from "./grow.ts";
import { type Figures, measure, medianRounds, type Settings } from "./measurement.ts";
import { type Pages, runPages } from "./pages.ts";
import { type Population, type PopulationSize, populate } from "./population.ts";
import { report, reportNothing } from "./progress.ts";
import { runsOnCluster, SCENARIOS, type Scenario } from "./scenarios.ts";
import { nodeEnvironment, Service, type ServiceOptions } from "./service.ts";
import { clusterTables, figureTables, pagesTable, worstTable } from "./tables.ts";
import { runWorst, type WorstFigures } from "./worst.ts";
import { WORST_CASES, type WorstCase } from "./worst-cases.ts";

const CLUSTER_SCENARIOS = ["transfer-p256", "transfer-p384"];
const ALL_SCENARIOS: readonly string[] = SCENARIOS.map(({ name }) => name);

const HELP = `usage: npm run bench -- [flags]

  --scenario NAME[,NAME]  pages, worst, or of these, which without the flag are all measured:
                          ${ALL_SCENARIOS.join(", ")}
  --seconds N             measure each scenario for so long (default 10)
  --case TEXT             in the scenario worst only cases whose name has this text
  --connections N         requests under way at a time in the closed loop (default 128)
  --transactions N        in the scenario pages (default 1000000)
  --ledger-size N         make the ledger larger by so many transfers before measuring, past
                          HTTP and signatures (default 0)
  --more-payees N         pay to so many further addresses, created past HTTP (default 0)
  --quick                 fewer addresses, 2 seconds each: to see whether everything works
  --cluster N             instead: transfers (or --scenario) on one node with the local log, on one
                          over a PostgreSQL of its own, and on 1 to N with a synchronous standby
  --service 'FILE [FLAG ...][,...]'
                          the moneta.mjs to run, and flags of the node; several take turns in each
                          scenario, each with a ledger of its own
  --rounds N              measure so often, and show the round with the median CPU (default 1)
`;

// Without this, Node's thread pool has 4 threads and the raw rate would be that of 4 cores.
process.env["UV_THREADPOOL_SIZE"] ??= String(Math.max(4, availableParallelism()));

const FLAGS = {
  options: {
    scenario: { type: "string" },
    seconds: { type: "string" },
    case: { type: "string", default: "" },
    connections: { type: "string", default: "128" },
    transactions: { type: "string", default: "1000000" },
    "ledger-size": { type: "string", default: "0" },
    "more-payees": { type: "string", default: "0" },
    quick: { type: "boolean", default: false },
    cluster: { type: "string" },
    rounds: { type: "string", default: "1" },
    service: {
      type: "string",
      default: fileURLToPath(new URL("../packages/cli/moneta.mjs", import.meta.url)),
    },
    help: { type: "boolean", default: false },
  },
} as const;
const flags = orUsage(() => parseArgs(FLAGS).values);

if (flags.help) {
  process.stdout.write(HELP);
} else {
  await bench(orUsage(wantedOf));
}

function orUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    const { message } = thrown as Error;
    process.stderr.write(`bench: ${message}\n\n${HELP}`);
    process.exit(2);
  }
}

function wantedOf() {
  const nodesMax = flags.cluster === undefined ? 0 : whole("cluster", flags.cluster);
  const names = flags.scenario?.split(",") ?? (nodesMax > 0 ? CLUSTER_SCENARIOS : ALL_SCENARIOS);
  if (nodesMax > 0) {
    assertFitsCluster(names);
  }
  const services = flags.service.split(",").map((service) => {
    const [main = "", ...more] = service.trim().split(/\s+/);
    return { main, more };
  });
  const { scenarios, hasPages, worstCases } = chosen(names);
  if (services.length > 1 && (nodesMax > 0 || hasPages || worstCases.length > 0)) {
    throw new Error("--cluster and the scenarios pages and worst take one --service");
  }
  if (services.some(({ more }) => more.length > 0) && (nodesMax > 0 || hasPages)) {
    throw new Error("--cluster and the scenario pages take no flags in --service");
  }
  return {
    nodesMax,
    services,
    ...{ scenarios, hasPages, worstCases },
    rounds: whole("rounds", flags.rounds),
    extent: {
      connections: whole("connections", flags.connections),
      seconds: positive("seconds", flags.seconds ?? (flags.quick ? "2" : "10")),
      warmUpSeconds: flags.quick ? 1 : 2,
    },
    transactions: whole("transactions", flags.transactions),
    ledgerSize: flags["ledger-size"] === "0" ? 0 : whole("ledger-size", flags["ledger-size"]),
    morePayees: flags["more-payees"] === "0" ? 0 : whole("more-payees", flags["more-payees"]),
  };
}

type Wanted = ReturnType<typeof wantedOf>;

interface Results {
  readonly figures: Figures[];
  readonly cluster: ClusterFigures[];
  readonly worst: WorstFigures[];
  pages?: Pages;
  failed?: string;
}

async function bench(wanted: Wanted): Promise<void> {
  const results: Results = { figures: [], cluster: [], worst: [] };
  try {
    await measureAll(wanted, results);
  } catch (error) {
    results.failed = explained(error);
  }
  reportNothing();
  const { figures, cluster, pages, worst, failed } = results;
  if (figures.length + cluster.length + worst.length > 0 || pages !== undefined) {
    const tables = [
      ...(figures.length > 0 ? [figureTables(medianRounds(figures))] : []),
      ...(cluster.length > 0 ? [clusterTables(cluster)] : []),
      ...(pages === undefined ? [] : [pagesTable(pages)]),
      ...(worst.length > 0 ? [worstTable(worst)] : []),
    ];
    process.stdout.write(`${tables.join("\n")}\n`);
    process.stdout.write(`All of it: ${writeResult(results)}\n`);
  }
  const failures = [
    ...[...figures, ...cluster]
      .filter((each) => each.failures > 0)
      .map((each) => `${each.failures} requests, the first one with ${each.firstFailure}`),
    ...worst
      .filter(({ block, transfer }) => block === undefined || transfer === undefined)
      .map(({ name }) => `the node did not answer during "${name}"`),
    ...(failed === undefined ? [] : [failed]),
  ];
  for (const failure of failures) {
    process.stderr.write(`FAILED: ${failure}\n`);
  }
  process.exit(failures.length > 0 ? 1 : 0);
}

async function measureAll(
  { nodesMax, services, scenarios, hasPages, worstCases, rounds, ...wanted }: Wanted,
  results: Results,
): Promise<void> {
  const { extent, transactions, ledgerSize, morePayees } = wanted;
  const size = flags.quick
    ? { payersPerCurve: 200, payees: 2_000 }
    : { payersPerCurve: 2_000, payees: 10_000 };
  using temporary = new TemporaryDirectory("bench");
  const directory = temporary.path;
  const main = services[0]?.main ?? "";
  if (nodesMax > 0) {
    const settings = { ...extent, main, directory, size };
    for await (const figures of runCluster(nodesMax, scenarios, settings)) {
      results.cluster.push(figures);
    }
    return;
  }
  if (hasPages) {
    results.pages = await runPages(transactions, { main, data: join(directory, "wide") });
  }
  const needs = new Set(scenarios.flatMap((scenario) => scenario.needs ?? []));
  const all: Settings[] = [];
  for (const [index, service] of services.entries()) {
    if (scenarios.length + worstCases.length > 0) {
      const node = { ...service, data: join(directory, `data-${index + 1}`) };
      const made = await makePopulation(node, scenarios, { ...size, needs });
      const more = morePayees === 0 ? [] : await growAddresses(node.data, morePayees);
      const population = { ...made, payees: [...made.payees, ...more] };
      all.push({ ...node, ...extent, service: index + 1, population });
      if (ledgerSize > 0) {
        const payers = population.payers.p256.map(({ address }) => address);
        await grow(node.data, ledgerSize, { payers, payees: population.payees });
      }
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const scenario of scenarios) {
      for (const settings of round % 2 === 0 ? all : all.toReversed()) {
        results.figures.push(await measure(scenario, settings));
      }
    }
  }
  if (worstCases.length > 0) {
    for await (const figures of runWorst(worstCases, all[0] as Settings)) {
      results.worst.push(figures);
    }
  }
}

function chosen(list: readonly string[]): {
  scenarios: readonly Scenario[];
  hasPages: boolean;
  worstCases: readonly WorstCase[];
} {
  const names = new Set(list);
  const scenarios = SCENARIOS.filter(({ name }) => names.delete(name));
  const hasPages = names.delete("pages");
  if (flags.case !== "" && !names.has("worst")) {
    throw new Error("--case goes with --scenario worst");
  }
  const worstCases = names.delete("worst") ? chosenCases() : [];
  if (names.size > 0) {
    throw new Error(`there is no scenario ${[...names].join(", ")}`);
  }
  return { scenarios, hasPages, worstCases };
}

function chosenCases(): readonly WorstCase[] {
  const cases = WORST_CASES.filter(({ name }) => name.includes(flags.case));
  if (cases.length === 0) {
    const names = WORST_CASES.map(({ name }) => `\n  ${name}`);
    throw new Error(
      `there is no case with "${flags.case}" in its name. All cases:${names.join("")}`,
    );
  }
  return cases;
}

function assertFitsCluster(names: readonly string[]): void {
  const fit = SCENARIOS.filter(runsOnCluster).map(({ name }) => name);
  const unfit = names.filter((name) => !fit.includes(name));
  if (unfit.length > 0) {
    throw new Error(`--cluster measures only ${fit.join(", ")}, not ${unfit.join(", ")}`);
  }
  const ignored = (["transactions", "ledger-size", "more-payees"] as const).find(
    (name) => flags[name] !== FLAGS.options[name].default,
  );
  if (ignored !== undefined) {
    throw new Error(`--cluster goes without --${ignored}`);
  }
}

function positive(flag: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) {
    throw new Error(`--${flag} must be a number above 0, not "${text}"`);
  }
  return value;
}

function whole(flag: string, text: string): number {
  const value = positive(flag, text);
  if (!Number.isSafeInteger(value)) {
    throw new Error(`--${flag} must be a whole number, not "${text}"`);
  }
  return value;
}

async function makePopulation(
  node: ServiceOptions,
  scenarios: readonly Scenario[],
  size: PopulationSize,
): Promise<Population> {
  report("creating and funding addresses");
  await using service = await Service.start(node);
  const curves = new Set(scenarios.flatMap(({ curve }) => curve ?? []));
  return await populate(service.port, curves, size);
}

function writeResult(results: Results): string {
  const folder = fileURLToPath(new URL("results/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const file = join(folder, `${at.replaceAll(":", "-")}.json`);
  const machine = { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version };
  const variables = Object.entries(nodeEnvironment()).filter(([name]) =>
    name.startsWith("MONETA_"),
  );
  const settings = { ...flags, ...Object.fromEntries(variables) };
  const content = { at, commit: commit(), machine, settings, ...results };
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  return file;
}

/** First cause first: a dead node fails the load and then its own stop. */
function explained(error: unknown): string {
  if (error instanceof SuppressedError) {
    return `${explained(error.suppressed)}\nand then: ${explained(error.error)}`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function commit(): string | undefined {
  try {
    const cwd = import.meta.dirname;
    return execFileSync("git", ["describe", "--always", "--dirty"], {
      cwd,
      encoding: "utf8",
    }).trim();
  } catch {
    return undefined;
  }
}
