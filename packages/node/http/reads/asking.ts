import type { LedgerReader } from "@moneta/ledger";
import { type Refused, refuse } from "@moneta/protocol";

/** What of a request a read needs that is made in many event-loop turns. */
export interface Asking {
  /** The client, as limits count clients. */
  readonly client: string;
  /** Destroyed once the client has disconnected. */
  readonly socket: { readonly destroyed: boolean };
  /** Does a part in a later event-loop turn, on the snapshot of that turn. */
  readonly later: <T>(part: (reader: LedgerReader) => T) => Promise<T>;
}

/** Refuses what nobody waits for any more, named by `what`; undefined while somebody does. */
export function refuseUnawaited(
  sockets: readonly Asking["socket"][],
  what: string,
): Refused | undefined {
  const reason = `All who have asked for this ${what} have disconnected`;
  return sockets.every(({ destroyed }) => destroyed)
    ? refuse({ code: "9002", reason, retryAfter: 1 })
    : undefined;
}
