import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const NODE = fileURLToPath(new URL("../../packages/cli/moneta.mjs", import.meta.url));

const COIN = { name: "Test Coin", symbol: "TST", decimal: 8, totalsupply: String(10n ** 18n) };

/** Why the demonstration cannot begin, as a message for its user. */
export class DemoProblem extends Error {
  override readonly name: string = "DemoProblem";
}

/** Arguments that the demonstration cannot do anything with. */
export class WrongUse extends DemoProblem {
  override readonly name: string = "WrongUse";
}

/** Where several nodes keep their blocks. */
export interface DemoLog {
  /** Of PostgreSQL, without a password. */
  readonly url: string;
  readonly password: string;
}

/** The deployment of the world, until it is stopped. */
export interface Running {
  /** Of each node. */
  readonly urls: readonly string[];
  readonly data: string;
  /** Resolves with the exit code when it has ended by itself. */
  readonly ended: Promise<number | null>;
  /** Shuts it down, and waits until it has ended. */
  stop(): Promise<void>;
  remove(): void;
}

/** A node of the demonstration's own: a process with a new ledger in a folder of its own. */
export class DemoNode implements Running {
  readonly url: string;
  readonly data: string;
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;
  readonly #log: DemoLog | undefined;

  private constructor(url: string, { data, log, child, ended }: Started) {
    this.url = url;
    this.data = data;
    this.ended = ended;
    this.#child = child;
    this.#log = log;
  }

  /**
   * Starts a new ledger in `data`, which must be empty, by default in a temporary folder; its
   * blocks are in `log`, if there is one.
   */
  static async start(options: {
    readonly port: string;
    readonly data?: string | undefined;
    readonly log?: DemoLog | undefined;
  }): Promise<DemoNode> {
    const data = emptyFolder(options.data);
    writeGenesis(data);
    try {
      return await DemoNode.#run({ ...options, data });
    } catch (error) {
      removeFolder(data);
      throw error;
    }
  }

  static async #run({ port, data, log }: Place): Promise<DemoNode> {
    // biome-ignore format: a flag and its value belong together
    const flags = ["--data", data, "--port", port, "--host", "127.0.0.1",
      "--deployment", "test", "--operator-listen", "public", "--log-level", log === undefined ? "warn" : "error",
      ...(log === undefined ? [] : ["--log", log.url])];
    const child = spawn(process.execPath, [NODE, "serve", ...flags], {
      // A process group of its own: on Ctrl-C the world stops before the node does.
      detached: true,
      windowsHide: true,
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...withoutSettings(), ...(log && { PGPASSWORD: log.password }) },
    });
    process.once("exit", () => child.kill());
    const ended = once(child, "exit").then(([code]) => code as number | null);
    for await (const line of createInterface({ input: child.stdout })) {
      const [url] = /(?<=^listening on )http:\S+/.exec(line) ?? [];
      if (url !== undefined) {
        child.stdout.resume(); // its further output
        return new DemoNode(url, { data, log, child, ended });
      }
    }
    const code = await ended;
    throw new DemoProblem(
      `the node ended at its start, with exit code ${code}. If the port is in use: npm run demo -- --port 20932`,
    );
  }

  get urls(): readonly string[] {
    return [this.url];
  }

  get pid(): number {
    return this.#child.pid ?? Number.NaN;
  }

  /** Another node over the same log, with the keys of this one, in an empty folder. */
  async join(options: { readonly port: string; readonly data: string }): Promise<DemoNode> {
    mkdirSync(options.data, { mode: 0o700 });
    for (const key of ["treasury.pem", "checkpoint.pem"]) {
      copyFileSync(join(this.data, key), join(options.data, key));
    }
    return await DemoNode.#run({ ...options, log: this.#log });
  }

  /** Starts it again, where it was, after it has ended. */
  async again(): Promise<DemoNode> {
    return await DemoNode.#run({ port: new URL(this.url).port, data: this.data, log: this.#log });
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.ended;
  }

  remove(): void {
    removeFolder(this.data);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.remove();
  }
}

interface Place {
  readonly port: string;
  readonly data: string;
  readonly log?: DemoLog | undefined;
}

interface Started {
  readonly data: string;
  readonly log: DemoLog | undefined;
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
    throw new WrongUse(
      `${folder} is not empty, and the demonstration always begins anew: remove it, or name another folder with --data`,
    );
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** A ledger with a faucet, whose auctions have no least duration. */
function writeGenesis(data: string): void {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publickey = publicKey.export({ type: "spki", format: "pem" });
  const genesis = {
    ledger: "localhost/demo",
    note: "the demonstration: npm run demo",
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
