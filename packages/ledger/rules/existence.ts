import { type Address, NATIVE_COIN, type Refused, refuse, type TokenId } from "@moneta/protocol";
import type { StateReader } from "../state/state.ts";

/** Refused with 3090 if the ledger does not have the address, which may have been left out. */
export function mustExist(
  state: StateReader,
  parameter: string,
  address: Address | undefined,
): Refused | undefined {
  return address !== undefined && state.address(address) === undefined
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

/** Who may burn, increase and update a token; refused with 4001 if there is no such token, with 7001 if nobody may. Source: tokens §2, §5. */
export function ownerOfToken(state: StateReader, token: TokenId): Address | Refused {
  const entry = state.token(token);
  if (entry === undefined) {
    return refuse({ code: "4001", parameter: "token", token });
  }
  const reason = `Token ${NATIVE_COIN} has no owner on this ledger: nobody can burn, increase or update it.`;
  return entry.owner === "" ? refuse({ code: "7001", reason }) : entry.owner;
}
