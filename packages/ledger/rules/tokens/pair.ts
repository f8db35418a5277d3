import { NATIVE_COIN, type Refused, refuse, type TokenId } from "@moneta/protocol";
import type { Pair } from "../../state/order-entry.ts";
import type { StateReader } from "../../state/state.ts";
import type { TokenEntry } from "../../state/token-entry.ts";
import { tokenMustExist } from "../existence.ts";
import { type Acting, acting } from "../rule.ts";

/** Refused with 4001 unless both exist. Source: protocols §8, checks 2 and 3. */
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

/** Refused with 7114. Source: protocols §8. */
export function refuseClosedPair(
  state: StateReader,
  { basetoken: base, targettoken: target }: Pair,
): Refused | undefined {
  if (isOpenPair(state, { basetoken: base, targettoken: target })) {
    return undefined;
  }
  const reason = `is ${target}, which is not traded for ${base} now: the owner of ${target} sets the base, the owner of ${base} admits the target`;
  return refuse({ code: "7114", parameter: "targettoken", reason });
}

/** Whether orders of a pair are traded. Source: protocols §8. */
export function isOpenPair(
  state: StateReader,
  { basetoken: base, targettoken: target }: Pair,
): boolean {
  return (
    target !== NATIVE_COIN &&
    String(state.token(target)?.basetoken) === base &&
    (base === NATIVE_COIN || hasTarget(state.token(base), target))
  );
}

/** Whether a base has admitted a token as its target. Source: protocols §8. */
export function hasTarget(base: TokenEntry | undefined, target: TokenId): boolean {
  return base !== undefined && Object.hasOwn(base.targettoken, target);
}
