import { existsSync } from "node:fs";
import { WrongUse } from "../command-line/wrong-use.ts";
import { readListedKey } from "../session/key-list.ts";
import { namedToken } from "../session/named-token.ts";
import type { Session } from "../session/session.ts";
import { unitsOf } from "./amounts.ts";

// Readable forms of the JSON of a grant. Source: authority §5.1.

const SECONDS: Readonly<Record<string, number>> = { hour: 3600, day: 86_400, week: 604_800 };

/** 0 is the whole time of the grant. */
export function periodText(seconds: number): string {
  const [name] = Object.entries(SECONDS).find(([, each]) => each === seconds) ?? [];
  return seconds === 0
    ? "in all"
    : name === undefined
      ? `every ${seconds} s`
      : `${name === "hour" ? "an" : "a"} ${name}`;
}

export function keyInFile(given: string): string {
  return existsSync(given) ? readListedKey(given).publicKeyPem : given;
}

/** Limits such as `5/day, 100 of 7`, in decimals; JSON stays unchanged. Throws a `WrongUse`. */
export async function grantLimits(given: string, session: Session): Promise<string> {
  if (given.trimStart().startsWith("[")) {
    return given;
  }
  const limits = given.split(",").map(async (one) => {
    const [, amount = "", token = "0", period] =
      /^\s*(\S+?)(?:\s+of\s+([^/]+?))?(?:\s*\/\s*(\w+))?\s*$/.exec(one) ?? [];
    const seconds = period === undefined ? 0 : (SECONDS[period] ?? Number(period));
    if (amount === "" || !Number.isInteger(seconds)) {
      throw new WrongUse(
        `--limits has "${one.trim().slice(0, 60)}": write 5/day, 100 of 7 or 2/3600, with commas between them`,
      );
    }
    const id = await namedToken(token, "--limits", session);
    const units = session.isInUnits ? amount : unitsOf(amount, "--limits", await session.units(id));
    return { token: id, amount: units, period: String(seconds) };
  });
  return JSON.stringify(await Promise.all(limits));
}

/** Separated by commas; JSON stays unchanged. */
export function listOf(
  given: string,
  entry: (text: string) => string | object = (text) => text,
): string {
  return given.trimStart().startsWith("[")
    ? given
    : JSON.stringify(given.split(",").map((text) => entry(text.trim())));
}
