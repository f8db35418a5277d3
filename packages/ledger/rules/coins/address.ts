import { address, keptKey, NATIVE_COIN, parseAddress, publicKeyText, ZERO } from "@moneta/protocol";
import { InvalidDecision } from "../../chain/invalid-block.ts";
import { done, record } from "../../records/record.ts";
import { balanceEntry } from "../../state/balances/balances.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";
import { putPasskey } from "./key-set.ts";

/**
 * The node has drawn it and stored it in the operation, so that replay draws nothing.
 * Source: accounts §3, §4.
 */
export const addressRule: RuledOperation = ruleOf(address, {
  actor: () => acting(""),

  apply(state, { publickey, addinfo, signed, ...passkey }, { operation: { decided } }) {
    const created = parseAddress(decided["address"] ?? "");
    if (created === undefined || state.addressNumber(created) !== undefined) {
      throw new InvalidDecision("the new address is malformed or exists already");
    }

    state.putAddress({
      address: created,
      publickey: publickey.body,
      addinfo,
      createdate: state.time,
      signed,
    });
    if (passkey.kind === "webauthn") {
      putPasskey(state, created, keptKey({ publickey, ...passkey }));
    }
    const pem = publicKeyText(publickey.body);
    const shows = {
      addinfo,
      balance: [balanceEntry(NATIVE_COIN, ZERO)],
      password: pem,
      regdate: state.time,
      ...(signed === "full" ? { signed } : {}),
    };
    return done(
      state,
      record("NewWallet", { address: created, publickey: pem, addinfo }, { shows }),
    );
  },
});
