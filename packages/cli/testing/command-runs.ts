import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { cleanUpAtExit } from "../../node/testing/exit-cleanup.ts";
import { TemporaryDirectory } from "../../node/testing/temporary-directory.ts";
import { runClient } from "../client.ts";
import { Output } from "../terminal/output.ts";

export const ENTRY: string = fileURLToPath(new URL("../moneta.mjs", import.meta.url));
const WITHIN_MS = 120_000;

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Longer writes are partial. */
  readonly fileKilobytes?: number;
}

/** A user with a home and a node, who runs moneta in processes or by calls. */
export class CommandRuns implements Disposable {
  readonly home: string;
  readonly environment: Record<string, string>;
  /** Arguments of successful commands. */
  readonly done: string[][] = [];
  readonly #running = new Set<ChildProcess>();
  readonly #temporary: TemporaryDirectory;

  /** Calls take a tenth of the CPU of processes. */
  isCalling = true;

  constructor(url: string) {
    this.#temporary = new TemporaryDirectory("cli");
    process.env["TZ"] = "UTC"; // for calls; processes get it from `environment`
    this.home = this.#temporary.path;
    this.environment = { HOME: this.home, MONETA_URL: url, TZ: "UTC" };
  }

  [Symbol.dispose](): void {
    for (const child of this.#running) {
      child.kill("SIGKILL");
    }
    this.#temporary[Symbol.dispose]();
  }

  file(name: string, content: string | Uint8Array): string {
    const path = join(this.home, name);
    writeFileSync(path, content);
    return path;
  }

  async newAddress(): Promise<string> {
    await this.moneta("key", "new");
    const address = (await this.moneta("address", "new")).trim();
    await this.moneta("faucet");
    return address;
  }

  start(
    args: readonly string[],
    { environment = {}, fileKilobytes }: RunOptions = {},
  ): ChildProcess {
    const surroundings = Object.entries(process.env).filter(
      ([name]) => !/^(MONETA_|XDG_|NO_COLOR|FORCE_COLOR)/.test(name),
    );
    const command = [process.execPath, ENTRY, ...args];
    const [program = "", ...rest] =
      fileKilobytes === undefined ? command : limited(command, fileKilobytes);
    const child = spawn(program, rest, {
      cwd: this.home,
      env: { ...Object.fromEntries(surroundings), ...this.environment, ...environment },
    });
    const forget = cleanUpAtExit(() => child.kill("SIGKILL"));
    this.#running.add(child);
    child.once("close", () => {
      this.#running.delete(child);
      forget();
    });
    return child;
  }

  async run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    const child = this.start(args, options);
    child.stdin?.on("error", () => undefined); // who does not read it may end before
    child.stdin?.end(options.input ?? "");
    const late = setTimeout(() => child.kill("SIGKILL"), WITHIN_MS);
    const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    clearTimeout(late);
    return this.#noted(args, { code, stdout: await stdout, stderr: await stderr });
  }

  /** In this process, with its standard input and working directory. */
  async call(args: readonly string[], more: RunOptions["environment"] = {}): Promise<Ran> {
    const [stdout, stderr] = [new Captured(), new Captured()];
    const own = { XDG_CONFIG_HOME: join(this.home, ".config"), ...this.environment };
    const environment = { ...own, ...more };
    const code = await runClient(args, new Output({ stdout, stderr }), environment);
    return this.#noted(args, { code, stdout: stdout.text, stderr: stderr.text });
  }

  /**
   * All that a terminal of 80 columns shows of a successful call. Colours follow `NO_COLOR` and
   * `TERM`.
   */
  async shown(
    args: readonly string[],
    { NO_COLOR = "", TERM = "xterm" }: { readonly NO_COLOR?: string; readonly TERM?: string } = {},
  ): Promise<string> {
    const { NO_COLOR: noColor, TERM: term } = process.env;
    const screen = Object.assign(new Captured(), { isTTY: true, columns: 80 });
    const output = new Output({ stdout: screen, stderr: screen });
    const environment = { XDG_CONFIG_HOME: join(this.home, ".config"), ...this.environment };
    Object.assign(process.env, { NO_COLOR, TERM });
    try {
      assert.equal(await runClient(args, output, environment), 0, screen.text);
    } finally {
      setVariable("NO_COLOR", noColor);
      setVariable("TERM", term);
    }
    return screen.text;
  }

  #noted(args: readonly string[], ran: Ran): Ran {
    assert.doesNotMatch(ran.stderr, /^ {4}at /m, `moneta ${args.join(" ")} fails`);
    if (ran.code === 0) {
      this.done.push([...args]);
    }
    return ran;
  }

  async #ran(args: readonly string[]): Promise<Ran> {
    return await (this.isCalling ? this.call(args) : this.run(args));
  }

  /** Must succeed. */
  async moneta(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.#ran(args);
    assert.equal(code, 0, `moneta ${args.join(" ")}\n${stderr}${stdout}`);
    return stdout;
  }

  /** As one JSON value. */
  async json<T>(...args: readonly string[]): Promise<T> {
    const printed = await this.moneta(...args, "--json");
    return JSON.parse(printed) as T;
  }

  /** Must end with this exit code. */
  async refused(code: number, ...args: readonly string[]): Promise<string> {
    const ran = await this.#ran(args);
    assert.equal(ran.code, code, `moneta ${args.join(" ")}\n${ran.stderr}${ran.stdout}`);
    assert.equal(ran.stdout, "", "errors are on stderr");
    return ran.stderr;
  }
}

/** Longer writes fail with EFBIG. */
function limited(command: readonly string[], kilobytes: number): readonly string[] {
  // A POSIX shell counts in blocks of 512 bytes.
  const script = `trap '' XFSZ; ulimit -f ${2 * kilobytes}; exec "$@"`;
  return ["sh", "-c", script, "moneta", ...command];
}

function setVariable(name: string, value: string | undefined): void {
  if (value === undefined) {
    delete process.env[name];
  } else {
    process.env[name] = value;
  }
}

class Captured extends Writable {
  readonly #pieces: Buffer[] = [];

  get text(): string {
    return Buffer.concat(this.#pieces).toString("utf8");
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#pieces.push(piece);
    done();
  }
}

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = "";
  for await (const chunk of stream ?? []) {
    text += chunk;
  }
  return text;
}
