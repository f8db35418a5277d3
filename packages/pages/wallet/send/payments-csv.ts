import { isRestOfNumber, parseAddress, readTime } from "@moneta/sdk";
import { csvRows } from "../csv-rows.ts";
import { type FieldFault, readAmount } from "../operations/fields.ts";

/** One of many payments, as the operation takes it. */
export interface ListedPayment {
  readonly address: string;
  /** In the smallest unit. */
  readonly amount: bigint;
  /** Unix seconds; 0 does not lock. */
  readonly unlockdate: number;
  readonly tag?: string;
  readonly memo?: string;
}

export type LineFault = "own" | "past" | "tag" | "memo" | "columns" | FieldFault;

/** A line of the list: the payment, or why it is none. */
export interface PaymentLine {
  /** From 1, in the text as it was pasted. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly payment: ListedPayment | undefined;
  readonly fault: LineFault | undefined;
  /** Whether the memo may be the decimals of the amount, as in `MT...,1,5`. */
  readonly isMemoDoubtful: boolean;
}

/** What the lines are read with. */
export interface ListReading {
  /** The address that pays. */
  readonly from: string;
  /** Of the token. */
  readonly decimals: number;
  /** The locale in which amounts are written. */
  readonly locale: string;
  /** Unix seconds, for locks that are past. */
  readonly now: number;
}

/** The last time until which an amount can be locked, Unix seconds. Source: accounts §8.7 */
export const UNLOCK_DATE_MAX = 2_147_483_647;

/** How many payments one operation takes. Source: accounts §11. */
export const PAYMENTS_MAX = 100;

const BEHIND_ADDRESS = /MT[0-9A-Za-z]{38}"?\s*?([,;\t])/;

/** A text that is longer is not read. */
export const CSV_LENGTH_MAX = 1024 * 1024;

/**
 * Reads payments from CSV or cells of a spreadsheet: address, amount in decimals as the pages show
 * it, and perhaps memo, tag, lock date. A first line without an address and without a digit is a header: one with a wrong
 * address is not, or somebody would not be paid. Reads one line more than the operation takes.
 */
export function parsePayments(text: string, reading: ListReading): readonly PaymentLine[] {
  const rows = csvRows(text, BEHIND_ADDRESS);
  const first = rows[0]?.cells ?? [];
  const isHeader = first.length > 0 && !/^MT/.test(first[0] ?? "") && !/[0-9]/.test(first.join());
  return rows
    .slice(isHeader ? 1 : 0, PAYMENTS_MAX + 1 + (isHeader ? 1 : 0))
    .map(({ line, cells }) => {
      const read = readLine(cells, reading);
      return "fault" in read
        ? { line, cells, payment: undefined, fault: read.fault, isMemoDoubtful: false }
        : {
            line,
            cells,
            payment: read.value,
            fault: undefined,
            isMemoDoubtful: isRestOfNumber(read.value.memo ?? ""),
          };
    });
}

type ReadLine = { readonly value: ListedPayment } | { readonly fault: LineFault };

function readLine(
  cells: readonly string[],
  { from, decimals, locale, now }: ListReading,
): ReadLine {
  const [address = "", amountText = "", memo = "", tag = "", date = "", ...others] = cells;
  if (others.some((cell) => cell !== "")) {
    return { fault: "columns" };
  }
  if (parseAddress(address) === undefined) {
    return { fault: { what: "address" } };
  }
  if (address === from) {
    return { fault: "own" };
  }
  const amount = readAmount(amountText, { decimals, locale, min: memo === "" ? 1n : 0n });
  if ("fault" in amount) {
    return amount;
  }
  const unlockdate = date === "" ? 0 : readTime(date, { max: UNLOCK_DATE_MAX });
  if (typeof unlockdate === "string") {
    return { fault: { what: "time", why: unlockdate } };
  }
  if (unlockdate !== 0 && unlockdate <= now) {
    return { fault: "past" };
  }
  if ([...memo].length > 2048) {
    return { fault: "memo" };
  }
  if ([...tag].length > 64) {
    return { fault: "tag" };
  }
  const texts = { ...(tag === "" ? {} : { tag }), ...(memo === "" ? {} : { memo }) };
  return { value: { address, amount: amount.value, unlockdate, ...texts } };
}
