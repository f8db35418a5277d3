import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cleanUpAtExit } from "./exit-cleanup.ts";
import { TemporaryDirectory } from "./temporary-directory.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
/** As in this process: they save a tenth of the CPU of a short life. */
const V8_OPTIONS = process.execArgv.filter((each) => /gc|semi-space/.test(each));
const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 120_000;
const OUTPUT_KEPT = 20_000; // characters

export interface ServiceOptions {
  /** Data directory, left alone at the end. Without it a temporary one, removed at the end. */
  readonly data?: string;
  /** Keeps the temporary data directory, and returns its path. */
  readonly keepsData?: boolean;
  readonly more?: readonly string[];
  /** `MONETA_...` variables; those of the environment never reach the service. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The program and its first arguments; the sources by default. */
  readonly program?: readonly [string, ...string[]];
}

/**
 * The service as a process: `await using service = await ServiceProcess.start()`. The end of the
 * scope stops it, and throws if it had ended by itself or does not shut down with exit code 0.
 */
export class ServiceProcess implements AsyncDisposable {
  /** Its URL, without a slash at the end. */
  readonly url: string;
  readonly dataDirectory: string;
  readonly #running: RunningNode;
  readonly #temporary: TemporaryDirectory | undefined;

  private constructor(
    url: string,
    dataDirectory: string,
    running: RunningNode,
    temporary: TemporaryDirectory | undefined,
  ) {
    this.url = url;
    this.dataDirectory = dataDirectory;
    this.#running = running;
    this.#temporary = temporary;
  }

  /**
   * Starts it and waits until it responds to requests. Rejects with its output if that takes too
   * long or it ends.
   */
  static async start(options: ServiceOptions = {}): Promise<ServiceProcess> {
    const temporary = options.data === undefined ? new TemporaryDirectory("service") : undefined;
    if (options.keepsData) {
      temporary?.keep();
    }
    const data = options.data ?? join((temporary as TemporaryDirectory).path, "data");
    const running = runningOn(data, options);
    try {
      const url = await running.ready();
      return new ServiceProcess(url, data, running, temporary);
    } catch (error) {
      temporary?.[Symbol.dispose]();
      throw error;
    }
  }

  /**
   * Starts it in a state in which it cannot serve, and kills it once its output shows why. Rejects
   * with the output if it serves, ends, or prints no such text in time.
   */
  static async waits(why: RegExp, options: ServiceOptions): Promise<void> {
    using temporary = new TemporaryDirectory("service");
    const running = runningOn(options.data ?? join(temporary.path, "data"), options);
    const url = await Promise.race([running.says(why), running.ready()]);
    await running.end("SIGKILL");
    assert.ok(url === undefined && !running.hasEndedByItself, running.output());
  }

  get pid(): number {
    return this.#running.pid;
  }

  output(): string {
    return this.#running.output();
  }

  /** Requests a shutdown (SIGTERM), waits for it, and returns its exit code. */
  async stop(): Promise<number> {
    const end = await this.#running.end("SIGTERM");
    if (end.code === null) {
      throw new Error(`the service ended by ${end.signal}\n${this.output()}`);
    }
    return end.code;
  }

  /**
   * Waits for its end after a fault that must end it; otherwise requests a shutdown. Returns its
   * exit code.
   */
  async finish(): Promise<number> {
    const end = await this.#running.end("SIGTERM");
    this.#running.hasEndedByItself = false;
    if (end.code === null) {
      throw new Error(`the service ended by ${end.signal}\n${this.output()}`);
    }
    return end.code;
  }

  async endedByItself(): Promise<number | null> {
    const { code } = await this.#running.ended;
    this.#running.hasEndedByItself = false;
    return code;
  }

  /** Closes its standard output and error, as if their reader had ended. */
  closeOutput(): void {
    this.#running.closeOutput();
  }

  /** Kills it (SIGKILL), as a crash would, and waits until it is gone. */
  async kill(): Promise<void> {
    await this.#running.end("SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      const wasRunning = this.#running.isRunning;
      const { code, signal } = await this.#running.end("SIGTERM");
      if (this.#running.hasEndedByItself || (wasRunning && code !== 0)) {
        const how = wasRunning ? "when it was asked to" : "by itself";
        throw new Error(`the service ended ${how}, with ${signal ?? code}\n${this.output()}`);
      }
    } finally {
      this.#temporary?.[Symbol.dispose]();
    }
  }
}

/** Runs a command of `moneta` to its end, such as `verify DIR`. */
export function runMoneta(
  ...command: readonly string[]
): Promise<{ readonly exitCode: number; readonly output: string }> {
  return runMonetaIn({}, ...command);
}

