import { failureOf } from "@moneta/ledger";
import { AUDIT_HELP, audit } from "./commands/audit.ts";
import { rebuild } from "./commands/rebuild.ts";
import { serve } from "./commands/serve.ts";
import { snapshot } from "./commands/snapshot.ts";
import { verify } from "./commands/verify.ts";
import { endUnsynced } from "./end-unsynced.ts";
import { settingsHelp } from "./settings.ts";

const HELP = `Moneta, a ledger of coins, tokens, NFTs and the addresses that hold them

Usage: moneta serve [settings]       run a node
       moneta verify DIR             recompute all that the chain in DIR claims, signatures included
       moneta audit URL [options]    follow a node from outside, checking all that it serves
       moneta rebuild DIR            make state and views anew from the blocks; the node must not run
       moneta snapshot DIR FILE      copy the ledger of a node, which may run, into one file

${AUDIT_HELP}

Settings of serve, each as a flag, a variable or a key of the configuration file, in this order of precedence:
${settingsHelp()}
`;

/** Errors whose message says all that helps; others show where in the code they come from. */
const FOR_THE_OPERATOR: ReadonlySet<string> = new Set([
  "SettingProblem",
  "GenesisProblem",
  "InvalidBlock",
  "StorageFailure",
  "UnusableLedger",
]);

/**
 * Runs one of the commands that run and check nodes, or shows their help; without a command it serves. Sets the exit code of the process, which goes on while a
 * service does, and ends the process with 2 where only the operator can help, and with 70 after a failed sync.
 */
export async function runNodeCommand(args: readonly string[]): Promise<void> {
  // What it writes is for its own user alone, files of SQLite too, which have no mode to be given.
  process.umask(0o077);
  try {
    const code = await run(args);
    if (code !== undefined) {
      process.exitCode = code;
    }
  } catch (caught) {
    const thrown = failureOf(caught, undefined);
    if (isFailedSync(thrown)) {
      endUnsynced(thrown);
    }
    // By name, because what the ledger thread throws arrives here as a plain error.
    if (thrown instanceof Error && FOR_THE_OPERATOR.has(thrown.name)) {
      console.error(`moneta: ${thrown.message}`);
      process.exit(2);
    }
    throw thrown;
  }
}

function isFailedSync(thrown: unknown): thrown is Error {
  return (
    thrown instanceof Error &&
    (thrown.name === "SyncFailure" || ("syscall" in thrown && thrown.syscall === "fsync"))
  );
}

/** Runs a command; answers the exit code, undefined while a service goes on running. */
async function run(args: readonly string[]): Promise<number | undefined> {
  const [command, ...rest] = args;
  if (args.includes("--help") || args.includes("-h") || command === "help") {
    console.log(HELP);
    return 0;
  }
  switch (command) {
    case "verify":
      return rest.length === 1 ? await verify(rest[0] as string) : misused("moneta verify DIR");
    case "audit":
      return await audit(rest, interrupted());
    case "rebuild":
      return rest.length === 1 ? rebuild(rest[0] as string) : misused("moneta rebuild DIR");
    case "snapshot":
      return rest.length === 2
        ? await snapshot(rest[0] as string, rest[1] as string)
        : misused("moneta snapshot DIR FILE");
    case "serve":
      await serve(rest);
      return undefined;
    default:
      if (command !== undefined && !command.startsWith("-")) {
        return misused(`there is no command ${command}: moneta --help lists them`);
      }
      await serve(args);
      return undefined;
  }
}

/** Raised when the operator asks the process to end. */
function interrupted(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stop.abort());
  }
  return stop.signal;
}

function misused(usage: string): number {
  console.error(`moneta: ${usage}`);
  return 2;
}
