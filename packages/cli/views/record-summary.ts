import { type DescribedAmount, type DescribedRecord, describe } from "@moneta/sdk";
import type { Members } from "../session/session.ts";

/** For the address that the record is filed under; texts may be empty. */
export interface RecordSummary {
  /** Paid (`out`) or received (`in`). */
  readonly money: DescribedAmount | undefined;
  readonly goods: DescribedAmount | undefined;
  readonly with: string;
  readonly about: string;
}

export function recordSummary(record: Members): RecordSummary {
  const { money, goods, others, about, parameters } = describe(record as never as DescribedRecord);
  return {
    money: moved(money),
    goods: moved(goods),
    with: parameters.transferlist === undefined ? (others[0] ?? "") : counted(others, "payee"),
    about: about.length > 1 ? counted(about, "item") : (about[0] ?? ""),
  };
}

function moved(amount: DescribedAmount | undefined): DescribedAmount | undefined {
  return amount?.role === "in" || amount?.role === "out" ? amount : undefined;
}

function counted(all: readonly string[], noun: string): string {
  return all.length === 1 ? `1 ${noun}` : `${all.length} ${noun}s`;
}
