import { type Address, type Refused, refuse, type TokenId } from "@moneta/protocol";
import type { StateReader } from "../state/state.ts";

/** Refused with 3090 if the ledger does not have the address. */
export function mustExist(
  state: StateReader,
  parameter: string,
  address: Address,
): Refused | undefined {
  return state.address(address) === undefined
    ? refuse({ code: "3090", parameter, address, status: 404 })
    : undefined;
}

/** Refused with 4001 if the ledger does not have the token. */
export function tokenMustExist(state: StateReader, token: TokenId): Refused | undefined {
  return state.token(token) === undefined
    ? refuse({ code: "4001", parameter: "token", token })
    : undefined;
}
