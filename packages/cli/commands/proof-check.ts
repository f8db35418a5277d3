import type { ProofReport, ReadReport } from "@moneta/sdk/proof";
import { type Command, EXIT } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { readGiven } from "../session/bounded-file.ts";
import type { Output } from "../terminal/output.ts";
import { visible } from "../terminal/visible-text.ts";
import { timeText } from "../values/times.ts";

/** Larger than the proof of any transaction. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;
/** More keys than any read proves. */
const ENTRIES_MAX = 16;

/** What a proof of entries shows and what it does not. Source: proofs §3.5. */
const ENTRIES_MEAN =
  "Proven: the signer has claimed these values as of that block, and cannot take it back. Not proven: that the rules led to them (moneta audit checks this), or that they have not changed since.";
const TRANSACTION_MEANS =
  "Proven: this operation was sent, and done in that block. Not proven: its results, because the proof contains only the hash of the record.";

/** Checks a saved response of a node, without a node. */
export const proofCheck: Command = {
  words: "proof check",
  about:
    "Checks a proof in a file without a node: of state entries, from a read with proof=1, or of a transaction.",
  args: [{ name: "file", about: "the JSON that the node returned; - for the standard input" }],
  flags: [
    {
      name: "verifier-key",
      placeholder: "KEYS",
      isRequired: true,
      about:
        "verifier keys that you know from a source other than the file, separated by commas, as moneta proof key prints them",
    },
    {
      name: "entry",
      placeholder: "KEYS",
      about:
        "keys of the state entries that you asked for, separated by commas; by default those that the file names: then check in the output which they are",
    },
  ],
  details:
    "Exit code 0: all checks pass. 1: the output names the checks that fail. The file may be old: the output shows the block and the time that it proves.",
  async run(given, { output }) {
    const file = given.get("file") ?? "-";
    const text = readGiven(file === "-" ? 0 : file, FILE_BYTES_MAX, "FILE").toString();
    const response = jsonIn(text);
    const keys = (given.get("verifier-key") ?? "").split(",");
    const named = given.get("entry")?.split(",");
    const { verifyResponse, verifyTransactionProof } = await import("@moneta/sdk/proof");
    const { entries, operation } = response;
    try {
      if (operation !== undefined && named === undefined) {
        const report = await verifyTransactionProof(response, { keys });
        return tell(report, { transaction: response["id"], operation }, output);
      }
      const asked = named ?? namesIn(entries);
      const report = await verifyResponse(asked, response, { keys, notBefore: 0 });
      return tell(report, report.proven, output);
    } catch (thrown) {
      if (thrown instanceof TypeError && thrown.message.startsWith("keys has")) {
        throw new WrongUse(`--verifier-key: ${thrown.message}`);
      }
      throw thrown;
    }
  },
};

function jsonIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    throw new WrongUse("FILE is not JSON: save the node's response, for example with --json");
  }
}

/** The keys that a file names. The file then decides what is proven. */
function namesIn(entries: unknown): readonly string[] {
  const shown = Array.isArray(entries) ? entries.slice(0, ENTRIES_MAX) : [];
  return shown.map((entry) => String((entry as { readonly key?: unknown } | null)?.key));
}

/** Prints what is proven, or which checks fail. */
function tell(report: ProofReport | ReadReport, proven: unknown, output: Output): number {
  const { verdict, checks, checkpoint } = report;
  if (verdict !== "verified" || checkpoint === undefined) {
    const failed = checks.filter(({ result }) => result === "fails");
    const texts = failed.map(
      ({ name, expected, found }) =>
        `${name} should be ${visible(expected)} but found: ${visible(found)}`,
    );
    output.fail({
      exitCode: EXIT.refused,
      message: `the proof is wrong: ${texts.join("; ")}`,
      problem: { checks },
    });
    return EXIT.refused;
  }
  if (output.isJson) {
    output.printJson({ proven, checkpoint, checks });
    return EXIT.done;
  }
  const lines = "proven" in report ? linesOfEntries(report) : linesOfTransaction(proven as object);
  const { origin, keyId, size } = checkpoint;
  output.print([...lines, `signed by    ${visible(origin)}+${keyId}, at size ${size}`].join("\n"));
  output.note("proven" in report ? ENTRIES_MEAN : TRANSACTION_MEANS);
  return EXIT.done;
}

function linesOfEntries({ proven }: ReadReport): string[] {
  const { height = 0, time = 0, entries = {} } = proven ?? {};
  return [
    ...Object.entries(entries).map(([key, value]) =>
      visible(`entry        ${key} ${value === null ? "does not exist" : JSON.stringify(value)}`),
    ),
    `as of block  ${height}`,
    `claimed at   ${timeText(time)}`,
  ];
}

function linesOfTransaction(proven: object): string[] {
  const { transaction, operation } = proven as {
    readonly transaction: string;
    readonly operation: unknown;
  };
  return [
    `transaction  ${transaction}`,
    visible(`operation    ${JSON.stringify(operation)}`),
    `in block     ${Number.parseInt(transaction.slice(0, 16), 16)}`,
  ];
}
