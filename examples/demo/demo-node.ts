import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const NODE = fileURLToPath(new URL("../../packages/node/main.ts", import.meta.url));

const COIN = { name: "Test Coin", symbol: "TST", decimal: 8, totalsupply: String(10n ** 18n) };

/** Why the demonstration cannot begin, in words for whoever has started it. */
export class DemoProblem extends Error {
  override readonly name: string = "DemoProblem";
}

/** A node of the demonstration's own: a process with a new ledger in a folder of its own. */
export class DemoNode {
  readonly url: string;
  /** Its data directory. */
  readonly data: string;
  /** Resolves with the exit code when the process has ended. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  private constructor(url: string, { data, child, ended }: Started) {
    this.url = url;
    this.data = data;
    this.ended = ended;
    this.#child = child;
  }

  /** Starts a new ledger in `data`, which must be empty, by default in a temporary folder. */
  static async start(options: {
    readonly port: string;
    readonly data?: string | undefined;
  }): Promise<DemoNode> {
    const data = emptyFolder(options.data);
    writeGenesis(data);
    // biome-ignore format: a flag and its value belong together
    const flags = ["--data", data, "--port", options.port, "--host", "127.0.0.1",
      "--deployment", "test", "--log-level", "warn"];
    const child = spawn(process.execPath, [NODE, "serve", ...flags], {
      // A process group of its own: on Ctrl-C the world stops before the node does.
      detached: true,
      windowsHide: true,
      stdio: ["ignore", "pipe", "inherit"],
      env: withoutSettings(),
    });
    process.once("exit", () => child.kill());
    const ended = once(child, "exit").then(([code]) => code as number | null);
    for await (const line of createInterface({ input: child.stdout })) {
      const [url] = /(?<=^listening on )http:\S+/.exec(line) ?? [];
      if (url !== undefined) {
        child.stdout.resume(); // what else it prints
        return new DemoNode(url, { data, child, ended });
      }
    }
    const code = await ended;
    removeFolder(data);
    throw new DemoProblem(
      `the node ended at its start, with exit code ${code}. If the port is in use: npm run demo -- --port 20923`,
    );
  }

  /** Shuts the node down, and waits until it has ended. */
  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.ended;
  }

  /** Removes its data directory. */
  remove(): void {
    removeFolder(this.data);
  }
}

interface Started {
  readonly data: string;
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
}

function removeFolder(data: string): void {
  rmSync(data, { recursive: true, force: true });
}

function emptyFolder(given: string | undefined): string {
  if (given === undefined) {
    return mkdtempSync(join(tmpdir(), "moneta-demo-"));
  }
  const folder = resolve(given);
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new DemoProblem(
      `${folder} is not empty, and the demonstration always begins anew: remove it, or name another folder with --data`,
    );
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** A ledger whose auctions may be as short as one likes, with a faucet. */
function writeGenesis(data: string): void {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publickey = publicKey.export({ type: "spki", format: "pem" });
  const genesis = {
    ledger: "localhost/demo",
    note: "the demonstration: npm run demo",
    protocol: 3, // with groups and orders
    auctionMin: 0,
    coin: { ...COIN, treasury: [{ publickey, amount: COIN.totalsupply }] },
  };
  const pem = privateKey.export({ type: "pkcs8", format: "pem" });
  writeFileSync(join(data, "treasury.pem"), pem, { mode: 0o600 });
  writeFileSync(join(data, "genesis.json"), JSON.stringify(genesis), { mode: 0o600 });
}

/** Our environment without settings of a node that are meant for another one. */
function withoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("MONETA_")),
  );
}
