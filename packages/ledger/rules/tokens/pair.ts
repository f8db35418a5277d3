import { type Refused, refuse, type TokenId } from "@moneta/protocol";
import type { StateReader } from "../../state/state.ts";
import type { TokenEntry } from "../../state/token-entry.ts";
import { tokenMustExist } from "../existence.ts";
import { type Acting, acting } from "../rule.ts";

/**
 * The owner of the first of two tokens, both of which must exist, or 4001.
 * Source: protocols §8, checks 2 and 3.
 */
export function pairMaker(
  state: StateReader,
  token: TokenId,
  other: { readonly parameter: string; readonly token: TokenId },
): Acting<TokenEntry> | Refused {
  const entry = state.token(token);
  if (entry === undefined) {
    return refuse({ code: "4001", parameter: "token", token });
  }
  return acting(tokenMustExist(state, other.token, other.parameter) ?? entry.owner, entry);
}

/** Whether a base has admitted a token as its target. Source: protocols §8. */
export function hasTarget(base: TokenEntry | undefined, target: TokenId): boolean {
  return base !== undefined && Object.hasOwn(base.targets, target);
}
