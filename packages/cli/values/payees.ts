import { existsSync } from "node:fs";
import { isDecimal, isRestOfNumber } from "@moneta/protocol";
import { WrongUse } from "../command-line/wrong-use.ts";
import { notDecimal } from "./amounts.ts";

/**
 * Payments, one per line: `ADDRESS,AMOUNT` or `ADDRESS,AMOUNT,MEMO`, with the rest of the line as
 * memo.
 */
export interface Payees {
  /** The `transferlist` of the interface; `units` converts amounts to the smallest unit. */
  json(units: (amount: string) => string): string;
  /** The line of each payee, from 1. */
  readonly lines: readonly number[];
}

/** The flag by which a person confirms memos that could be decimals. */
export const DIGIT_MEMOS = "digit-memos";

/**
 * Parses a list of payees; undefined for JSON or an empty text. Throws a `WrongUse` that names the
 * wrong line. In `MT...,1,5` the memo `5` may be meant as decimals: it needs `hasDigitMemos`.
 */
export function readPayees(
  text: string,
  name: string,
  { isInUnits, hasDigitMemos }: { readonly isInUnits: boolean; readonly hasDigitMemos: boolean },
): Payees | undefined {
  if (/^\s*([[{]|$)/.test(text)) {
    return undefined;
  }
  const payees = text.split(/\r?\n/).flatMap((line, index) => {
    if (/^\s*(#|address\s*,|$)/i.test(line)) {
      return []; // a comment, the titles of a spreadsheet, or nothing
    }
    const [, address, amount = "", memo] = /^([^,]*),([^,]*)(?:,(.*))?$/.exec(line) ?? [];
    const where = `line ${index + 1} of ${name}`;
    if (address === undefined || address.includes(";")) {
      const hint = line.includes(";")
        ? ": separate them by commas, with a point before decimals"
        : existsSync(line)
          ? `: @${line} reads the file of that name`
          : "";
      throw new WrongUse(`${where} must be ADDRESS,AMOUNT or ADDRESS,AMOUNT,MEMO${hint}`);
    }
    if (!isInUnits && !isDecimal(amount.trim())) {
      throw new WrongUse(notDecimal(amount.trim(), `the amount in ${where}`));
    }
    if (!hasDigitMemos && isRestOfNumber(memo ?? "")) {
      throw new WrongUse(
        `${where} pays ${amount.trim()} with the memo "${memo?.trim()}": if an amount was meant, write a point before its decimals and no separators; if the memos are right, add --${DIGIT_MEMOS}`,
      );
    }
    return [
      { line: index + 1, address: address.trim(), amount: amount.trim(), memo: memo?.trim() },
    ];
  });
  return {
    lines: payees.map(({ line }) => line),
    json: (units) =>
      JSON.stringify(
        payees.map(({ address, amount, memo }) => ({
          address,
          amount: units(amount),
          unlockdate: "0",
          ...(memo && { memo }),
        })),
      ),
  };
}
