import type { Given } from "../command-line/arguments.ts";
import { EXIT } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { NO_PROOF } from "../session/explain-error.ts";
import type { Params, Session } from "../session/session.ts";
import { visible } from "../terminal/visible-text.ts";
import { amountText } from "../values/amounts.ts";
import { printProof, VERIFIER_KEY, withKnownKeys } from "../views/proof-report.ts";
import type { Description } from "./row.ts";

const KEY_OF_NODE =
  "The verifier key is the one that the node itself shows. To rely on the proof, compare it with one from another source, or give that with --verifier-key:";

/**
 * Reads the state entries of a record with their proof, checks it, and prints them with block and
 * time, which may be old. Returns the exit code. Source: proofs §3.
 */
export async function proveRead(
  { name: read }: Description,
  { proof: _, ...params }: Params,
  given: Given,
  session: Session,
): Promise<number> {
  const { output } = session;
  if (given.has("csv")) {
    throw new WrongUse("--proof prints what is proven, not a list: leave --csv out");
  }
  const { verifyRead } = await import("@moneta/sdk/proof");
  const keys = given.get(VERIFIER_KEY)?.split(",");
  const moneta = await session.moneta();
  const report = await withKnownKeys(() =>
    verifyRead(moneta, { read, params }, { keys, notBefore: 0 }),
  );
  if (report.verdict === "unchecked") {
    output.fail({
      exitCode: EXIT.refused,
      message: NO_PROOF,
    });
    return EXIT.refused;
  }
  const exitCode = printProof(report, report.proven, output);
  if (exitCode !== EXIT.done) {
    return exitCode;
  }
  const { token } = params;
  if (read === "balanceOfToken" && token !== undefined) {
    const [value] = Object.values(report.proven?.entries ?? {});
    const { free = "0", locked = "0" } = (value ?? {}) as { free?: string; locked?: string };
    const units = await session.units(token);
    const [held, ofThem] = [String(BigInt(free) + BigInt(locked)), locked];
    const locks = ofThem === "0" ? "" : `, ${amountText(ofThem, units)} of it locked`;
    output.note(`That is ${amountText(held, units)}${locks}.`);
  }
  if (keys === undefined) {
    output.note(`${KEY_OF_NODE} ${visible(report.checkpoint?.key ?? "")}`);
  }
  return exitCode;
}
