import { isRestOfNumber } from "@moneta/sdk";
import { type CsvLine, csvRows, readCsvLine } from "../csv-rows.ts";
import { entriesMax, fieldsOf, type Values } from "../operations/fields.ts";

export interface ListedPayment {
  readonly address: string;
  /** In the smallest unit. */
  readonly amount: bigint;
  /** Unix seconds; 0 does not lock. */
  readonly unlockdate: number;
  readonly tag?: string;
  readonly memo?: string;
}

export interface PaymentLine extends CsvLine {
  readonly payment: ListedPayment | undefined;
  /** The memo may be decimals, as in `MT...,1,5`. */
  readonly isMemoDoubtful: boolean;
}

export interface ListReading {
  readonly decimals: number;
  readonly locale: string;
  /** Unix seconds. */
  readonly now: number;
}

const NAMES = ["address", "amount", "memo", "tag", "unlockdate"];
const COLUMNS = fieldsOf("multitransfer[]", NAMES.join(" "), { unlockdate: { isNeeded: false } });

/** Source: accounts §11. */
export const PAYMENTS_MAX = entriesMax("multitransfer");

const BEHIND_ADDRESS = /MT[0-9A-Za-z]{38}"?\s*?([,;\t])/;

/** Longer texts are not read. */
export const CSV_LENGTH_MAX = 1024 * 1024;

/**
 * CSV or spreadsheet cells: address, amount in decimals, and optionally memo, tag, lock date. A
 * first line without address and digits is a header; with a wrong address it is not, or its payment
 * would be lost. Reads one line more than the operation takes.
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
