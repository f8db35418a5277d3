import { type Address, coin, NATIVE_COIN, ZERO } from "@moneta/protocol";
import { done, record } from "../../records/record.ts";
import { COUNT } from "../../state/entries.ts";
import { LongTexts } from "../../state/long-texts.ts";
import { constantsOf, TOKEN } from "../../state/token-entry.ts";
import { mustExist } from "../existence.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";
import { tokenReserve } from "../tokens/token-create.ts";

/** Source: accounts §12, chain §8. */
export const coinRule: RuledOperation = ruleOf(coin, {
  actor: () => acting(""),

  apply(state, { name, symbol, decimal = 0, totalsupply, owner: ownerIfAny, treasury }) {
    const owner: Address | "" = ownerIfAny ?? "";
    for (const { address } of treasury.entries) {
      const unknown = mustExist(state, "treasury", address);
      if (unknown !== undefined) {
        return unknown;
      }
    }

    const reserve = treasury.entries.map(({ address, value, unlockdate }) => ({
      address,
      value,
      unlockdate,
    }));
    state.put(TOKEN, {
      ...constantsOf(NATIVE_COIN),
      id: NATIVE_COIN,
      owner,
      symbol,
      name,
      category: "",
      decimal,
      createdate: state.time,
      totalsupply,
      burnningamount: ZERO,
      reservedamount: ZERO,
      url: "",
      texts: LongTexts.of({ information: "", image: "", reserve, tier: [] }),
      type: "010",
      basetoken: 0,
      targettoken: {},
    });
    state.put(COUNT, { of: "token", count: 0 });
    for (const { address, value, unlockdate } of treasury.entries) {
      state.balances.credit(address, NATIVE_COIN, value, unlockdate);
    }
    const registered = {
      ...{ token: NATIVE_COIN, owner, symbol, name, url: "", totalsupply, decimal, category: "" },
      ...{ reserve: treasury.text, signature: "", tkey: "" },
    };
    return done(
      state,
      record("tokenRegister", registered),
      reserve.map((credit) => tokenReserve(owner, NATIVE_COIN, credit)),
    );
  },
});
