import { type Amount, multitransfer } from "@moneta/protocol";
import { refuseLocks, refuseUnaffordableTransfer } from "../../market/balances.ts";
import { done, effect, record } from "../../records/record.ts";
import { mustExist, tokenMustExist } from "../existence.ts";
import { firstRefusal } from "../first-refusal.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";

/** To all of them or to none. Source: accounts §11. */
export const multitransferRule: RuledOperation = ruleOf(multitransfer, {
  actor: (state, { from, transferlist, token }) =>
    acting(
      mustExist(state, "from", from) ??
        firstRefusal(transferlist.entries, ({ address }, index) =>
          mustExist(state, `transferlist[${index}].address`, address),
        ) ??
        tokenMustExist(state, token) ??
        from,
    ),

  apply(state, { from, transferlist, token, checkkey, signature }) {
    const { entries, text } = transferlist;
    const sum = entries.reduce((total, { amount }) => total + amount, 0n) as Amount;
    const credits = entries.map(({ address, amount, unlockdate: unlockDate }) => ({
      address,
      amount,
      unlockDate,
    }));
    const refused =
      refuseLocks(state, token, credits, (index) => `transferlist[${index}].unlockdate`) ??
      refuseUnaffordableTransfer(state, { address: from, token, amount: sum });
    if (refused !== undefined) {
      return refused;
    }

    state.balances.debit(from, token, sum);
    for (const { address, amount, unlockDate } of credits) {
      state.balances.credit(address, token, amount, unlockDate);
    }
    return done(
      state,
      record(
        "multi_transfer",
        { from, transferlist: text, token, signature, tkey: checkkey },
        { token },
      ),
      entries.map(({ address: to, amount, unlockdate, tag: tags, memo }) =>
        effect(
          "receive",
          { from, to, amount, token, signature, unlockdate, tags, memo },
          { credit: { amount, unlockDate: unlockdate } },
        ),
      ),
    );
  },
});
