import type { ForecastWrite, ProblemError } from "@moneta/sdk";
import { type Command, EXIT } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { readGiven, STANDARD_INPUT } from "../session/bounded-file.ts";
import type { Session } from "../session/session.ts";
import { SignedLines } from "../session/signed-lines.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { type Airdrop, readAirdrop } from "../values/airdrop-lines.ts";
import { unitsOf } from "../values/amounts.ts";
import { type BatchLines, bundledLines, wrongOf } from "../values/batch-lines.ts";
import { LINES_TOGETHER, type OperationLine } from "../values/operation-lines.ts";
import { sendLines } from "./batch.ts";

const FILE_BYTES_MAX = 16 << 20;
/** Operations of one forecast. Source: batches §2 */
const FORECAST_MAX = 16;
const PROBLEMS_MAX = 10;

/** Creates items for many addresses, or hands existing ones out. Source: policies §9 */
export const airdrop: Command = {
  words: "item airdrop",
  about: "Creates items for many addresses, or hands existing ones out, by a table of receivers.",
  args: [
    { name: "file", title: "CSV", about: "a table with the names of columns in its first line" },
  ],
  flags: [
    {
      name: "project",
      placeholder: "PROJECT",
      about: "the project of new items, or of items that the table names by number",
    },
    {
      name: "dry-run",
      about:
        "check every line with the node, print what would be signed, as JSON, and send nothing",
    },
    {
      name: "continue",
      about: "continue an interrupted table; nothing is done twice",
    },
  ],
  details: [
    "Each line has an address in the column to. With a column item the table hands out existing items: an item by its id or number, or units by the item's id and the column amount.",
    "Without a column item, each line creates an item of --project for its address. The column name gives its name, attribute:level its attribute level; item_url, item_image_url, groupid, sell_fee, melt_fee, transferable, expiredate, face_price, face_token, initial_reserve and initial_token are those of item create, with amounts in decimals.",
    "All lines are checked first, here and by the node, and nothing is sent if one is wrong. Then they are signed as bundles of up to 250 lines, and the result of each line is printed as JSON. Signed lines are stored in CSV.signed before they are sent, so that --continue sends exactly the same again after an interruption.",
  ].join("\n"),
  async run(given, session) {
    const file = given.get("file") as string;
    const project = given.get("project");
    const isContinued = given.has("continue");
    const isDry = given.has("dry-run");
    if (isContinued && isDry) {
      throw new WrongUse("--continue and --dry-run exclude each other");
    }
    if (file === STANDARD_INPUT) {
      throw new WrongUse("CSV must be a file: what is signed is kept beside it");
    }
    const table = await readAirdrop(readGiven(file, FILE_BYTES_MAX, file).toString("utf8"), {
      project,
      unitsOf: async (amount, name, token) =>
        session.isInUnits ? amount : unitsOf(amount, name, await session.units(token)),
    });
    const moneta = await session.moneta();
    const lines = table.lines.filter((line): line is OperationLine => "write" in line);
    refuse(
      table.lines.flatMap((line) => {
        const wrong = wrongOf(line, moneta);
        return wrong === undefined ? [] : [[line.number, wrong] as const];
      }),
    );
    session.output.note(summaryOf(table, lines));
    if (!isContinued) {
      const problems = await problemsOf(lines, session);
      if (problems !== undefined) {
        refuse(problems);
        session.output.note(`The node would accept all ${lines.length} lines now.`);
      }
    }
    if (isDry) {
      for (const { write } of lines) {
        session.output.printJson(write, 0);
      }
      return EXIT.done;
    }
    const groups = (): BatchLines => bundledLines(pieces(table.lines), { moneta, isFile: true });
    using log = await SignedLines.open(file, { isContinued });
    const command = `moneta item airdrop ${shellWord(file)}${project === undefined ? "" : ` --project ${project}`}`;
    return await sendLines(groups, { moneta, session, log, isBundled: true, command });
  },
};

