import {
  type Address,
  type LedgerOperation,
  Refused,
  type Request,
  refuse,
  type TemporaryKey,
  type TransactionRecord,
} from "@moneta/protocol";
import type { RuledOperation } from "./rules/rule.ts";
import type { State } from "./state/state.ts";
import { checkTemporaryKey, keyHolder } from "./temporary-key.ts";

/** An operation that is being executed. */
export interface Running {
  readonly operation: LedgerOperation;
  readonly ruled: RuledOperation;
  readonly request: Request;
  /** The temporary key, undefined where there is none or it is malformed. */
  readonly key: TemporaryKey | undefined;
}

/**
 * The checks that the ledger makes, in the order of conventions §3, and the operation's effects. A
 * refusal may leave changes behind, which the caller undoes.
 */
export function applyOperation(
  state: State,
  { operation, ruled, request: { values }, key }: Running,
  isFirstUse: boolean,
): TransactionRecord | Refused {
  const { operation: description, rule } = ruled;
  const parameter = description.temporaryKey;
  const acting = rule.actor(state, values, () => keyHolder(state, key, parameter ?? ""));
  if (acting instanceof Refused) {
    return acting;
  }
  const { actor, found } = acting;
  if (actor !== operation.actor) {
    // Somebody else has become the actor since admission, and has not signed.
    return refuse({ code: "2010", actor: actor as Address, fullOnly: false });
  }
  if (parameter !== undefined && actor !== "") {
    const entry = state.address(actor);
    const refused = checkTemporaryKey(key, entry, state.time, parameter);
    if (refused !== undefined) {
      return refused;
    }
    if (!isFirstUse) {
      return refuse({ code: "2021", parameter });
    }
  }
  return rule.apply(state, values, { actor: actor as Address, found, operation });
}
