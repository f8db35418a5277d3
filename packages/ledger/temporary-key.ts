import {
  type Address,
  parseTemporaryKey,
  type Refused,
  type Request,
  refuse,
  type TemporaryKey,
} from "@moneta/protocol";
import type { RuledOperation } from "./rules/rule.ts";
import type { AddressEntry } from "./state/entries.ts";
import type { StateReader } from "./state/state.ts";

/** The temporary keys that a request names, one for each signer; undefined where it is none. */
export function temporaryKeysOf(
  { operation }: RuledOperation,
  { params }: Pick<Request, "params">,
): readonly (TemporaryKey | undefined)[] {
  return operation.signers.map(({ temporaryKey }) => parseTemporaryKey(params[temporaryKey] ?? ""));
}

/**
 * Refused with 2020 if the key is none, was not issued to the actor, or has expired at ledger time
 * `at`. Its tag is checked on admission. Source: accounts §7.3.
 */
export function checkTemporaryKey(
  key: TemporaryKey | undefined,
  actor: AddressEntry | undefined,
  at: number,
  parameter: string,
): Refused | undefined {
  if (key === undefined || key.addressNumber !== actor?.number) {
    const whose = actor === undefined ? "the actor" : `${actor.address}, who acts here`;
    return refuse({ code: "2020", parameter, reason: `it was not issued to ${whose}` });
  }
  return at > key.expiry
    ? refuse({ code: "2020", parameter, reason: "it has expired" })
    : undefined;
}

/** Whom a temporary key was issued to; refused with 2020 if that is nobody. */
export function keyHolder(
  state: StateReader,
  key: TemporaryKey | undefined,
  parameter: string,
): Address | Refused {
  return (
    (key && state.addressNumbered(key.addressNumber)) ??
    refuse({ code: "2020", parameter, reason: "it was not issued to an address of this ledger" })
  );
}
