import {
  type Address,
  type GroupFault,
  parseTemporaryKey,
  Refused,
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
  { values }: Pick<Request, "values">,
): readonly (TemporaryKey | undefined)[] {
  return operation.signers.map(({ temporaryKey }) => parseTemporaryKey(values[temporaryKey] ?? ""));
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

/** A temporary key of a request, by its parameter, and whose it must be. */
export interface HeldKey {
  readonly parameter: string;
  readonly key: TemporaryKey | undefined;
  readonly holder: Address | Refused;
}

/**
 * The checks of a request's keys, key by key: whose it is, whether it is valid, issued by this
 * deployment and unused. Only admission knows who issued a key. Source: accounts §7.3, batches §2.10.
 */
export function refuseKeys(
  state: StateReader,
  keys: readonly HeldKey[],
  {
    isOurs = () => true,
    isUsed = () => false,
  }: {
    readonly isOurs?: (key: TemporaryKey) => boolean;
    readonly isUsed?: (key: TemporaryKey) => boolean;
  },
): Refused | undefined {
  for (const { parameter, key, holder } of keys) {
    if (holder instanceof Refused) {
      return holder;
    }
    const refused = checkTemporaryKey(key, state.address(holder), state.time, parameter);
    if (refused !== undefined || key === undefined) {
      return refused;
    }
    if (!isOurs(key)) {
      const reason = "this deployment has not issued it, or for another operation";
      return refuse({ code: "2020", parameter, reason });
    }
    if (isUsed(key)) {
      return refuse({ code: "2021", parameter });
    }
  }
  return undefined;
}

/** A key serves one operation, of a group too. `index` is that of the second. Source: batches §2.10. */
export function refuseKeysTwice(
  members: readonly { readonly ruled: RuledOperation; readonly request: Request }[],
): GroupFault | undefined {
  const seen = new Set<string>();
  for (const [index, { ruled, request }] of members.entries()) {
    for (const { temporaryKey: parameter } of ruled.operation.signers) {
      const key = request.params[parameter] ?? "";
      if (seen.has(key)) {
        return { index, fault: { code: "2021", parameter } };
      }
      seen.add(key);
    }
  }
  return undefined;
}
