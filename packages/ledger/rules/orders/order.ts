import {
  type Address,
  type Amount,
  type LedgerOperation,
  type Refused,
  refuse,
  type TokenId,
} from "@moneta/protocol";
import { refuseUnaffordable } from "../../market/balances.ts";
import { sent } from "../../records/record.ts";
import type { Order, OrderSide } from "../../state/order-entry.ts";
import type { State, StateReader } from "../../state/state.ts";
import type { TokenEntry } from "../../state/token-entry.ts";
import { mustExist, tokenMustExist } from "../existence.ts";
import type { Match, Taker } from "./matching.ts";
import { debitMoved } from "./moved.ts";

export interface TakerValues {
  readonly side: OrderSide;
  readonly basetoken: TokenId;
  readonly targettoken: TokenId;
  readonly price: Amount;
  readonly qtt: Amount;
}

/** Refused with 3090 without the trader, 4001 without a token. Source: protocols §10. */
export function targetOf(
  state: StateReader,
  { basetoken, targettoken }: Pick<TakerValues, "basetoken" | "targettoken">,
  who: { readonly parameter: string; readonly address: Address },
): TokenEntry | Refused {
  return (
    mustExist(state, who.parameter, who.address) ??
    tokenMustExist(state, basetoken, "basetoken") ??
    state.token(targettoken) ??
    refuse({ code: "4001", parameter: "targettoken", token: targettoken })
  );
}

export function takerOf(
  { side, basetoken: base, targettoken: target, price, qtt: quantity }: TakerValues,
  address: Address,
  { decimal }: TokenEntry,
): Taker {
  return { address, side, basetoken: base, targettoken: target, price, quantity, decimal };
}

export function pairOf(operation: LedgerOperation): {
  readonly base: string;
  readonly target: string;
} {
  const { basetoken, targettoken } = sent(operation, "basetoken", "targettoken");
  return { base: basetoken, target: targettoken };
}

/** Refused with 5000. Source: protocols §10. */
export function refuseUnpaid(
  state: State,
  { address, side, basetoken: base, targettoken: target }: Taker,
  { quantity, cost }: Pick<Match, "quantity" | "cost">,
): Refused | undefined {
  return side === "SELL"
    ? refuseUnaffordable(state, { address, token: target, amount: quantity })
    : refuseUnaffordable(state, { address, token: base, amount: cost });
}

export function debitTaker(
  state: State,
  { address, side, basetoken: base, targettoken: target }: Taker,
  { quantity, cost }: Pick<Match, "quantity" | "cost">,
): void {
  if (side === "SELL") {
    debitMoved(state, address, target, quantity);
  } else {
    debitMoved(state, address, base, cost);
  }
}

/** Refused with 7101 or 7102. Source: protocols §10. */
export function refuseClosedOrder({ mrc040id: id, status }: Order): Refused | undefined {
  const parameter = "mrc040id";
  switch (status) {
    case "CANCEL":
      return refuse({ code: "7101", parameter, reason: `is ${id}, which was cancelled` });
    case "COMPLETE":
      return refuse({ code: "7102", parameter, reason: `is ${id}, which is complete` });
    default:
      return undefined;
  }
}
