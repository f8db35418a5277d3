import { type AmountRole, type DescribedAmount, type DescribedRecord, describe } from "@moneta/sdk";
import type { AmountText, EachText, Members } from "./view.ts";

/** A summary of a record; every member may be empty. */
export interface RecordSummary {
  /** What was paid or gained, with its sign, or is requested. */
  readonly amount: string;
  /** What that was for: tokens, or units of an item. */
  readonly goods: string;
  /** The other party. */
  readonly with: string;
  /** The item, listing or project. */
  readonly about: string;
}

const WORDS: Readonly<Record<AmountRole, string>> = {
  in: "+",
  out: "-",
  asks: "asks ",
  starts: "from ",
  offers: "offers ",
  wants: "wants ",
  issues: "issues ",
};

/** Summarizes a record for the address that it is filed under. */
export function recordSummary(
  record: Members,
  amountText: AmountText,
  each?: EachText,
): RecordSummary {
  const { money, goods, others, about, parameters } = describe(record as never as DescribedRecord);
  const text = (amount: DescribedAmount | undefined): string =>
    amount === undefined ? "" : WORDS[amount.role] + unitsText(amount, amountText);
  const { min_trade_unit, price } = parameters;
  const isOffer = min_trade_unit !== undefined && price !== undefined && goods?.token !== undefined;
  const offer = { price: price ?? "", min_trade_unit: min_trade_unit || "1" };
  return {
    amount:
      isOffer && money?.token !== undefined && each !== undefined
        ? // The wire's price is for the smallest part that is traded; people mean that of one whole token.
          `${WORDS[money.role]}${each(offer, { goods: goods.token, money: money.token })} each`
        : text(money),
    goods: text(goods),
    with: parameters.transferlist === undefined ? (others[0] ?? "") : counted(others, "payee"),
    about: about.length > 1 ? counted(about, "item") : (about[0] ?? ""),
  };
}

function unitsText({ amount, token }: DescribedAmount, amountText: AmountText): string {
  if (token !== undefined) {
    return amountText(String(amount), token);
  }
  return amount === 1n ? "1 unit" : `${amount} units`;
}

function counted(all: readonly string[], noun: string): string {
  return all.length === 1 ? `1 ${noun}` : `${all.length} ${noun}s`;
}
