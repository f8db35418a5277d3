import type { Address, Json, TokenId } from "@moneta/protocol";
import type { State } from "../state/state.ts";
import { TOKEN, type TokenEntry } from "../state/token-entry.ts";

export interface TokenJson {
  readonly id: TokenId;
  readonly owner: Address | "";
  readonly totalsupply: string;
  readonly burnningamount: string;
  readonly [name: string]: Json;
}

/** A token as `GET /token/{token}` shows it. Source: tokens §2. */
export function tokenView(state: State, token: TokenEntry): object {
  const document = TOKEN.json(token) as TokenJson;
  return { ...document, ...circulation(state, document) };
}

/** The amount of a token in circulation, and the owner's rest. Source: tokens §2. */
export function circulation(
  state: State,
  { id, owner, totalsupply, burnningamount }: TokenJson,
): { readonly circulation_supply: string; readonly remainamount: string } {
  const held = owner === "" ? 0n : state.balances.held(owner, id);
  return {
    circulation_supply: String(BigInt(totalsupply) - BigInt(burnningamount) - held),
    remainamount: String(held),
  };
}
