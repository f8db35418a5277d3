import assert from "node:assert/strict";
import { mock } from "node:test";
import { runNodeCommand } from "../commands/command-line.ts";

export interface Printed {
  readonly exitCode: number;
  readonly output: string;
  /** Of the output, what goes to stderr. */
  readonly errors: string;
}

/** Runs a command in this process, which saves a start of Node, and returns its output. */
export async function printed(command: () => number | Promise<number>): Promise<Printed> {
  const umask = process.umask();
  let output = "";
  let errors = "";
  const keep = (...parts: readonly unknown[]): void => {
    output += `${parts.join(" ")}\n`;
  };
  const keepError = (...parts: readonly unknown[]): void => {
    keep(...parts);
    errors += `${parts.join(" ")}\n`;
  };
  const mocks = [
    mock.method(console, "log", keep),
    mock.method(console, "error", keepError),
    mock.method(process.stderr, "write", () => true),
  ];
  try {
    return { exitCode: await command(), output, errors };
  } finally {
    process.umask(umask);
    for (const { mock } of mocks) {
      mock.restore();
    }
  }
}

/** The output of a command that must end with 0: a call, or the arguments of `moneta`. */
export async function outputOf(
  command: (() => number | Promise<number>) | readonly string[],
): Promise<string> {
  const { exitCode, output } =
    typeof command === "function" ? await printed(command) : await runInProcess(...command);
  assert.equal(exitCode, 0, output);
  return output;
}

class Exit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit code ${code}`);
    this.code = code;
  }
}

/** Commands listen to these for as long as they run. */
const LISTENED = [
  [process, "SIGINT"],
  [process, "SIGTERM"],
  [process.stdout, "error"],
  [process.stderr, "error"],
] as const;

/** As `runMoneta`, in this process. A node that starts is stopped at once. */
export async function runInProcess(...command: readonly string[]): Promise<Printed> {
  const { exitCode: before } = process;
  const listening = LISTENED.map(([emitter, event]) => emitter.listeners(event));
  type Listener = (...values: readonly unknown[]) => unknown;
  const added = (index: number): Listener[] => {
    const [emitter, event] = LISTENED[index] as (typeof LISTENED)[number];
    return (emitter.listeners(event) as Listener[]).filter(
      (each) => !listening[index]?.includes(each),
    );
  };
  const exit = mock.method(process, "exit", (code: number): never => {
    throw new Exit(code);
  });
  try {
    return await printed(async () => {
      try {
        await runNodeCommand(command);
        if (command[0] === "serve") {
          await added(1)[0]?.();
        }
        return Number(process.exitCode ?? 0);
      } catch (thrown) {
        if (thrown instanceof Exit) {
          return thrown.code;
        }
        throw thrown;
      }
    });
  } finally {
    for (const [index, [emitter, event]] of LISTENED.entries()) {
      for (const listener of added(index)) {
        emitter.off(event, listener);
      }
    }
    exit.mock.restore();
    process.exitCode = before;
  }
}
