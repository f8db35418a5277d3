import { type Command, EXIT } from "../command-line/command.ts";

/**
 * Commands that run and check nodes. `main.ts` passes them on: they have their own settings and
 * exit codes.
 */
export const NODE_COMMANDS: readonly Command[] = [
  [
    "init",
    "Makes keys, genesis file and settings of a production deployment.",
    "FOLDER --ledger NAME --coin NAME --symbol SYMBOL --supply N",
  ],
  ["serve", "Runs a node.", "[settings]"],
  ["verify", "Recomputes all that the chain in a directory claims, signatures included.", "DIR"],
  [
    "audit",
    "Follows a node from outside, checking its blocks and a sample of its answers.",
    "URL [options]",
  ],
  [
    "rebuild",
    "Rebuilds state and views from the blocks; the node must not run.",
    "DIR [--log URL | --from-archive ARCHIVE]",
  ],
  [
    "log",
    "Copies a chain between a data directory and PostgreSQL, or prints a cluster's tables.",
    "copy FROM TO | log sql",
  ],
  [
    "archive",
    "Writes the older blocks of a node, which may run, as static files, or reads one transaction.",
    "DIR ARCHIVE --before HEIGHT | archive get ARCHIVE ID",
  ],
  [
    "prune",
    "Removes the older blocks of a stopped node, which an archive has.",
    "DIR --before HEIGHT --archive ARCHIVE [--key KEY]",
  ],
  [
    "snapshot",
    "Writes the state of a node, which may run, into one file for another node.",
    "DIR FILE",
  ],
  [
    "backup",
    "Copies all that belongs to a node, which may run, and verifies the copy.",
    "DIR BACKUP [--keys KEYS]",
  ],
  ["restore", "Makes a data directory from a back-up.", "BACKUP DIR [--keys KEYS]"],
].map(([words = "", about = "", given]) => ({
  words,
  about,
  args: [],
  flags: [],
  details: `Usage: moneta ${words} ${given}. moneta ${words} --help lists what it takes.`,
  run: async () => EXIT.misused,
}));

export function isNodeWord(word: string): boolean {
  return NODE_COMMANDS.some(({ words }) => words === word);
}

/** Runs a command of the node. It is loaded on demand, because that takes half a second. */
export async function runNode(args: readonly string[]): Promise<void> {
  const { runNodeProcess } = await import("@moneta/node");
  await runNodeProcess(args);
}
