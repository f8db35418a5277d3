import {
  block,
  blockRaw,
  blocks,
  blocksRaw,
  checkpoint,
  checkpointConsistency,
  checkpointKey,
  entryBundle,
  events,
  type Found,
  groupRead,
  height,
  protocol,
  search,
  service,
  tile,
  totals,
  transaction,
  transactionProof,
  transactions,
} from "@moneta/protocol";
import { watch } from "../../commands/watch.ts";
import { namedToken } from "../../session/named-token.ts";
import type { Session } from "../../session/session.ts";
import * as views from "../../views/record-views.ts";
import type { Row } from "../row.ts";

export const CHAIN: readonly Row[] = [
  { words: "info", description: service, view: views.SERVICE },
  { words: "height", description: height },
  {
    words: "block",
    description: block,
    args: ["block"],
    ifMissing: {
      block: {
        about: "the newest if left out",
        ask: async (session) => String((await session.request("height", {})).body),
      },
    },
    view: views.BLOCK,
  },
  { words: "block raw", description: blockRaw, args: ["block"] },
  { words: "blocks", description: blocks, view: views.BLOCKS },
  { words: "blocks raw", description: blocksRaw, flagNames: { from: "from-block" } },
  {
    words: "tx",
    otherWords: ["transaction"],
    description: transaction,
    args: ["transaction_id"],
    forms: { transaction_id: wholeTransactionId },
    view: views.TRANSACTION,
  },
  {
    words: "group transactions",
    description: groupRead,
    args: ["id"],
  },
  {
    words: "transactions",
    description: transactions,
    view: views.RECORDS,
  },
  { words: "search", description: search, args: ["text"], view: views.FOUND },
  { words: "totals", description: totals, view: views.TOTALS },
  {
    words: "watch",
    description: events,
    about:
      "Prints transactions as they become durable: those of which one record satisfies all filters given.",
    flagNames: { from: "from-block" },
    forms: { token: tokenIds },
    perform: watch,
    details:
      "A line for each transaction as it becomes durable, with --json one JSON value a line, until Ctrl-C, which ends with exit code 0. After a lost connection it reconnects, and misses and repeats nothing.",
  },
  { words: "proof transaction", description: transactionProof, args: ["transaction_id"] },
  { words: "proof consistency", description: checkpointConsistency, args: ["from", "to"] },
  { words: "proof checkpoint", description: checkpoint },
  { words: "proof key", description: checkpointKey },
  { words: "proof tile", description: tile, args: ["level", "tile"] },
  { words: "proof entries", description: entryBundle, args: ["tile"] },
  { words: "rules announce", description: protocol, args: ["version", "height", "note"] },
];

async function tokenIds(given: string, session: Session): Promise<string> {
  const ids = given.split(",").map((one) => namedToken(one.trim(), "--token", session));
  return (await Promise.all(ids)).join(",");
}

async function wholeTransactionId(given: string, session: Session): Promise<string> {
  if (!/^[0-9]+-[0-9]+/.test(given)) {
    return given;
  }
  const found = await session.lookUp<readonly Found[]>("search", { text: given });
  return found.find(({ kind }) => kind === "transaction")?.id ?? given;
}
