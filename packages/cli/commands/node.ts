import { isCommand, NODE_COMMANDS as TEXTS, usageOf } from "@moneta/node/commands";
import { type Command, EXIT } from "../command-line/command.ts";

/** `main.ts` passes these on: they have their own settings and exit codes. */
export const NODE_COMMANDS: readonly Command[] = Object.entries(TEXTS).map(
  ([words, { about }]) => ({
    words,
    about,
    args: [],
    flags: [],
    details: `Usage: ${usageOf(words as keyof typeof TEXTS)}. moneta ${words} --help lists what it takes.`,
    run: async () => EXIT.misused,
  }),
);

export const isNodeWord: (word: string) => boolean = isCommand;

/** The node is loaded on demand, because that takes half a second. */
export async function runNode(args: readonly string[]): Promise<void> {
  const { runNodeProcess } = await import("@moneta/node");
  await runNodeProcess(args);
}
