import {
  type Address,
  type JsonMembers,
  NATIVE_COIN,
  type PartnerRole,
  type Refused,
  refuse,
  type TokenId,
} from "@moneta/protocol";
import { type DocumentKind, noneNamed } from "../state/entries.ts";
import type { StateReader } from "../state/state.ts";
import type { TokenEntry } from "../state/token-entry.ts";
import { firstRefusal } from "./first-refusal.ts";
import { type Acting, acting } from "./rule.ts";

/** The request's address, or the temporary key's. Refused with 3090 without it. */
export function namedOrKeyHolder(
  state: StateReader,
  parameter: string,
  address: Address | undefined,
  keyHolder: () => Address | Refused,
): Address | Refused {
  return mustExist(state, parameter, address) ?? address ?? keyHolder();
}

/** `named` for an entry that is read only if the rule uses it. */
export function finderOf<V>(
  state: StateReader,
  kind: DocumentKind<V>,
  id: string,
  parameter: string,
): (() => V) | Refused {
  return state.finder(kind, id) ?? noneNamed(kind, id, parameter);
}

/** Refused with 3090 if the ledger does not have the address. */
export function mustExist(
  state: StateReader,
  parameter: string,
  address: Address | undefined,
): Refused | undefined {
  return address !== undefined && state.addressNumber(address) === undefined
    ? refuse({ code: "3090", parameter, address, status: 404 })
    : undefined;
}

/** Refused with 4001 if the ledger does not have the token. */
export function tokenMustExist(
  state: StateReader,
  token: TokenId,
  parameter = "token",
): Refused | undefined {
  return state.token(token) === undefined ? refuse({ code: "4001", parameter, token }) : undefined;
}

/** Refused with 3090 for an unknown partner. Source: mrc401 §3. */
export function refuseUnknownPartner(
  state: StateReader,
  { members }: JsonMembers<PartnerRole>,
): Refused | undefined {
  return firstRefusal([...members.keys()], (address) =>
    mustExist(state, `partner.${address}`, address as Address),
  );
}

/** Refused with 4001 without the token, 7001 without an owner. Source: tokens §2, §5. */
export function ownerOfToken(state: StateReader, token: TokenId): Acting<TokenEntry> | Refused {
  const entry = state.token(token);
  if (entry === undefined) {
    return refuse({ code: "4001", parameter: "token", token });
  }
  const reason = `Token ${NATIVE_COIN} has no owner on this ledger, so it cannot be burned, increased or updated.`;
  return acting(entry.owner === "" ? refuse({ code: "7001", reason }) : entry.owner, entry);
}
