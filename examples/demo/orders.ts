import type { Tokens } from "./tokens.ts";
import type { Town } from "./town.ts";

/** One whole shell in its smallest unit: shells have four decimals. */
const SHELL = 10_000n;

/** Shells are traded for points: both owners want it, orders wait, are traded and cancelled. */
export async function tradeOrders({ cast, tell }: Town, { points, shells }: Tokens): Promise<void> {
  const { shop, studio } = cast;
  await studio.tokensetbase({ token: shells, baseToken: points });
  await shop.tokenaddtarget({ token: points, targetToken: shells });
  await shop.tokenremovetarget({ token: points, targetToken: shells });
  await shop.tokenaddtarget({ token: points, targetToken: shells });
  // Half a point for one whole shell.
  const pair = { basetoken: points, targettoken: shells, price: 50n } as const;
  const sale = { ...pair, side: "SELL", qtt: 100n * SHELL } as const;
  const { mrc040id } = await studio.mrc040create(sale);
  await shop.mrc040create({ ...pair, side: "BUY", qtt: 40n * SHELL });
  await shop.mrc040request({ ...pair, side: "BUY", qtt: 10n * SHELL });
  await shop.mrc040exchange({ mrc040id, qtt: 10n * SHELL });
  await studio.mrc040cancel({ mrc040id });
  await studio.mrc040create({ ...sale, price: 60n });
  tell("orders: shells for points");
}
