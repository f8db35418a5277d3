import { parseAddress, parseDecimal } from "@moneta/sdk";
import { csvRows } from "../csv-rows.ts";

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

/** What is wrong with a line. */
export type LineFault = "address" | "own" | "amount" | "date" | "tag" | "memo" | "columns";

/** A line of the list: the payment, or why it is none. */
export interface PaymentLine {
  /** From 1, in the text as it was pasted. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly payment: ListedPayment | undefined;
  readonly fault: LineFault | undefined;
}

/** How many payments one operation takes. Source: accounts §11. */
export const PAYMENTS_MAX = 100;

/** A text that is longer is not read. */
export const CSV_LENGTH_MAX = 1024 * 1024;

/**
 * Reads payments from CSV or cells of a spreadsheet: address, amount in decimals, and perhaps memo,
 * tag, lock date. A first line without an address and without a digit is a header: one with a wrong
 * address is not, or somebody would not be paid. Reads one line more than the operation takes.
 */
export function parsePayments(
  text: string,
  { from, decimals }: { readonly from: string; readonly decimals: number },
): readonly PaymentLine[] {
  const rows = csvRows(text);
  const first = rows[0]?.cells ?? [];
  const isHeader = first.length > 0 && !/^MT/.test(first[0] ?? "") && !/[0-9]/.test(first.join());
  return rows
    .slice(isHeader ? 1 : 0, PAYMENTS_MAX + 1 + (isHeader ? 1 : 0))
    .map(({ line, cells }) => {
      const read = readLine(cells, { from, decimals });
      return typeof read === "string"
        ? { line, cells, payment: undefined, fault: read }
        : { line, cells, payment: read, fault: undefined };
    });
}

function readLine(
  cells: readonly string[],
  { from, decimals }: { readonly from: string; readonly decimals: number },
): ListedPayment | LineFault {
  const [address = "", amountText = "", memo = "", tag = "", date = "", ...others] = cells;
  if (others.some((cell) => cell !== "")) {
    return "columns";
  }
  if (parseAddress(address) === undefined) {
    return "address";
  }
  if (address === from) {
    return "own";
  }
  const amount = amountOf(amountText, decimals);
  if (amount === undefined || (amount === 0n && memo === "")) {
    return "amount";
  }
  const unlockdate = dateOf(date);
  if (unlockdate === undefined) {
    return "date";
  }
  if ([...memo].length > 2048) {
    return "memo";
  }
  if ([...tag].length > 64) {
    return "tag";
  }
  const texts = { ...(tag === "" ? {} : { tag }), ...(memo === "" ? {} : { memo }) };
  return { address, amount, unlockdate, ...texts };
}

function amountOf(text: string, decimals: number): bigint | undefined {
  try {
    return parseDecimal(text, decimals);
  } catch {
    return undefined;
  }
}

/** Unix seconds, or a date as ISO 8601 has it; undefined if it is neither. */
function dateOf(text: string): number | undefined {
  if (text === "") {
    return 0;
  }
  const time = /^[0-9]{1,10}$/.test(text)
    ? Number(text)
    : /^[0-9]{4}-[0-9]{2}-[0-9]{2}/.test(text)
      ? new Date(text.replace(" ", "T")).getTime() / 1000
      : Number.NaN;
  return time >= 0 && time <= 2_147_483_647 ? Math.floor(time) : undefined;
}
