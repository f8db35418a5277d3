import { statSync } from "node:fs";
import type { Moneta } from "@moneta/sdk";
import { type Command, EXIT } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { BatchRun } from "../session/batch-run.ts";
import { STANDARD_INPUT, whyUnreadable } from "../session/bounded-file.ts";
import type { Session } from "../session/session.ts";
import { SignedLines } from "../session/signed-lines.ts";
import { UNREAD } from "../terminal/output.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { type BatchLines, bundledLines, wrongOf } from "../values/batch-lines.ts";
import { operationLines } from "../values/operation-lines.ts";
import { timeText } from "../values/times.ts";

export const batch: Command = {
  words: "batch",
  about: "Sends many operations, one JSON object a line, and prints a JSON line for each.",
  args: [{ name: "file", about: "a file of JSON lines; - for standard input" }],
  flags: [
    {
      name: "continue",
      about: "continue an interrupted file; nothing is done twice",
    },
    {
      name: "bundle",
      about: "sign many lines at once, as bundles: one signature for up to 500",
    },
  ],
  details: [
    'Each line has the name of an operation in GET /openapi.json and its parameters, amounts in the smallest unit: {"operation":"transfer","to":"MT...","token":"0","amount":"5"}. Lines without a signature are signed with the key. They are sent in their order, and the result of each is printed as it arrives; a refused line does not stop the others.',
    "A file is checked before anything is sent. Signed lines are stored in FILE.signed before they are sent, so that --continue sends exactly the same again, with the same flags. Standard input cannot be read again: a wrong line is printed with its problem, and the others are sent.",
    "With --bundle, consecutive lines are one signed text and one transaction, which costs a fraction; lines that the ledger refuses are left out of it. If it refuses the whole bundle, the line that caused this is printed with its problem, the others with the same code. Operations that no bundle takes are sent alone.",
  ].join("\n"),
  async run(given, session) {
    const file = given.get("file") as string;
    const isContinued = given.has("continue");
    const isBundled = given.has("bundle");
    const isFile = file !== STANDARD_INPUT && isRegular(file);
    if (isContinued && !isFile) {
      throw new WrongUse("--continue needs a file: standard input cannot be read again");
    }
    const moneta = await session.moneta();
    using log = isFile ? await SignedLines.open(file, { isContinued }) : undefined;
    const groups = (): BatchLines =>
      isBundled ? bundledLines(operationLines(file), { moneta, isFile }) : operationLines(file);
    const command = `moneta batch ${shellWord(file)}${isBundled ? " --bundle" : ""}`;
    return await sendLines(groups, { moneta, session, log, isBundled, command });
  },
};

/**
 * Checks all lines, sends those that earlier runs have not done, and prints each result. `command`
 * continues it. Throws a `WrongUse` for a wrong line before anything is sent.
 */
export async function sendLines(
  groups: () => BatchLines,
  {
    command,
    ...given
  }: {
    readonly moneta: Moneta;
    readonly session: Session;
    readonly log: SignedLines | undefined;
    readonly isBundled: boolean;
    readonly command: string;
  },
): Promise<number> {
  const { moneta, session, log } = given;
  const total = log && (await check(groups(), { moneta, log }));
  const run = new BatchRun({ ...given, total });
  const sayHowToGoOn = (): void => {
    session.output.progress();
    if (log !== undefined) {
      session.output.note(`${command} --continue continues it, and does nothing twice.`);
    }
  };
  const interrupted = (): void => {
    sayHowToGoOn();
    process.off("SIGINT", interrupted);
    process.kill(process.pid, "SIGINT"); // ends it like the default handler
  };
  process.on("SIGINT", interrupted);
  try {
    await run.send(groups());
  } catch (thrown) {
    sayHowToGoOn();
    throw thrown;
  } finally {
    process.off("SIGINT", interrupted);
  }
  session.output.progress();
  session.output.note(`${run.done} done, ${run.refused} refused`);
  if (session.output.isUnread) {
    sayHowToGoOn();
    return UNREAD;
  }
  if (run.validUntil > 0) {
    session.output.note(
      `What was refused with 2020 has temporary keys that are valid until ${timeText(run.validUntil, true)} by the clock of this machine, so that a second signature could pay twice: after that --continue signs again what has not been done.`,
    );
  }
  return run.refused === 0 ? EXIT.done : EXIT.refused;
}

function isRegular(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch (thrown) {
    throw new WrongUse(`${file} cannot be read: ${whyUnreadable(thrown)}`);
  }
}

/** Counts the lines. Throws a `WrongUse` for one that is wrong or changed after signing. */
async function check(
  groups: BatchLines,
  { moneta, log }: { readonly moneta: Moneta; readonly log: SignedLines },
): Promise<number> {
  const signed = log.reader();
  let total = 0;
  for await (const lines of groups) {
    for (const line of lines) {
      const wrong = wrongOf(line, moneta);
      if (wrong !== undefined) {
        throw wrongLine(line.number, wrong);
      }
      const before = await signed.take(line.number);
      if (before === undefined && (await signed.hasMore())) {
        const reason = `it was not there when lines behind it were signed, as ${log.file} says: put it behind them`;
        throw wrongLine(line.number, reason);
      }
      if (before !== undefined && "hash" in line && before.hash !== line.hash) {
        const reason = `it was another one when it was signed, as ${log.file} says: undo the change, and put the corrected line into a new file`;
        throw wrongLine(line.number, reason);
      }
    }
    total += lines.reduce((sum, line) => sum + ("lines" in line ? line.lines.length : 1), 0);
  }
  if (await signed.hasMore()) {
    throw new WrongUse(`${log.file} has lines that are not in the file any more: put them back`);
  }
  return total;
}

function wrongLine(number: number, reason: string): WrongUse {
  return new WrongUse(`line ${number}: ${reason}`);
}
