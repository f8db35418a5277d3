import { existsSync } from "node:fs";
import { VALID_SECONDS_MAX } from "@moneta/protocol";
import type { Proposal, SentWrite } from "@moneta/sdk";
import type { Given } from "../command-line/arguments.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { readGiven, STANDARD_INPUT } from "./bounded-file.ts";
import type { Session } from "./session.ts";

const FILE_BYTES_MAX = 8 << 20;

/** Throws a `WrongUse` if the file exists. */
export function newFile(given: Given): string {
  const file = given.get("file") as string;
  refuseStandardInput(file);
  if (existsSync(file)) {
    throw new WrongUse(
      `${file} is there: a proposal goes into a new file, so name another one, or remove it`,
    );
  }
  return file;
}

/** Seconds for all signatures. Throws a `WrongUse`. */
export function validSeconds(given: Given): number | undefined {
  const valid = given.get("valid");
  if (valid === undefined) {
    return undefined;
  }
  const seconds = Number(valid);
  if (!/^[1-9][0-9]*$/.test(valid) || seconds > VALID_SECONDS_MAX) {
    throw new WrongUse(
      `--valid is "${valid.slice(0, 60)}" but must be a whole number of seconds, from 1 to ${VALID_SECONDS_MAX}`,
    );
  }
  return seconds;
}

/** Reads a file, or standard input for `-`. Throws a `WrongUse`. */
export function readText(file: string): string {
  // Some editors put a byte order mark first.
  return readGiven(file, FILE_BYTES_MAX, file)
    .toString("utf8")
    .replace(/^\ufeff/, "");
}

/** Throws a `WrongUse` for `-`: signatures are written back into the file. */
export function refuseStandardInput(file: string): void {
  if (file === STANDARD_INPUT) {
    throw new WrongUse("FILE must be a file: what is signed goes back into it");
  }
}

/** Throws a `WrongUse` for other texts and other ledgers. */
export async function readProposal(file: string, session: Session): Promise<Proposal> {
  const { Proposal } = await import("@moneta/sdk");
  const text = readText(file);
  const moneta = await session.moneta();
  const before = `${file} is no proposal to be trusted: `;
  return await inOwnWords(() => Proposal.from(text, moneta), before);
}

/**
 * Submits a proposal. The ledger recognizes a repeat until a day after its keys expired; then its
 * transactions are searched for.
 */
export async function submitted(
  proposal: Proposal,
  session: Session,
): Promise<readonly SentWrite[]> {
  try {
    return await session.patiently(proposal.submit(), true);
  } catch (thrown) {
    const { ProblemError } = await import("@moneta/sdk");
    const isExpired = thrown instanceof ProblemError && thrown.code === "2020";
    const done = isExpired ? await proposal.transactions() : undefined;
    if (done === undefined) {
      throw thrown;
    }
    return done.map((id) => ({ transaction_id: id }));
  }
}

export async function inOwnWords<T>(act: () => Promise<T>, before = ""): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    const { ProposalError } = await import("@moneta/sdk");
    throw thrown instanceof ProposalError ? new WrongUse(`${before}${thrown.message}`) : thrown;
  }
}
