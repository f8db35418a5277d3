import { mock } from "node:test";
import { runNodeCommand } from "../commands/command-line.ts";

export interface Printed {
  readonly exitCode: number;
  readonly output: string;
}

/** Runs a command in this process, which saves a start of Node, and returns its output. */
export async function printed(command: () => number | Promise<number>): Promise<Printed> {
  let output = "";
  const keep = (...parts: readonly unknown[]): void => {
    output += `${parts.join(" ")}\n`;
  };
  const mocks = [
    mock.method(console, "log", keep),
    mock.method(console, "error", keep),
    mock.method(process.stderr, "write", () => true),
  ];
  try {
    return { exitCode: await command(), output };
  } finally {
    for (const { mock } of mocks) {
      mock.restore();
    }
  }
}

/** As `runMoneta`, in this process. A command that only the operator can mend ends the process. */
export async function runInProcess(...command: readonly string[]): Promise<Printed> {
  const { exitCode: before } = process;
  const umask = process.umask();
  try {
    return await printed(async () => {
      await runNodeCommand(command);
      return Number(process.exitCode ?? 0);
    });
  } finally {
    process.exitCode = before;
    process.umask(umask);
  }
}
