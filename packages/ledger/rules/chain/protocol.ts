import { protocol, type Refused, refuse } from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import { done, record, sent } from "../../records/record.ts";
import { PROTOCOL, type ProtocolEntry } from "../../state/entries.ts";
import type { StateReader } from "../../state/state.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";

/** The latest block that can be announced lies so far ahead of the newest one. */
const BLOCKS_AHEAD_MAX = 10_000_000;

/** Source: chain §7.2. */
export const protocolRule: RuledOperation = ruleOf(protocol, {
  actor(state, { version, height }) {
    const entry = inForce(state);
    const { operator } = entry;
    if (operator === "") {
      return refuse({ code: "9404", path: "/protocol" });
    }
    if (version !== BigInt(entry.version) + 1n) {
      return refuseValue(
        "version",
        `must be ${entry.version + 1}: version ${entry.version} is in force`,
      );
    }
    // The newest block is the one that this becomes part of.
    const min = state.height + 1;
    const max = state.height - 1 + BLOCKS_AHEAD_MAX;
    if (height < min || height > max) {
      const reason = `must be from ${min}, the first block behind the one with this announcement, to ${max}`;
      return refuseValue("height", reason);
    }
    return acting(operator, entry);
  },
  apply(state, { version, height, note }, { found: entry, operation }) {
    state.put(PROTOCOL, { ...entry, next: Number(version), height: Number(height), note });
    const rules = sent(operation, "version", "height", "note");
    const filing = { of: entry.operator, shows: {} };
    return done(state, record("Chaincode Install or Update", rules, filing));
  },
});

function inForce(state: StateReader): ProtocolEntry {
  const entry = state.find(PROTOCOL, "");
  invariant(entry !== undefined, "block 0 has laid down the rules");
  return entry;
}

function refuseValue(parameter: string, reason: string): Refused {
  return refuse({ code: "3005", parameter, reason });
}
