import { type Command, EXIT } from "../command.ts";

/** The commands that run and check nodes. `main.ts` hands them over before anything is read: they have settings and exit codes of their own. */
export const NODE_COMMANDS: readonly Command[] = [
  ["serve", "Runs a node.", "[settings]"],
  ["verify", "Recomputes all that the chain in a directory claims, signatures included.", "DIR"],
  ["audit", "Follows a node from outside, checking all that it serves.", "URL [options]"],
  ["rebuild", "Makes state and views anew from the blocks; the node must not run.", "DIR"],
  ["snapshot", "Copies the ledger of a node, which may run, into one file.", "DIR FILE"],
].map(([words = "", about = "", given]) => ({
  words,
  about,
  args: [],
  flags: [],
  details: `Usage: moneta ${words} ${given}. moneta ${words} --help lists what it takes.`,
  run: async () => EXIT.misused,
}));

/** Runs a command of the node with its arguments. Loading it takes half a second, which no client command should wait for. */
export async function runNode(args: readonly string[]): Promise<void> {
  const { runNodeCommand } = await import("@moneta/node");
  await runNodeCommand(args);
}
