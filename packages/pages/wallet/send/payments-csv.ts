import { isRestOfNumber } from "@moneta/sdk";
import { type CsvLine, csvRows, readCsvLine } from "../csv-rows.ts";
import { entriesMax, fieldsOf, type Values } from "../operations/fields.ts";

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

/** A line of the list. */
export interface PaymentLine extends CsvLine {
  readonly payment: ListedPayment | undefined;
  /** Whether the memo may be the decimals of the amount, as in `MT...,1,5`. */
  readonly isMemoDoubtful: boolean;
}

/** The context in which the lines are read. */
export interface ListReading {
  /** Of the token. */
  readonly decimals: number;
  /** The locale in which amounts are written. */
  readonly locale: string;
  /** Unix seconds, for locks that are past. */
  readonly now: number;
}

const NAMES = ["address", "amount", "memo", "tag", "unlockdate"];
const COLUMNS = fieldsOf("multitransfer[]", NAMES.join(" "), { unlockdate: { isNeeded: false } });

/** The most payments of one operation. Source: accounts §11. */
export const PAYMENTS_MAX = entriesMax("multitransfer");

const BEHIND_ADDRESS = /MT[0-9A-Za-z]{38}"?\s*?([,;\t])/;

/** A text that is longer is not read. */
export const CSV_LENGTH_MAX = 1024 * 1024;

/**
 * Reads payments from CSV or cells of a spreadsheet: address, amount in decimals as the pages show
 * it, and optionally memo, tag, lock date. A first line without an address and without a digit is a
 * header. One with a wrong address is not, or its payment would be lost. Reads one line more than
 * the operation takes.
 */
export function parsePayments(
  text: string,
  { decimals, locale, now }: ListReading,
): readonly PaymentLine[] {
  const rows = csvRows(text, BEHIND_ADDRESS);
  const first = rows[0]?.cells ?? [];
  const isHeader = first.length > 0 && !/^MT/.test(first[0] ?? "") && !/[0-9]/.test(first.join());
  const reading = { columns: COLUMNS, known: { decimals: () => decimals, locale } };
  return rows
    .slice(isHeader ? 1 : 0, PAYMENTS_MAX + 1 + (isHeader ? 1 : 0))
    .map((row) => withPayment(readCsvLine(row, NAMES, reading), now));
}

function withPayment(line: CsvLine, now: number): PaymentLine {
  const { values } = line;
  const unlockdate = Number(values?.["unlockdate"] ?? 0);
  if (unlockdate !== 0 && unlockdate <= now) {
    const faults = { unlockdate: { what: "past" } } as const;
    return { ...line, values: undefined, faults, payment: undefined, isMemoDoubtful: false };
  }
  return {
    ...line,
    payment: values === undefined ? undefined : paymentOf(values, unlockdate),
    isMemoDoubtful: values !== undefined && isRestOfNumber(String(values["memo"] ?? "")),
  };
}

function paymentOf(values: Values, unlockdate: number): ListedPayment {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return { ...(Object.fromEntries(given) as unknown as ListedPayment), unlockdate };
}
