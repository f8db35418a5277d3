import type { KindSearch, LedgerReader } from "@moneta/ledger";
import { type Refused, refuse } from "@moneta/protocol";
import { OneAtATime } from "../../one-at-a-time.ts";
import type { Asking } from "./asking.ts";

const RETRY_AFTER = 1;

/**
 * Pages of addresses with so many kinds of records that asking all of them takes several event-loop
 * turns. One page at a time: so a quick read waits for one step of one search, however many there
 * are. Source: adr 4.
 */
export class LongHistories {
  readonly #pages = new OneAtATime("pages of long histories");

  /**
   * Goes on with a search that has begun, and returns what `show` makes of the entries. Refused with
   * 9002 if too many pages wait, in all or of a client.
   */
  async page<T>(
    search: KindSearch,
    show: (reader: LedgerReader, entries: readonly number[]) => T,
    asking: Asking,
  ): Promise<T | Refused> {
    return await this.#pages.run(asking.client, () => searched(search, show, asking));
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
