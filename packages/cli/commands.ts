import type { Command } from "./command.ts";
import { commandOf } from "./command-of-description.ts";
import { addressUse } from "./commands/address.ts";
import { completion } from "./commands/completion.ts";
import { help } from "./commands/help.ts";
import { keyNew, keyShow } from "./commands/key.ts";
import { NODE_COMMANDS } from "./commands/node.ts";
import { statement } from "./commands/statement.ts";
import { DESCRIBED_COMMANDS } from "./described-commands.ts";

/** Every command that there is, in the order in which help shows them. */
export const COMMANDS: readonly Command[] = [
  ...NODE_COMMANDS,
  keyNew,
  keyShow,
  addressUse,
  ...DESCRIBED_COMMANDS.map(commandOf),
  statement,
  completion,
  help,
];
