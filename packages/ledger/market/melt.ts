import { type Address, type Amount, type Refused, refuse, type TokenId } from "@moneta/protocol";
import { type EffectDraft, effect, type Signed } from "../records/record.ts";
import type { State } from "../state/state.ts";
import type { FeeShare } from "./fees.ts";
import { payOut } from "./pay-out.ts";
import type { Movement } from "./payments.ts";

/** Refused with 7204 before the item may be melted. */
export function refuseYoung(
  { expiredate }: { readonly expiredate: number },
  time: number,
  parameter: string,
): Refused | undefined {
  const reason = `names an item that may be melted from ${expiredate} on`;
  return time < expiredate ? refuse({ code: "7204", parameter, reason }) : undefined;
}

/**
 * Pays a reserve out: the project's owner its fee, the holder the rest. Source: mrc401 §13, mrc402
 * §2.5.
 */
export function payMelted(
  state: State,
  { token, amount }: { readonly token: TokenId; readonly amount: Amount },
  {
    item,
    holder,
    shares,
    by: { signature, tkey },
  }: {
    readonly item: string;
    readonly holder: Address;
    readonly shares: readonly FeeShare[];
    readonly by: Signed;
  },
): { readonly movements: readonly Movement[]; readonly effects: readonly EffectDraft[] } {
  const { fees, rest, movements } = payOut(state, amount, {
    ...{ from: item, token, shares, payee: holder, movement: "mrc401_recv_melt" },
  });
  const paid = { item, token, signature, tkey };
  const effects = [
    ...fees.map(({ payee, amount: payment }) =>
      effect("receive_meltfee", { ...paid, payee, payment }),
    ),
    ...(rest > 0n ? [effect("receive_melt", { ...paid, payee: holder, payment: rest })] : []),
  ];
  return { movements, effects };
}
