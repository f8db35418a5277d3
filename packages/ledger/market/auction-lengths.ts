import { invariant } from "../invariant.ts";
import { PROTOCOL } from "../state/entries.ts";
import type { State } from "../state/state.ts";

/** How long auctions last on this ledger, seconds: settings of block 0. Source: chain §8. */
export function auctionLengths(state: State): {
  readonly shortest: number;
  readonly longest: number;
} {
  const protocol = state.find(PROTOCOL, "");
  invariant(protocol !== undefined, "block 0 has laid down the rules");
  return { shortest: protocol.auctionMin, longest: protocol.auctionMax };
}
