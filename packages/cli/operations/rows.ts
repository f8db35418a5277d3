import { FORM, type Parameters } from "@moneta/protocol";
import { of } from "./amount-of.ts";
import { membersOf } from "./element.ts";
import type { AmountOf, Row } from "./row.ts";
import { CHAIN } from "./rows/chain.ts";
import { COINS } from "./rows/coins.ts";
import { ITEMS } from "./rows/items.ts";
import { ORDERS } from "./rows/orders.ts";
import { SEALS } from "./rows/seals.ts";
import { TOKENS } from "./rows/tokens.ts";
import { UNITS } from "./rows/units.ts";

export const ROWS: readonly Row[] = [
  ...COINS,
  ...TOKENS,
  ...ORDERS,
  ...ITEMS,
  ...UNITS,
  ...SEALS,
  ...CHAIN,
].map((row) => ({ ...row, amounts: { ...describedAmounts(row), ...row.amounts } }));

function describedAmounts(row: Row): Readonly<Record<string, AmountOf>> {
  const inputs: Parameters = { ...membersOf(row), ...row.description.parameters };
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([name, { schema }]) => {
      const form = schema[FORM];
      return form?.kind === "amount" && form.of !== undefined ? [[name, of(form.of)]] : [];
    }),
  );
}
