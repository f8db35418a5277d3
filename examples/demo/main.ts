// `npm run demo`: a node of its own with a small world that lives, until Ctrl-C.
import { once } from "node:events";
import { parseArgs } from "node:util";
import { Moneta } from "@moneta/sdk";
import { DemoNode, DemoProblem } from "./demo-node.ts";
import { fillWorld } from "./fill-world.ts";
import { liveOn } from "./live-on.ts";

const HELP = `npm run demo -- [options]
  --port N     port of the node [20922]; 0 takes a free one
  --seed N     the same number makes the same choices of who buys what [1]
  --data DIR   an empty folder for the ledger, which is kept; by default a temporary one, removed at the end
  --once       fill the ledger, then stop, and keep the folder`;

interface Options {
  readonly port: string;
  readonly seed: number;
  readonly data: string | undefined;
  readonly once: boolean;
}

function readOptions(args: readonly string[]): Options | undefined {
  let given: ReturnType<typeof parsed>;
  try {
    given = parsed(args);
  } catch (error) {
    throw new DemoProblem(`${(error as Error).message}\n${HELP}`);
  }
  const { port, seed, data, once, deployment, help } = given.values;
  if (deployment !== "test") {
    throw new DemoProblem(
      `the deployment is ${deployment}, but the demonstration runs on a test deployment only, which it starts itself`,
    );
  }
  if (!/^[0-9]{1,9}$/.test(seed)) {
    throw new DemoProblem(`--seed is "${seed}" but must be an integer from 0 to 999999999`);
  }
  return help ? undefined : { port, seed: Number(seed), data, once };
}

function parsed(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      port: { type: "string", default: "20922" },
      seed: { type: "string", default: "1" },
      data: { type: "string" },
      once: { type: "boolean", default: false },
      deployment: { type: "string", default: process.env["MONETA_DEPLOYMENT"] ?? "test" },
      help: { type: "boolean", default: false },
    },
  });
}

/** Starts the node, runs the world, and ends both at the first of the signals. */
async function demonstrate(options: Options): Promise<void> {
  process.stdout.on("error", () => {}); // a reader that is gone, as behind `| head`
  const ending = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => ending.abort());
  }
  const { signal } = ending;
  const aborted = once(signal, "abort");
  const node = await DemoNode.start(options);
  const isKept = options.once || options.data !== undefined;
  console.log(`The demonstration: a node with a small world.
  explorer  ${node.url}/explorer
  wallet    ${node.url}/wallet
  status    ${node.url}/status
  API       ${node.url}/docs
Data: ${node.data}${isKept ? "" : " (removed at the end)"}`);
  const crashed = node.ended.then((code) => {
    throw new DemoProblem(`the node has ended by itself, with exit code ${code}`);
  });
  try {
    await Promise.race([aborted, crashed, runWorld(node.url, options, signal)]);
  } finally {
    crashed.catch(() => {});
    console.log("Stopping.");
    await node.stop();
    if (!isKept) {
      node.remove();
    }
  }
}

async function runWorld(url: string, options: Options, signal: AbortSignal): Promise<void> {
  const start = performance.now();
  const moneta = new Moneta(url);
  const tell = (line: string): void => console.log(`  ${line}`);
  const world = await fillWorld(moneta, { seed: options.seed, tell });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const [, size] = (await moneta.checkpoint()).split("\n");
  console.log(`${size} transactions in ${await moneta.height()} blocks, in ${seconds} s.`);
  if (options.once) {
    return;
  }
  console.log("Now people buy, bid, pay and list again. Ctrl-C ends the world and the node.");
  const written = await liveOn(world, { signal });
  if (!signal.aborted) {
    console.log(`The world rests after ${written} writes. The node runs on until Ctrl-C.`);
    await once(signal, "abort");
  }
}

try {
  const options = readOptions(process.argv.slice(2));
  await (options === undefined ? console.log(HELP) : demonstrate(options));
  process.exit(0); // requests that wait for the node are left
} catch (error) {
  console.error(error instanceof DemoProblem ? `demo: ${error.message}` : error);
  process.exit(1);
}
