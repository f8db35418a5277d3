import { existsSync } from "node:fs";
import { isDecimal, isRestOfNumber } from "@moneta/protocol";
import { WrongUse } from "../command-line/wrong-use.ts";
import { notDecimal } from "./amounts.ts";

/** Lines of `ADDRESS,AMOUNT` or `ADDRESS,AMOUNT,MEMO`. */
export interface Payees {
  json(units: (amount: string) => string): string;
  readonly lines: readonly number[];
}

/** Confirms memos that could be decimals. */
export const DIGIT_MEMOS = "digit-memos";

/**
 * Undefined for JSON or an empty text. Throws a `WrongUse` that names the line. In `MT...,1,5` the
 * `5` may be decimals: as a memo it needs `hasDigitMemos`.
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
