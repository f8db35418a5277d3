// What several sign lies in a file that goes from one to the next.
import { existsSync } from "node:fs";
import { VALID_SECONDS_MAX } from "@moneta/protocol";
import type { Given } from "../command-line/arguments.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { readGiven } from "./bounded-file.ts";
import type { Session } from "./session.ts";

const STANDARD_INPUT = "-";

/** The path of a file that is to be made. Throws `WrongUse` if there is one; `what` names it. */
export function newFile(given: Given, what: string): string {
  const file = given.get("file") as string;
  refuseStandardInput(file);
  if (existsSync(file)) {
    throw new WrongUse(
      `${file} is there: ${what} goes into a new file, so name another one, or remove it`,
    );
  }
  return file;
}

/** How long all have to sign, seconds; undefined if the flag is left out. Throws `WrongUse`. */
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

/** The text of a file, or of the standard input for `-`. Throws `WrongUse`. */
export function readSigned(file: string, bytesMax: number): string {
  const bytes = readGiven(file === STANDARD_INPUT ? 0 : file, bytesMax, file);
  // Some editors and shells put a byte order mark first, which nobody sees.
  return bytes.toString("utf8").replace(/^\ufeff/, "");
}

/** Throws `WrongUse` for `-` where what is signed goes back into the file. */
export function refuseStandardInput(file: string): void {
  if (file === STANDARD_INPUT) {
    throw new WrongUse("FILE must be a file: what is signed goes back into it");
  }
}

/**
 * Has what all have signed done. A day after its keys have expired the ledger knows no repeat of it,
 * but its transactions: `find` looks for them, and returns undefined if it was not done.
 */
export async function submitted<T>(
  submit: () => Promise<T>,
  find: () => Promise<T | undefined>,
  session: Session,
): Promise<T> {
  try {
    return await session.patiently(submit(), true);
  } catch (thrown) {
    const { ProblemError } = await import("@moneta/sdk");
    const isExpired = thrown instanceof ProblemError && thrown.code === "2020";
    const done = isExpired ? await find() : undefined;
    if (done === undefined) {
      throw thrown;
    }
    return done;
  }
}

/** What is wrong with a group or an exchange is a wrong use of the command. */
export async function inOwnWords<T>(act: () => Promise<T>, before = ""): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    const { ExchangeError, GroupError } = await import("@moneta/sdk");
    throw thrown instanceof GroupError || thrown instanceof ExchangeError
      ? new WrongUse(`${before}${thrown.message}`)
      : thrown;
  }
}
