import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { TemporaryDirectory } from "../../packages/node/testing/temporary-directory.ts";
import { measure } from "../measurement.ts";
import { type Population, populate } from "../population.ts";
import { report, reportNothing } from "../progress.ts";
import { transfersP256 } from "../scenarios.ts";
import { Service } from "../service.ts";
import { isThere, PAYEES, PAYERS, type Rate, type System, type Work } from "./double-entry.ts";
import { PEERS } from "./systems.ts";

const MAIN = fileURLToPath(new URL("../../packages/cli/moneta.mjs", import.meta.url));
const CLIENTS = { moneta: 128, peers: 64 };

const { values: flags } = parseArgs({ options: { seconds: { type: "string", default: "10" } } });
const seconds = Number(flags.seconds);

const [loadBefore = 0] = loadavg();

using temporary = new TemporaryDirectory("peers");
const data = join(temporary.path, "data");
const population = await makePopulation();
const moneta: System = {
  name: "Moneta, transfer-p256",
  answered: "done; block synced to the disk",
  measure: measureMoneta,
};

const rows: string[] = [];
for (const system of [moneta, ...PEERS].filter(({ command }) => !command || isThere(command))) {
  for (const payees of [PAYEES, 1]) {
    report(`${system.name}: ${payees} payees`);
    const work = { payees, seconds, clients: CLIENTS.peers, folder: temporary.path };
    try {
      rows.push(rowOf(system, work, await system.measure(work)));
    } catch (error) {
      process.stderr.write(`FAILED: ${system.name}: ${(error as Error).message}\n`);
      process.exitCode = 1;
    }
  }
}
reportNothing();

const absent = PEERS.filter(({ command }) => command && !isThere(command)).map(({ name }) => name);
const at = `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`;
console.log(`${at}, ${cpus()[0]?.model}, ${availableParallelism()} cores, which the load generator shares, ${seconds} s each, load average before: ${loadBefore.toFixed(1)}.${absent.length > 0 ? ` Not on this machine: ${absent.join("; ")}.` : ""}

| system | payees | payments/s | server's CPU µs each | signed | when it answers |
|---|---|---|---|---|---|
${rows.join("\n")}`);

function rowOf({ name, answered }: System, { payees }: Work, rate: Rate): string {
  const figures = [payees, rate.perSecond, rate.microseconds].map((figure) =>
    Math.round(figure).toLocaleString("en"),
  );
  return `| ${[name, ...figures, name === moneta.name ? "by the payer, P-256" : "nothing", answered].join(" | ")} |`;
}

async function measureMoneta({ payees: count }: Work): Promise<Rate> {
  const payees = population.payees.slice(0, count);
  const scenario = { ...transfersP256, hasHalfRate: false };
  const { failures, firstFailure, perSecond, usage } = await measure(scenario, {
    ...{ main: MAIN, data, service: 1, population: { ...population, payees }, seconds },
    ...{ connections: CLIENTS.moneta, warmUpSeconds: 2 },
  });
  if (failures > 0) {
    throw new Error(firstFailure);
  }
  return { perSecond, microseconds: usage.threads.reduce((sum, one) => sum + one.microseconds, 0) };
}

async function makePopulation(): Promise<Population> {
  report("creating and funding addresses");
  await using service = await Service.start({ main: MAIN, data });
  const size = { payersPerCurve: PAYERS, payees: PAYEES, needs: new Set<never>() };
  return await populate(service.port, new Set(), size);
}
