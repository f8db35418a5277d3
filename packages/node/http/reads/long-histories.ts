import type { KindSearch, LedgerReader } from "@moneta/ledger";
import { type Refused, refuse } from "@moneta/protocol";
import { ClientShares } from "../../client-shares.ts";

/** How many may wait for the page that is being searched. */
const WAITING_MAX = 8;
const RETRY_AFTER = 1;

/** What of a request a long history needs. */
export interface Asking {
  /** The client, as limits count clients. */
  readonly client: string;
  /** Destroyed once the client has disconnected. */
  readonly socket: { readonly destroyed: boolean };
  /** Does a part in a later event-loop turn, on the snapshot of that turn. */
  readonly later: <T>(part: (reader: LedgerReader) => T) => Promise<T>;
}

/**
 * Pages of addresses with so many kinds of records that asking all of them takes several event-loop
 * turns. One page at a time: so a quick read waits for one step of one search, however many there
 * are. Source: adr 4.
 */
export class LongHistories {
  #last: Promise<unknown> = Promise.resolve();
  /** Pages that wait or are being searched. */
  readonly #shares: ClientShares = new ClientShares(WAITING_MAX + 1);

  /**
   * Goes on with a search that has begun, and returns what `show` makes of the entries. Refused with
   * 9002 if too many pages wait, in all or of a client.
   */
  async page<T>(
    search: KindSearch,
    show: (reader: LedgerReader, entries: readonly number[]) => T,
    asking: Asking,
  ): Promise<T | Refused> {
    const { client } = asking;
    if (this.#shares.isOver(client, 1)) {
      const reason = "Too many pages of long histories are waiting, in all or of this client";
      return refuse({ code: "9002", reason, retryAfter: RETRY_AFTER });
    }
    this.#shares.add(client, 1);
    const page = this.#last
      .then(() => searched(search, show, asking))
      .finally(() => this.#shares.remove(client, 1));
    this.#last = page.catch(() => undefined);
    return page;
  }
}

async function searched<T>(
  begun: KindSearch,
  show: (reader: LedgerReader, entries: readonly number[]) => T,
  { socket, later }: Asking,
): Promise<T | Refused> {
  let search = begun;
  while (search.rest.length > 0) {
    if (socket.destroyed) {
      const reason = "The client has disconnected";
      return refuse({ code: "9002", reason, retryAfter: RETRY_AFTER });
    }
    search = await later(({ history }) => history.searchOn(search));
  }
  return later((reader) => show(reader, reader.history.entries(search)));
}
