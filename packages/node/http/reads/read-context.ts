import type { Socket } from "node:net";
import type { LedgerReader } from "@moneta/ledger";
import { type Refused, refuse } from "@moneta/protocol";

/** The parts of the request that a handler may use. */
export interface ReadContext {
  /** A header of the request, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** The client that sent it, as limits count clients. */
  readonly client: () => string;
  /** Its connection, destroyed once the client has disconnected. */
  readonly socket: Pick<Socket, "destroyed">;
  /** Does a part of an expensive read in a later event-loop turn, on the snapshot of that turn. */
  readonly later: <T>(part: (reader: LedgerReader) => T) => Promise<T>;
}

/** Refuses a read, named by `what`, once all its clients have disconnected. */
export function refuseUnawaited(
  sockets: readonly ReadContext["socket"][],
  what: string,
): Refused | undefined {
  const reason = `All who have asked for this ${what} have disconnected`;
  return sockets.every(({ destroyed }) => destroyed)
    ? refuse({ code: "9002", reason, retryAfter: 1 })
    : undefined;
}
