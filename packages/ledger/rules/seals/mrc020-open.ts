import { mrc020Open, Refused, refuse } from "@moneta/protocol";
import { done, effectOnEntry, record } from "../../records/record.ts";
import { named } from "../../state/entries.ts";
import { keyhashOf, SEAL, type Seal } from "../../state/seal-entry.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";

/** Anybody may open a sealed text. Source: protocols §6. */
export const mrc020OpenRule: RuledOperation = ruleOf(mrc020Open, {
  // Admission makes these too, so that no wrong key reaches the ledger thread.
  actor(state, { mrc020key, key }) {
    const seal = named(state, SEAL, mrc020key, "mrc020key");
    if (seal instanceof Refused) {
      return seal;
    }
    if (keyhashOf(seal, { ledgerId: state.ledgerId, key }) !== seal.keyhash) {
      return refuse({ code: "3006", parameter: "key", id: seal.id });
    }
    if (seal.is_open) {
      const reason = `is ${seal.id}, which was opened at ${seal.opened}`;
      return refuse({ code: "7113", parameter: "mrc020key", reason });
    }
    return acting("", seal);
  },

  apply(state, { key }, { found: seal }) {
    if (state.time < seal.opendate) {
      const reason = `is ${seal.id}, which can be opened from ${seal.opendate} on: the ledger's time is ${state.time}`;
      return refuse({ code: "7205", parameter: "mrc020key", reason });
    }

    const opened: Seal = { ...seal, publickey: key, is_open: 1, opened: state.time };
    state.put(SEAL, opened);
    const values = { seal: seal.id, owner: seal.owner, openingkey: key };
    return done(state, record("MRC020Open", values), [
      effectOnEntry("MRC020Open", values, SEAL, opened),
    ]);
  },
});
