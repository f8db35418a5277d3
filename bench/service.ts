import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { CLIENT_VARIABLES } from "../packages/node/settings.ts";
import { cleanUpAtExit, ended } from "../packages/node/testing/exit-cleanup.ts";

export interface ServiceOptions {
  readonly main: string;
  readonly data: string;
  readonly more?: readonly string[];
  readonly watchesTurns?: boolean;
}

const V8_FLAGS = ["--max-semi-space-size=32"];
const START_MS = 60_000;
const STOP_MS = 60_000;
const TURN_WATCH = new URL("./turn-watch.ts", import.meta.url).href;

export class Service implements AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  readonly #process: ChildProcess;
  #isKilled = false;

  private constructor(process: ChildProcess, { pid, port }: { pid: number; port: number }) {
    this.#process = process;
    this.pid = pid;
    this.port = port;
  }

  /** Resolves when the node prints its port. */
  static async start({ main, data, more = [], watchesTurns }: ServiceOptions): Promise<Service> {
    const listen = ["--host", "127.0.0.1", "--port", "0", "--operator-listen", "public"];
    const flags = ["--data", data, ...listen, "--deployment", "test", "--log-level", "warn"];
    const watch = watchesTurns ? ["--import", TURN_WATCH] : [];
    const child = spawn(
      process.execPath,
      [...V8_FLAGS, ...watch, main, "serve", ...flags, ...more],
      {
        env: nodeEnvironment(),
        stdio: ["ignore", "pipe", "inherit", ...(watchesTurns ? (["ipc"] as const) : [])],
      },
    );
    const killIt = () => child.kill("SIGKILL");
    const forget = cleanUpAtExit(killIt);
    child.once("exit", forget);
    await once(child, "spawn");
    try {
      return new Service(child, { pid: child.pid as number, port: await announcedPort(child) });
    } catch (error) {
      killIt();
      throw error;
    }
  }

  /** CPU of the main thread's longest turn since the last call, ms. Throws if the node ends. */
  async longestTurnMs(): Promise<number> {
    const child = this.#process;
    const answered = Promise.withResolvers<number>();
    const fail = () => answered.reject(new Error("the service has ended"));
    child.once("message", answered.resolve);
    child.once("exit", fail);
    child.send("turns", (error) => error && fail());
    return await answered.promise.finally(() => child.off("exit", fail));
  }

  async kill(): Promise<void> {
    this.#isKilled = this.#process.kill("SIGKILL");
    await ended(this.#process);
  }

  async end(): Promise<void> {
    await this[Symbol.asyncDispose]().catch(() => undefined);
  }

  /** Throws if the node does not end by itself and with exit code 0, or was killed. */
  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#process;
    if (child.exitCode === null && child.signalCode === null) {
      const killIt = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      child.kill("SIGTERM");
      await ended(child);
      clearTimeout(killIt);
    }
    if (child.exitCode !== 0 && !this.#isKilled) {
      throw new Error(`the service ended with ${child.exitCode ?? child.signalCode}`);
    }
  }
}

const FOREIGN = [
  ...CLIENT_VARIABLES,
  ...["MONETA_CONFIG", "MONETA_GENESIS", "MONETA_FAUCET_KEY", "MONETA_WEBHOOKS"],
  ...["MONETA_LOG", "MONETA_LOG_KEY", "MONETA_LOG_PASSWORD_FILE", "MONETA_LOG_SCHEMA"],
  ...["MONETA_TLS_CERT", "MONETA_TLS_KEY"],
];

/** `MONETA_...` variables set what is compared; unrelated variables are left out. */
export function nodeEnvironment(): NodeJS.ProcessEnv {
  const without = new Set(["UV_THREADPOOL_SIZE", "TEST_KEEP", ...FOREIGN]);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !without.has(name)));
}

async function announcedPort(child: ChildProcess): Promise<number> {
  if (child.stdout === null) {
    throw new Error("stdout is piped");
  }
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  createInterface(child.stdout).on("line", (line) => {
    const port = /^listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port !== undefined) {
      resolve(Number(port));
    }
  });
  child.once("exit", (code) => reject(new Error(`the service ended at its start with ${code}`)));
  const late = () => reject(new Error(`the service does not listen after ${START_MS / 1000} s`));
  const timeout = setTimeout(late, START_MS);
  return await promise.finally(() => clearTimeout(timeout));
}
