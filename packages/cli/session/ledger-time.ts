import { parseTemporaryKey } from "@moneta/protocol";
import type { Session } from "./session.ts";

/** Any value: it is subtracted again. */
const VALID_SECONDS = 1;

/**
 * The ledger's time, Unix seconds, from a temporary key, which nodes issue for any address;
 * undefined if its form differs. Source: accounts §7.2.
 */
export async function ledgerTime(address: string, session: Session): Promise<number | undefined> {
  const key = await session.lookUp<unknown>("nonce", { address, valid: String(VALID_SECONDS) });
  const expiry = parseTemporaryKey(String(key))?.expiry;
  return expiry === undefined ? undefined : expiry - VALID_SECONDS;
}
