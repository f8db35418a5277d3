import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ended } from "../exit-cleanup.ts";
import type { Printed, SampleRunner } from "./example-story.ts";

const WITHIN_MS = 120_000;

const WHOLE_TRANSACTION = /^event: transaction\n(.+\n)+\n/m;

export interface SampleLanguage {
  readonly label: string;
  /** Why samples cannot be run here; false if they can. */
  readonly missing: string | false;
  /** What samples that differ only in names and values have in common. */
  shapeOf(source: string): string;
  runner(directory: string): SampleRunner;
}

export const SAMPLE_LANGUAGES: readonly SampleLanguage[] = [
  {
    label: "curl",
    missing: missingOf(
      ["bash", "curl", "openssl"].filter((each) => spawnSync(each, ["version"]).error),
    ),
    // Each takes several processes.
    shapeOf: (source) =>
      [source.includes("'\\''"), ...source.matchAll(/ -[-\w]+|\$\w+|POST|PUT/g)].join(""),
    runner: (directory) => new ProcessRunner(directory, "sample.sh", ["bash", "-euo", "pipefail"]),
  },
  {
    label: "JavaScript",
    missing: false,
    shapeOf: (source) => source,
    runner: (directory) => new ModuleRunner(directory),
  },
];

function missingOf(missing: readonly string[]): string | false {
  return missing.length > 0 && `not on this machine: ${missing.join(", ")}`;
}

/** The node is local, so proxies of the environment are not used. */
const ENVIRONMENT = { ...process.env, no_proxy: "127.0.0.1", NO_PROXY: "127.0.0.1" };

class ProcessRunner implements SampleRunner {
  readonly #directory: string;
  readonly #name: string;
  readonly #command: readonly string[];

  constructor(directory: string, name: string, command: readonly string[]) {
    this.#directory = directory;
    this.#name = name;
    this.#command = command;
  }

  run(source: string, file?: string): Promise<Printed> {
    return this.#run(source, file, () => false);
  }

  runStream(source: string): Promise<Printed> {
    return this.#run(source, undefined, (text) => WHOLE_TRANSACTION.test(text));
  }

  async #run(
    source: string,
    file: string | undefined,
    isEnough: (text: string) => boolean,
  ): Promise<Printed> {
    writeFileSync(join(this.#directory, this.#name), source);
    const [command = "", ...args] = this.#command;
    const child = spawn(command, [...args, this.#name], {
      cwd: this.#directory,
      env: ENVIRONMENT,
      stdio: ["ignore", "pipe", "pipe"],
      // So that a shell's children can be ended with it.
      detached: true,
    });
    const end = (): void => {
      process.kill(-(child.pid as number), "SIGKILL");
    };
    const timer = setTimeout(end, WITHIN_MS);
    let text = "";
    let errors = "";
    let hasEnough = false;
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (!hasEnough && isEnough(text)) {
        hasEnough = true;
        end();
      }
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      errors += chunk;
    });
    const code = await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (status, signal) => resolve(status ?? signal));
    });
    clearTimeout(timer);
    if ((code !== 0 || errors !== "") && !hasEnough) {
      throw new Error(`${source}\n\nended with ${code}: ${errors}${text}`);
    }
    return { text: file === undefined ? text : taken(join(this.#directory, file)), values: [] };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Each process has ended.
  }
}

type Said = { readonly logged: unknown } | { readonly ended: true } | { readonly failed: string };

/** One Node for all samples, each of which is a module. */
class ModuleRunner implements SampleRunner {
  readonly #directory: string;
  #child: ChildProcess | undefined;
  #modules = 0;

  constructor(directory: string) {
    this.#directory = directory;
    const modules = fileURLToPath(new URL("../../../../node_modules", import.meta.url));
    symlinkSync(modules, join(directory, "node_modules"), "junction");
  }

  run(source: string, file?: string): Promise<Printed> {
    return this.#run(source, file, () => false);
  }

  async runStream(source: string): Promise<Printed> {
    const isTransaction = (value: unknown): boolean =>
      (value as { readonly kind?: string }).kind === "transaction";
    const printed = await this.#run(source, undefined, isTransaction);
    await this[Symbol.asyncDispose](); // it would continue
    return printed;
  }

  async #run(
    source: string,
    file: string | undefined,
    isEnough: (value: unknown) => boolean,
  ): Promise<Printed> {
    this.#child ??= this.#start();
    const child = this.#child;
    this.#modules += 1;
    const name = `sample-${this.#modules}.mjs`;
    writeFileSync(join(this.#directory, name), source);
    const values: unknown[] = [];
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => end(new Error(`${source}\n\ntakes too long`)), WITHIN_MS);
      const end = (error?: Error): void => {
        clearTimeout(timer);
        child.off("message", hear);
        child.off("exit", exited);
        if (error === undefined) {
          resolve();
        } else {
          reject(error);
        }
      };
      const exited = (code: number | null): void =>
        end(new Error(`${source}\n\nended the process with ${code}`));
      const hear = (reported: Said): void => {
        if ("logged" in reported) {
          values.push(reported.logged);
          if (isEnough(reported.logged)) {
            end();
          }
        } else {
          end("failed" in reported ? new Error(`${source}\n\n${reported.failed}`) : undefined);
        }
      };
      child.on("message", hear);
      child.on("exit", exited);
      child.send(name);
    });
    return { text: file === undefined ? "" : taken(join(this.#directory, file)), values };
  }

  #start(): ChildProcess {
    return spawn(
      process.execPath,
      [fileURLToPath(new URL("javascript-samples.ts", import.meta.url))],
      {
        cwd: this.#directory,
        env: ENVIRONMENT,
        stdio: ["ignore", "inherit", "inherit", "ipc"],
        serialization: "advanced",
      },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child !== undefined) {
      child.kill();
      await ended(child);
    }
  }
}

function taken(path: string): string {
  if (!existsSync(path)) {
    throw new Error(`the sample has not written ${path}`);
  }
  const text = readFileSync(path, "latin1");
  rmSync(path);
  return text;
}
