import { genesisProtocol } from "@moneta/protocol";
import { done, record } from "../../records/record.ts";
import { PROTOCOL } from "../../state/entries.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";

export const genesisProtocolRule: RuledOperation = ruleOf(genesisProtocol, {
  actor: () => acting(""),
  apply(state, { version, operator = "", note, auctionMin = 0, auctionMax = 0 }) {
    state.put(PROTOCOL, {
      ...{ version: Number(version), next: 0, height: 0, note },
      operator,
      ...{ auctionMin, auctionMax, ledgerId: "" },
    });
    const rules = { version, height: 0, note };
    return done(state, record("Chaincode Install or Update", rules, { of: "" }));
  },
});
