// `npm run demo`: a node of its own with a small world that lives, until Ctrl-C.
import { once } from "node:events";
import { parseArgs } from "node:util";
import { Moneta } from "@moneta/sdk";
import { isFree } from "../../packages/node/testing/free-port.ts";
import { DemoCluster } from "./demo-cluster.ts";
import { DemoNode, DemoProblem, type Running, WrongUse } from "./demo-node.ts";
import { fillWorld } from "./fill-world.ts";
import { liveOn } from "./live-on.ts";

const HELP = `npm run demo -- [options]
  --port N     port of the node, 0 for a free one [20922, a free one if that is in use]
  --nodes N    a cluster of 2 to 5 nodes, at this port and those after it, over a PostgreSQL with a standby
  --seed N     the same number makes the same choices of who buys what [1]
  --data DIR   an empty folder for the ledger, which is kept; by default a temporary one, removed at the end
  --once       fill the ledger, then stop, and keep the folder`;

const PORT_DEFAULT = 20922;

interface Options {
  /** Undefined if absent. */
  readonly port: string | undefined;
  /** 1 is a node with a database of its own, more are a cluster. */
  readonly nodes: number;
  readonly seed: number;
  readonly data: string | undefined;
  readonly once: boolean;
}

function readOptions(args: readonly string[]): Options | undefined {
  let given: ReturnType<typeof parsed>;
  try {
    given = parsed(args);
  } catch (error) {
    throw new WrongUse(`${(error as Error).message}\n${HELP}`);
  }
  const { port, nodes, seed, data, once, deployment, help } = given.values;
  if (deployment !== "test") {
    throw new WrongUse(
      `the deployment is ${deployment}, but the demonstration runs on a test deployment only, which it starts itself`,
    );
  }
  if (!/^[0-9]{1,9}$/.test(seed)) {
    throw new WrongUse(`--seed is "${seed}" but must be an integer from 0 to 999999999`);
  }
  if (!/^[1-5]$/.test(nodes)) {
    throw new WrongUse(`--nodes is "${nodes}" but must be an integer from 1 to 5`);
  }
  if (nodes !== "1" && (once || data !== undefined)) {
    throw new WrongUse(
      "a cluster is not kept, because its PostgreSQL is not: leave out --once and --data, or --nodes",
    );
  }
  return help ? undefined : { port, nodes: Number(nodes), seed: Number(seed), data, once };
}

function parsed(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      port: { type: "string" },
      nodes: { type: "string", default: "1" },
      seed: { type: "string", default: "1" },
      data: { type: "string" },
      once: { type: "boolean", default: false },
      deployment: { type: "string", default: process.env["MONETA_DEPLOYMENT"] ?? "test" },
      help: { type: "boolean", default: false },
    },
  });
}

/** Starts the deployment, runs the world, and ends both at the first of the signals. */
async function demonstrate(options: Options): Promise<void> {
  process.stdout.on("error", () => {}); // a closed reader, as after `| head`
  const ending = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => ending.abort());
  }
  const { signal } = ending;
  const aborted = once(signal, "abort");
  const running = await start(options);
  const isKept = options.once || options.data !== undefined;
  const [url] = running.urls;
  console.log(`The demonstration: ${running instanceof DemoCluster ? "a cluster" : "a node"} with a small world.
  explorer  ${url}/explorer
  wallet    ${url}/wallet
  status    ${url}/status
  API       ${url}/docs
Data: ${running.data}${isKept ? "" : " (removed at the end)"}`);
  if (running instanceof DemoCluster) {
    introduce(running);
  }
  const crashed = running.ended.then((code) => {
    throw new DemoProblem(`the node has ended by itself, with exit code ${code}`);
  });
  try {
    await Promise.race([aborted, crashed, runWorld(running.urls, options, signal)]);
  } finally {
    crashed.catch(() => {});
    console.log("Stopping.");
    await running.stop();
    if (!isKept) {
      running.remove();
    }
  }
}

async function start(options: Options): Promise<Running> {
  const port = options.port ?? (await defaultPort(options.nodes));
  return options.nodes === 1
    ? await DemoNode.start({ ...options, port })
    : await DemoCluster.start({ count: options.nodes, port, tell: console.log });
}

/** The default, unless it or one of those after it is in use, perhaps by `npm start`: then 0. */
async function defaultPort(nodes: number): Promise<string> {
  const ports = Array.from({ length: nodes }, (_, index) => PORT_DEFAULT + index);
  if ((await Promise.all(ports.map(isFree))).every(Boolean)) {
    return String(PORT_DEFAULT);
  }
  console.log(`Port ${ports.join(" or ")} is in use, perhaps by your own node: taking free ones.`);
  return "0";
}

function introduce({ urls, pids }: DemoCluster): void {
  const nodes = urls.map((url, index) => `  ${url}  process ${pids.nodes[index]}`);
  console.log(`Its nodes are equal, and have one ledger:
${nodes.join("\n")}
They keep it in a PostgreSQL, process ${pids.primary}, with a standby that has each block too.
Try kill -9 on any of these: the world continues.`);
}

async function runWorld(
  urls: readonly string[],
  options: Options,
  signal: AbortSignal,
): Promise<void> {
  const start = performance.now();
  const moneta = new Moneta(urls);
  const tell = (line: string): void => console.log(`  ${line}`);
  const world = await fillWorld(moneta, { seed: options.seed, tell });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const [, size] = (await moneta.checkpoint()).split("\n");
  console.log(`${size} transactions in ${await moneta.height()} blocks, in ${seconds} s.`);
  if (options.once) {
    return;
  }
  console.log("Now people buy, bid, pay and list again. Ctrl-C ends all of it.");
  const written = await liveOn(world, { signal });
  if (!signal.aborted) {
    console.log(`The world rests after ${written} writes. The ledger runs on until Ctrl-C.`);
    await once(signal, "abort");
  }
}

try {
  const options = readOptions(process.argv.slice(2));
  await (options === undefined ? console.log(HELP) : demonstrate(options));
  process.exit(0); // requests that wait for the node are left
} catch (error) {
  console.error(error instanceof DemoProblem ? `demo: ${error.message}` : error);
  process.exit(error instanceof WrongUse ? 2 : 1);
}
