import type { LedgerReader } from "@moneta/ledger";

/** What of a request a read needs that is made in many event-loop turns. */
export interface Asking {
  /** The client, as limits count clients. */
  readonly client: string;
  /** Destroyed once the client has disconnected. */
  readonly socket: { readonly destroyed: boolean };
  /** Does a part in a later event-loop turn, on the snapshot of that turn. */
  readonly later: <T>(part: (reader: LedgerReader) => T) => Promise<T>;
}
