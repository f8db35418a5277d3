import {
  type Address,
  type Amount,
  EXCHANGE_SIDES,
  exchange,
  type LedgerOperation,
  paysFee,
  type RecordValues,
  type Refused,
  type SideOfExchange,
  sideOfExchange,
  type TokenId,
  ZERO,
} from "@moneta/protocol";
import { refuseUnaffordableSide } from "../../market/balances.ts";
import { done, effect, record, sent } from "../../records/record.ts";
import type { State } from "../../state/state.ts";
import { mustExist, tokenMustExist } from "../existence.ts";
import { firstRefusal } from "../first-refusal.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";

/** Source: protocols §3. */
export const exchangeRule: RuledOperation = ruleOf(exchange, {
  actor(state, values) {
    const sides = EXCHANGE_SIDES.map((side) => sideOfExchange(values, side));
    const [from] = sides as [SideOfExchange];
    return acting(
      firstRefusal(sides, ({ side, Addr }) => mustExist(state, `${side}Addr`, Addr)) ??
        firstRefusal(sides, ({ side, Feesendto }) =>
          mustExist(state, `${side}Feesendto`, Feesendto),
        ) ??
        firstRefusal(sides, ({ side, Token }) => tokenMustExist(state, Token, `${side}Token`)) ??
        firstRefusal(sides, ({ side, Feetoken }) =>
          Feetoken === undefined ? undefined : tokenMustExist(state, Feetoken, `${side}Feetoken`),
        ) ??
        from.Addr,
    );
  },

  apply(state, values, { operation }) {
    const from = sideOfExchange(values, "from");
    const to = sideOfExchange(values, "to");
    // A fee may be paid from an amount just received.
    const refused =
      move(state, from, to.Addr, from.Amount, from.Token) ??
      move(state, to, from.Addr, to.Amount, to.Token) ??
      payFee(state, from) ??
      payFee(state, to);
    if (refused !== undefined) {
      return refused;
    }

    const sides = { ...sentBy(operation, from), ...sentBy(operation, to) } as Sides;
    return done(state, record("exchange", sides, { token: from.Token }), [
      // Else the history of this address would show the fee and not the exchange.
      ...(paysFee(to) && to.Feesendto === from.Addr ? [effect("exchange", sides)] : []),
      effect("exchangePair", sides),
      ...(paysFee(from) ? [effect("exchangeFee", sides)] : []),
      ...(paysFee(to) ? [effect("exchangeFeePair", sides)] : []),
    ]);
  },
});

function payFee(state: State, side: SideOfExchange): Refused | undefined {
  const { Feesendto, Feeamount = ZERO, Feetoken } = side;
  return paysFee(side)
    ? move(state, side, Feesendto as Address, Feeamount, Feetoken as TokenId)
    : undefined;
}

/** Refused with 5001 or 5002 if it cannot spend it at once. */
function move(
  state: State,
  { side, Addr: address }: SideOfExchange,
  to: Address,
  amount: Amount,
  token: TokenId,
): Refused | undefined {
  const refused = refuseUnaffordableSide(state, side, { address, token, amount });
  if (refused !== undefined) {
    return refused;
  }
  state.balances.debit(address, token, amount);
  state.balances.credit(to, token, amount, 0);
  return undefined;
}

type Sides = RecordValues<"exchange">;

function sentBy(operation: LedgerOperation, { side, Tag, Memo }: SideOfExchange): Partial<Sides> {
  const names = ["Addr", "Amount", "Token", "Feesendto", "Feeamount", "Feetoken"] as const;
  return {
    ...sent(operation, ...names.map((name) => `${side}${name}` as const)),
    [`${side}Tag`]: Tag,
    [`${side}Memo`]: Memo,
    [`${side}Sign`]: operation.signatures[`${side}Sign`] ?? "",
  };
}
