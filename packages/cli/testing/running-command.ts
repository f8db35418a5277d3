import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { CommandRuns } from "./command-runs.ts";

const WITHIN_MS = 120_000;

export class RunningCommand implements AsyncDisposable {
  stdout = "";
  stderr = "";
  readonly #child: ChildProcess;

  constructor(user: CommandRuns, args: readonly string[]) {
    this.#child = user.start(args);
    this.#child.stdout?.on("data", (text: Buffer) => {
      this.stdout += text.toString();
    });
    this.#child.stderr?.on("data", (text: Buffer) => {
      this.stderr += text.toString();
    });
    this.#child.stdin?.on("error", () => undefined); // it may end before it has read everything
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  async until(holds: () => boolean): Promise<void> {
    for (const end = Date.now() + WITHIN_MS; !holds(); await delay(20)) {
      assert.ok(Date.now() < end, `in time; printed:\n${this.stdout}${this.stderr}`);
      assert.equal(this.#child.exitCode, null, this.stderr);
    }
  }

  lines(): string[] {
    return this.stdout.split("\n").slice(0, -1);
  }

  /** Resolves when there is room for more. */
  async write(text: string): Promise<void> {
    const { stdin } = this.#child;
    assert.ok(stdin !== null);
    if (!stdin.write(text)) {
      await once(stdin, "drain");
    }
  }

  /** Ends its standard input. */
  async finish(): Promise<number | null> {
    const closed = this.closed();
    this.#child.stdin?.end();
    return await closed;
  }

  /** With its standard input open. */
  async closed(): Promise<number | null> {
    const [code] = await once(this.#child, "close");
    return code as number | null;
  }

  stopReading(): void {
    this.#child.stdout?.destroy();
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    const closed = once(this.#child, "close");
    this.#child.kill(signal);
    const [code] = await closed;
    return code as number | null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      await this.end("SIGKILL");
    }
  }
}
