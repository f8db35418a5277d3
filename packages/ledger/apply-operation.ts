import {
  type Address,
  type LedgerOperation,
  Refused,
  type Request,
  refuse,
  type TemporaryKey,
} from "@moneta/protocol";
import { type RuledOperation, type RuleRecord, signingsOf } from "./rules/rule.ts";
import type { State } from "./state/state.ts";
import { checkTemporaryKey, keyHolder } from "./temporary-key.ts";

/** An operation that is being executed. */
export interface Running {
  readonly operation: LedgerOperation;
  readonly ruled: RuledOperation;
  readonly request: Request;
  /** The temporary keys, one for each signer; undefined where it is malformed. */
  readonly keys: readonly (TemporaryKey | undefined)[];
}

/**
 * The checks that the ledger makes, in the order of conventions §3, and the operation's effects. A
 * refusal may leave changes behind, which the caller undoes.
 */
export function applyOperation(
  state: State,
  { operation, ruled, request: { values }, keys }: Running,
  /** Of each key, whether it has served nothing else. */
  isFirstUse: readonly boolean[],
): RuleRecord | Refused {
  const { operation: description, rule } = ruled;
  const [first] = description.signers;
  const acting = rule.actor(state, values, () =>
    keyHolder(state, keys[0], first?.temporaryKey ?? ""),
  );
  if (acting instanceof Refused) {
    return acting;
  }
  const { actor, found } = acting;
  if (actor !== operation.actor) {
    // Somebody else has become the actor since admission, and has not signed.
    return refuseStranger(first?.signature ?? "", actor as Address);
  }
  const isOfGroup = operation.params["group"] !== undefined;
  const signings = actor === "" ? [] : signingsOf(description, { actor, values });
  for (const [index, { signer, address }] of signings.entries()) {
    const key = keys[index];
    const entry = state.address(address);
    if (isOfGroup && key?.addressNumber !== entry?.number) {
      // Admission has verified the signature of whom the key was issued to.
      return refuseStranger(signer.signature, address);
    }
    const refused = checkTemporaryKey(key, entry, state.time, signer.temporaryKey);
    if (refused !== undefined) {
      return refused;
    }
    if (isFirstUse[index] !== true) {
      return refuse({ code: "2021", parameter: signer.temporaryKey });
    }
  }
  return rule.apply(state, values, { actor: actor as Address, found, operation });
}

function refuseStranger(parameter: string, actor: Address): Refused {
  return refuse({ code: "2010", parameter, actor, fullOnly: false });
}
