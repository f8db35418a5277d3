import type { Command } from "../command-line/command.ts";
import { commandOf } from "../operations/command-of-row.ts";
import { ROWS } from "../operations/rows.ts";
import { addressUse } from "./address.ts";
import { airdrop } from "./airdrop.ts";
import { batch } from "./batch.ts";
import { completion } from "./completion.ts";
import { help } from "./help.ts";
import { keyNew, keyShow } from "./key.ts";
import { keyExport, keyImport } from "./key-backup.ts";
import { mcp } from "./mcp.ts";
import { NODE_COMMANDS } from "./node.ts";
import { proofCheck } from "./proof-check.ts";
import { PROPOSAL_COMMANDS } from "./proposals.ts";
import { sealKey } from "./seal-key.ts";
import { statement } from "./statement.ts";
import { tokenTrust } from "./token-trust.ts";

export const COMMANDS: readonly Command[] = [
  ...NODE_COMMANDS,
  keyNew,
  keyShow,
  keyExport,
  keyImport,
  addressUse,
  ...ROWS.map(commandOf),
  proofCheck,
  tokenTrust,
  batch,
  airdrop,
  ...PROPOSAL_COMMANDS,
  sealKey,
  statement,
  mcp,
  completion,
  help,
];

const SHOWING: ReadonlySet<string> = new Set([
  keyShow.words,
  ...ROWS.filter(({ description }) => description.kind === "read").map(({ words }) => words),
  "show",
  statement.words,
  proofCheck.words,
  completion.words,
  help.words,
]);

/** Whether a command changes nothing, so that it may end when its reader has gone. */
export function onlyShows({ words }: Command): boolean {
  return SHOWING.has(words);
}
