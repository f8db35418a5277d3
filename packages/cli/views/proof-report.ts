import type { ProofReport, ReadReport } from "@moneta/sdk/proof";
import { EXIT } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import type { Output } from "../terminal/output.ts";
import { visible } from "../terminal/visible-text.ts";
import { timeText } from "../values/times.ts";

export const VERIFIER_KEY = "verifier-key";

/** Source: proofs §3.5. */
const ENTRIES_MEAN =
  "Proven: the signer has claimed these values as of that block, and cannot take it back. Not proven: that the rules led to them (moneta audit checks this), or that they have not changed since.";
const TRANSACTION_MEANS =
  "Proven: this operation was sent, and done in that block. Not proven: its results, because the proof contains only the hash of the record.";

/** With the keys of `--verifier-key`; throws a `WrongUse` for an invalid one. */
export async function withKnownKeys<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (thrown) {
    if (thrown instanceof TypeError && thrown.message.startsWith("keys has")) {
      throw new WrongUse(`--${VERIFIER_KEY}: ${thrown.message}`);
    }
    throw thrown;
  }
}

export function printProof(
  report: ProofReport | ReadReport,
  proven: unknown,
  output: Output,
): number {
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
