import type { Socket } from "node:net";
import type { LedgerReader } from "@moneta/ledger";
import { type Refused, refuse } from "@moneta/protocol";

export interface ReadContext {
  /** The name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** As limits count clients. */
  readonly client: () => string;
  /** Destroyed once the client has disconnected. */
  readonly socket: Pick<Socket, "destroyed">;
  /** In a later event-loop turn, on the snapshot of that turn. */
  readonly later: <T>(part: (reader: LedgerReader) => T) => Promise<T>;
}

/** Once all clients have disconnected. */
export function refuseUnawaited(
  sockets: readonly ReadContext["socket"][],
  what: string,
): Refused | undefined {
  const reason = `All clients of this ${what} have disconnected`;
  return sockets.every(({ destroyed }) => destroyed)
    ? refuse({ code: "9002", reason, retryAfter: 1 })
    : undefined;
}