/** As `runMoneta`, with additional `environment`. */
export async function runMonetaIn(
  environment: Readonly<Record<string, string>>,
  ...command: readonly string[]
): Promise<{ readonly exitCode: number; readonly output: string }> {
  const running = new RunningNode(command, environment);
  const { code, signal } = await running.ended;
  if (code === null) {
    throw new Error(`moneta ${command.join(" ")} ended by ${signal}\n${running.output()}`);
  }
  return { exitCode: code, output: running.output() };
}

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process of packages/node/main.ts, started without npm, which would not pass signals on. */
class RunningNode {
  readonly ended: Promise<End>;
  hasEndedByItself = false;
  readonly #child: ChildProcess;
  readonly #url = Promise.withResolvers<string>();
  #output = "";
  #isAskedToEnd = false;

  constructor(
    command: readonly string[],
    environment: Readonly<Record<string, string>>,
    [file, ...first]: NonNullable<ServiceOptions["program"]> = [
      process.execPath,
      ...V8_OPTIONS,
      MAIN,
    ],
  ) {
    this.#child = spawn(file, [...first, ...command], {
      // Tests do not expect the blocks of state roots.
      env: { ...surroundings(), MONETA_STATE_ROOTS: "0", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const forget = cleanUpAtExit(() => this.#child.kill("SIGKILL"));
    eachLine(this.#child.stderr, (line) => this.#keep(line));
    eachLine(this.#child.stdout, (line) => {
      this.#keep(line);
      const url = /(?<=^listening on )http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (url !== undefined) {
        this.#url.resolve(url);
      }
    });
    this.ended = new Promise((resolve, reject) => {
      this.#child.once("error", reject);
      this.#child.once("close", (code, signal) => {
        forget();
        this.hasEndedByItself = !this.#isAskedToEnd;
        resolve({ code, signal });
      });
    });
    this.ended.catch(() => forget()); // the caller that waits for the end gets the error as well
  }

  get pid(): number {
    return this.#child.pid ?? Number.NaN;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  output(): string {
    return this.#output;
  }

  /** The URL that it prints once it responds to requests. Kills it if that takes too long. */
  async ready(): Promise<string> {
    const url = await Promise.race([
      this.#url.promise,
      this.ended.then(() => "ended" as const),
      delay(READY_WITHIN_MS, "late" as const, { ref: false }),
    ]);
    if (url === "ended") {
      throw new Error(`the service ended at its start\n${this.#output}`);
    }
    if (url === "late") {
      await this.end("SIGKILL");
      throw new Error(`the service did not answer within ${READY_WITHIN_MS} ms\n${this.#output}`);
    }
    return url;
  }

  /** Waits until its output has the words, or it ends. */
  async says(words: RegExp): Promise<undefined> {
    while (!words.test(this.#output) && this.isRunning) {
      await delay(50, undefined, { ref: false });
    }
  }

  closeOutput(): void {
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  /** Sends the signal, if it still runs, and waits for its end. Kills it if that takes too long. */
  async end(signal: NodeJS.Signals): Promise<End> {
    if (this.isRunning) {
      this.#isAskedToEnd = true;
      this.#child.kill(signal);
    }
    const late = new AbortController();
    const end = await Promise.race([
      this.ended,
      delay(STOP_WITHIN_MS, undefined, { signal: late.signal }),
    ]);
    late.abort();
    if (end === undefined) {
      this.#child.kill("SIGKILL");
      await this.ended;
      throw new Error(`the service did not end within ${STOP_WITHIN_MS} ms\n${this.#output}`);
    }
    return end;
  }

  #keep(line: string): void {
    this.#output = `${this.#output}${line}\n`.slice(-OUTPUT_KEPT);
  }
}

function eachLine(stream: Readable | null, take: (line: string) => void): void {
  if (stream !== null) {
    createInterface({ input: stream }).on("line", take);
  }
}

function runningOn(
  data: string,
  { more = [], environment = {}, program }: ServiceOptions,
): RunningNode {
  return new RunningNode(
    // biome-ignore format: a flag and its value belong together
    ["serve", "--data", data, "--host", "127.0.0.1", "--port", "0", "--deployment", "test",
     "--log-level", "warn", "--operator-listen", "public",
     ...(more.includes("--threads") ? [] : ["--threads", "1"]), ...more],
    environment,
    program,
  );
}

/** Our environment without settings of the service that a developer may have exported. */
function surroundings(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("MONETA_")),
  );
}

/** The most memory that a process has had so far; Linux alone. */
export function peakBytes(pid: number): number {
  const [, kibibytes = ""] =
    /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) * 1024;
}
