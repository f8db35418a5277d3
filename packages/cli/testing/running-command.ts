import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { until } from "../../node/testing/until.ts";
import type { CommandRuns } from "./command-runs.ts";

export class RunningCommand implements AsyncDisposable {
  stdout = "";
  stderr = "";
  readonly #child: ChildProcess;
  #hasEnded = false;

  constructor(user: CommandRuns, args: readonly string[]) {
    this.#child = user.start(args);
    this.#child.stdout?.on("data", (text: Buffer) => {
      this.stdout += text.toString();
    });
    this.#child.stderr?.on("data", (text: Buffer) => {
      this.stderr += text.toString();
    });
    this.#child.stdin?.on("error", () => undefined); // it may end before it has read everything
    this.#child.once("close", () => {
      this.#hasEnded = true;
    });
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Fails if it ends before. */
  async until(holds: () => boolean): Promise<void> {
    const printed = (): string => `printed:\n${this.stdout}${this.stderr}`;
    await until(() => {
      // What it prints at its end comes before its end here, too.
      const hasEnded = this.#hasEnded;
      const isSo = holds();
      assert.ok(isSo || !hasEnded, printed());
      return isSo;
    }, printed);
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
