import { Proposal } from "@moneta/sdk";
import type { Tokens } from "./tokens.ts";
import type { Town } from "./town.ts";

/** Coins, points and shells change hands in a circle, all or nothing. Returns the group's id. */
export async function swapCoins(
  { moneta, cast, coins }: Town,
  { points, shells }: Tokens,
): Promise<string> {
  const { ada, ben, chiara } = cast;
  const transfer = { operation: "transfer", token: 0 };
  const proposal = await Proposal.propose(moneta, [
    { ...transfer, actor: ada.address, to: ben.address, amount: coins("2.5") },
    { ...transfer, actor: ben.address, to: chiara.address, token: points, amount: 10n },
    { ...transfer, actor: chiara.address, to: ada.address, token: shells, amount: 30n },
  ]);
  await Promise.all([ada, ben, chiara].map((actor) => proposal.sign(actor)));
  await proposal.submit();
  return proposal.id;
}