async function* pieces<T>(all: readonly T[]): AsyncGenerator<readonly T[], void, undefined> {
  for (let first = 0; first < all.length; first += LINES_TOGETHER) {
    yield all.slice(first, first + LINES_TOGETHER);
  }
}

function summaryOf({ creates }: Airdrop, lines: readonly OperationLine[]): string {
  const receivers = new Set(lines.map(({ write }) => receiverOf(write))).size;
  const units = lines.reduce((sum, { write }) => sum + BigInt(requestOf(write).amount ?? "0"), 0n);
  const items = lines.filter(({ write }) => write.operation !== "mrc402transfer").length;
  const things = [
    ...(items > 0 ? [`${items} ${creates ? "new " : ""}item${items === 1 ? "" : "s"}`] : []),
    ...(units > 0n ? [`${units} unit${units === 1n ? "" : "s"}`] : []),
  ];
  return `${things.join(" and ")} for ${receivers} address${receivers === 1 ? "" : "es"}`;
}

function receiverOf(write: OperationLine["write"]): string | undefined {
  const { toAddr, itemdata } = requestOf(write);
  return toAddr ?? itemdata?.[0]?.to;
}

function requestOf(write: OperationLine["write"]): {
  readonly toAddr?: string;
  readonly amount?: string;
  readonly itemdata?: readonly { readonly to?: string }[];
} {
  return write as object;
}

function refuse(wrong: readonly (readonly [line: number, reason: string])[]): void {
  if (wrong.length === 0) {
    return;
  }
  const more = wrong.length - PROBLEMS_MAX;
  const shown = wrong
    .slice(0, PROBLEMS_MAX)
    .map(([line, reason]) => `line ${line}: ${byColumn(reason)}`);
  throw new WrongUse(
    [...shown, ...(more > 0 ? [`and ${more} lines more`] : []), "Nothing was sent."].join("\n"),
  );
}

function byColumn(reason: string): string {
  return reason
    .replace(/^itemdata\[0\]\.(?:attributes\b\S*)?/, (name) =>
      name.includes("attributes") ? "an attribute " : "column ",
    )
    .replace(/^toAddr /, "column to ")
    .replace(/^mrc40[12]id /, "column item ");
}

async function problemsOf(
  lines: readonly OperationLine[],
  session: Session,
): Promise<readonly (readonly [line: number, reason: string])[] | undefined> {
  const moneta = await session.moneta();
  const actor = await session.actor(await session.ownAddress());
  const wrong: (readonly [number, string])[] = [];
  for (let first = 0; first < lines.length; first += FORECAST_MAX) {
    const some = lines.slice(first, first + FORECAST_MAX);
    await actor.prefetchKeys(some.length);
    const drafts: ForecastWrite[] = [];
    for (const { write } of some) {
      const { operation, ...request } = write;
      drafts.push(await actor.draft(operation, request));
    }
    const results = await forecast(() => moneta.dryRun(drafts));
    if (results === undefined) {
      session.output.note("The node makes no forecasts now, so that the lines are not checked.");
      return undefined;
    }
    for (const [index, result] of results.entries()) {
      if (result instanceof Error) {
        const { message, code } = result as ProblemError;
        wrong.push([some[index]?.number ?? 0, `${message} (${code})`]);
      }
    }
  }
  return wrong;
}

/** The result; undefined if the node makes no forecasts or does not finish one. */
async function forecast<T>(ask: () => Promise<readonly T[]>): Promise<readonly T[] | undefined> {
  const { ProblemError } = await import("@moneta/sdk");
  const isNone = (value: unknown): boolean =>
    value instanceof ProblemError && value.code.startsWith("9");
  try {
    const results = await ask();
    return results.some(isNone) ? undefined : results;
  } catch (thrown) {
    if (isNone(thrown)) {
      return undefined;
    }
    throw thrown;
  }
}
