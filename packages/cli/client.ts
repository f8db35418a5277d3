import { fstatSync, writeFileSync } from "node:fs";
import { inspect } from "node:util";
import type { Given } from "./command-line/arguments.ts";
import { type Command, EXIT } from "./command-line/command.ts";
import { helpFor } from "./command-line/help-text.ts";
import { readCommandLine } from "./command-line/read-command-line.ts";
import { WrongUse } from "./command-line/wrong-use.ts";
import { COMMANDS, onlyShows } from "./commands/registry.ts";
import type { Environment } from "./session/config-folder.ts";
import { Session } from "./session/session.ts";
import { type Failure, Output, UNREAD } from "./terminal/output.ts";
import { VERSION } from "./version.ts";

/** Runs a command and returns its exit code. Results go to stdout, everything else to stderr. */
export async function runClient(
  args: readonly string[],
  output: Output = new Output(),
  environment: Environment = process.env,
): Promise<number> {
  if (args[0] === "--version" || args[0] === "-v") {
    output.print(`moneta ${VERSION}`);
    return EXIT.done;
  }
  output.isJson = args.includes("--json");
  let session: Session | undefined;
  let command: Command | undefined;
  const fail = (failure: Failure): number => {
    output.fail(failure);
    const printsOperation = args.includes("--dry-run") || args[0] === "exchange";
    if (printsOperation && !output.isTerminal) {
      // Otherwise `propose` would read only the output of the pipe's other commands.
      output.printJson({ problem: failure.message }, 0);
    }
    return failure.exitCode;
  };
  try {
    const called = readCommandLine(args, COMMANDS);
    if (called.kind === "help") {
      output.print(helpFor(called.words, COMMANDS, output));
      return EXIT.done;
    }
    output.isJson = called.given.has("json");
    command = called.command;
    output.mustFinish = !onlyShows(command);
    session = new Session(commonGiven(command, called.given), output, environment);
    return await command.run(called.given, session);
  } catch (thrown) {
    if (thrown instanceof WrongUse) {
      return fail({ exitCode: EXIT.misused, message: thrown.message });
    }
    const { explainError } = await import("./session/explain-error.ts");
    // A refusal with members of unexpected types cannot be explained.
    const explained =
      session && (await explainError(thrown, session, command?.hints).catch(() => undefined));
    if (explained === undefined) {
      const orNode = session === undefined ? "" : `, or an invalid response from ${session.url}`;
      const message = `a bug in this program; please report it${orNode}:\n${inspect(thrown)}`;
      return fail({ exitCode: EXIT.failed, message });
    }
    return fail(explained);
  }
}

function commonGiven(command: Command, given: Given): Given {
  return new Map([...given].filter(([name]) => !command.flags.some((flag) => flag.name === name)));
}

/**
 * When the reader of the results has gone, ends a command that only shows something, without error.
 * Others continue, and exit with a code other than 0.
 */
export function heedReaders(output: Output): void {
  for (const stream of [process.stdout, process.stderr]) {
    writeWhole(stream);
  }
  let exitCode: number = EXIT.done;
  process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    const hasGone = code === "EPIPE";
    if (hasGone && !output.mustFinish) {
      process.exit(EXIT.done);
    }
    if (output.isUnread) {
      return; // every later write fails as well
    }
    // For example a full disk.
    const reason = hasGone ? "its reader has ended" : message;
    output.error(`the output cannot be written: ${reason}`);
    exitCode = hasGone ? UNREAD : EXIT.failed;
    if (!output.mustFinish) {
      process.exit(exitCode);
    }
    output.noteUnread();
  });
  process.stderr.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") {
      return;
    }
    exitCode = EXIT.failed;
    if (!output.mustFinish) {
      process.exit(exitCode);
    }
  });
  process.on("exit", (code) => {
    process.exitCode = code === EXIT.done ? exitCode : code;
  });
}

/** On a nearly full disk a file takes a part of a write, and Node ignores that. */
function writeWhole(stream: NodeJS.WriteStream & { readonly fd: number }): void {
  if (fstatSync(stream.fd, { throwIfNoEntry: false })?.isFile()) {
    stream._write = (chunk: Buffer, _encoding, done) => {
      try {
        writeFileSync(stream.fd, chunk);
        done();
      } catch (thrown) {
        done(thrown as Error);
      }
    };
  }
}
