import type { Address, TokenId } from "@moneta/protocol";
import type { State } from "../state/state.ts";
import { TOKEN, type TokenEntry } from "../state/token-entry.ts";

/** A token as `GET /token/{token}` shows it. Source: tokens §2. */
export function tokenView(state: State, token: TokenEntry): object {
  return { ...(TOKEN.json(token) as object), ...circulation(state, token) };
}

/** How much of a token is in circulation, and how much its owner has left. Source: tokens §2. */
export function circulation(
  state: State,
  token: {
    readonly id: TokenId;
    readonly owner: Address | "";
    readonly totalSupply: bigint;
    readonly burned: bigint;
  },
): { readonly circulation_supply: string; readonly remainamount: string } {
  const held = token.owner === "" ? 0n : state.held(token.owner, token.id);
  return {
    circulation_supply: String(token.totalSupply - token.burned - held),
    remainamount: String(held),
  };
}
