import type { Amount, TokenId } from "@moneta/protocol";

/** Money or units that go from one to another. Source: market §4. */
export type Movement = {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly amount: Amount;
} & ({ readonly token: TokenId } | { readonly units: string });

/** Compact JSON, all strings, in order, without movements of 0. Source: market §4. */
export function paymentsText(movements: readonly Movement[]): string {
  return JSON.stringify(movements.filter(({ amount }) => amount > 0n).map(movementJson));
}

function movementJson(movement: Movement): { readonly [name: string]: string } {
  const amount = String(movement.amount);
  const isMoney = "token" in movement;
  return {
    from_addr: movement.from,
    to_addr: movement.to,
    amount: isMoney ? amount : "",
    token: isMoney ? movement.token : "",
    trade_amount: isMoney ? "" : amount,
    trade_id: isMoney ? "" : movement.units,
    type: movement.type,
  };
}
