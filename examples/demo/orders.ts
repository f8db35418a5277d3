import { Proposal } from "@moneta/sdk";
import type { Tokens } from "./tokens.ts";
import type { Town } from "./town.ts";

/** One whole shell in its smallest unit: shells have four decimals. */
const SHELL = 10_000n;

/** Ids of orders, by their outcome. */
export interface Orders {
  readonly cancelled: string;
  readonly waiting: string;
}

/** Shells are traded for points: both owners want it, orders wait, are traded and cancelled. */
export async function tradeOrders(
  { cast, tell }: Town,
  { points, shells }: Tokens,
): Promise<Orders> {
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
  const waiting = await studio.mrc040create({ ...sale, price: 60n });
  await studio.mrc040create({ ...sale, price: 65n, qtt: 240n * SHELL });
  const bid = { ...pair, side: "BUY", price: 45n } as const;
  await shop.mrc040create({ ...bid, qtt: 20n * SHELL });
  await shop.mrc040create({ ...bid, price: 40n, qtt: 60n * SHELL });
  tell("orders: shells for points");
  return { cancelled: mrc040id, waiting: waiting.mrc040id };
}

/** The studio gives shells for points of the shop; each pays a fee in what it receives. */
export async function exchangeShells(
  { moneta, cast, tell }: Town,
  { points, shells }: Tokens,
): Promise<void> {
  const { shop, studio, ada, ben } = cast;
  const offer = await Proposal.propose(moneta, [
    {
      operation: "exchange",
      ...{ fromAddr: studio.address, fromAmount: 20n * SHELL, fromToken: shells },
      ...{ fromFeesendto: ada.address, fromFeeamount: 10n, fromFeetoken: points },
      ...{ toAddr: shop.address, toAmount: 1000n, toToken: points },
      ...{ toFeesendto: ben.address, toFeeamount: 1n * SHELL, toFeetoken: shells },
      fromMemo: "for the summer sale",
    },
  ]);
  await offer.sign(studio);
  await offer.sign(shop);
  await offer.submit();
  tell("an exchange: shells and points");
}
