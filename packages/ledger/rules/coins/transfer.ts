import { transfer } from "@moneta/protocol";
import { refuseLocks, refuseUnaffordableTransfer } from "../../market/balances.ts";
import { done, effect, record } from "../../records/record.ts";
import { mustExist, tokenMustExist } from "../existence.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";

/** Source: accounts §10. */
export const transferRule: RuledOperation = ruleOf(transfer, {
  actor: (state, { from, to, token }) =>
    acting(
      mustExist(state, "from", from) ??
        mustExist(state, "to", to) ??
        tokenMustExist(state, token) ??
        from,
    ),

  apply(state, { from, to, token, amount, unlockdate, tags, memo, signature }) {
    const credit = { address: to, amount, unlockDate: unlockdate };
    const refused =
      refuseLocks(state, token, [credit], () => "unlockdate") ??
      refuseUnaffordableTransfer(state, { address: from, token, amount });
    if (refused !== undefined) {
      return refused;
    }

    state.balances.debit(from, token, amount);
    state.balances.credit(to, token, amount, unlockdate);
    const paid = { from, to, amount, token, signature, unlockdate, tags, memo };
    return done(state, record("transfer", paid, { token }), [effect("receive", paid, { credit })]);
  },
});
