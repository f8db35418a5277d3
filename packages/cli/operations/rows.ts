import type { Row } from "./row.ts";
import { CHAIN } from "./rows/chain.ts";
import { COINS } from "./rows/coins.ts";
import { ITEMS } from "./rows/items.ts";
import { ORDERS } from "./rows/orders.ts";
import { SEALS } from "./rows/seals.ts";
import { TOKENS } from "./rows/tokens.ts";
import { UNITS } from "./rows/units.ts";

/** All commands that send an operation or a read, in the order of help. */
export const ROWS: readonly Row[] = [
  ...COINS,
  ...TOKENS,
  ...ORDERS,
  ...ITEMS,
  ...UNITS,
  ...SEALS,
  ...CHAIN,
];
